import type { Session } from '../../../../src/protocol/session.ts';
import type { AppState } from '../../../store/state/app-state.ts';
import { abilityIn } from '../../common/use-capabilities.ts';

export interface SendWords {
  readonly button: string;
  readonly effect: string;
  /** A turn runs which the message could join. */
  readonly canSteer: boolean;
}

/** What sending will do, before it is done. */
export function sendWords(state: AppState, sessionId: string): SendWords {
  const canSteer = steers(state, sessionId);
  if (state.phase.name !== 'open') return { button: 'Keep', effect: 'no connection: kept here, sent when it is back', canSteer };
  const session = state.sessions.get(sessionId);
  if (session?.control === 'elsewhere') return { button: 'Queue', effect: 'queues until the other program lets go', canSteer: false };
  switch (session?.status) {
    case 'starting':
    case 'busy':
      return { button: 'Queue', effect: 'queues while it works', canSteer };
    case 'waiting':
      return { button: 'Queue', effect: 'queues until its question is answered', canSteer };
    case 'sleeping':
    case 'ended':
    case 'failed':
      return { button: 'Send', effect: isOnlyPast(session) ? pastEffect(session) : 'wakes the agent', canSteer };
    case 'idle':
      return { button: 'Send', effect: idleEffect(session), canSteer };
    case undefined:
      return { button: 'Send', effect: '', canSteer };
  }
}

function idleEffect(session: Session): string {
  if (isOnlyPast(session)) return pastEffect(session);
  return isLimited(session) ? 'sends now, though its limit is reached' : 'sends now';
}

const pastEffect = ({ past }: Session): string =>
  past?.gone ? 'the agent cannot go on until its record is restored' : 'your message goes on with this conversation here';

/** Nothing of it happened here yet. */
const isOnlyPast = ({ past, lastSeq }: Session): boolean => past !== undefined && lastSeq <= past.lastSeq;

const isLimited = ({ limit }: Session): boolean => limit?.status === 'rejected';

/** Steering needs a running turn and an agent that listens in mid-turn. */
function steers(state: AppState, sessionId: string): boolean {
  const session = state.sessions.get(sessionId);
  const isWorking = session?.status === 'busy' || session?.status === 'waiting';
  return isWorking && abilityIn(state, sessionId, 'steer') === true;
}
