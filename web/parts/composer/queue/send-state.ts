import type { Session } from '../../../../src/protocol/session.ts';
import { momentText } from '../../../base/text/format.ts';
import type { AppState } from '../../../store/state/app-state.ts';
import { capabilityIn } from '../../common/use-capabilities.ts';

export interface SendState {
  readonly button: string;
  readonly effect: string;
  /** The message could join the running turn, or be sent alone from a paused queue. */
  readonly canSteer: boolean;
  /** The queue is paused, and could be resumed with this message as its last. */
  readonly canResume?: boolean;
}

/** What sending will do. */
export function sendState(state: AppState, sessionId: string): SendState {
  const canSteer = canSteerNow(state, sessionId);
  if (state.phase.name !== 'open') return { button: 'Save', effect: 'Offline: saved here, sent when you reconnect', canSteer };
  const session = state.sessions.get(sessionId);
  if (session?.lastKnown !== undefined) return { button: 'Save', effect: `Saved in this browser, sent when ${session.hostname} is back`, canSteer: false };
  if (session?.control === 'elsewhere') return { button: 'Queue', effect: 'Queued until the other program closes it', canSteer: false };
  if (session?.queuePaused) return { button: 'Add to queue', effect: 'The queue is paused: this waits too', canSteer, canResume: true };
  if (session?.continuesAt !== undefined && isLimited(session)) {
    return { button: 'Queue', effect: `Queued until it resumes at ${momentText(session.continuesAt)}`, canSteer };
  }
  if (session?.placeInLine !== undefined)
    return { button: 'Queue', effect: `Sent when it is this session’s turn (number ${session.placeInLine} in line)`, canSteer: false };
  switch (session?.status) {
    case 'starting':
    case 'busy':
      return { button: 'Queue', effect: 'Will be queued', canSteer };
    case 'waiting':
      return { button: 'Queue', effect: 'Queued until you answer', canSteer };
    case 'sleeping':
    case 'ended':
      return { button: 'Send', effect: isOnlyPast(session) ? pastEffect(session) : 'Wakes the agent', canSteer };
    case 'failed':
      return { button: 'Send', effect: session.control === 'here' ? idleEffect(session) : 'Wakes the agent', canSteer };
    case 'idle':
      return { button: 'Send', effect: idleEffect(session), canSteer };
    case undefined:
      return { button: 'Send', effect: '', canSteer };
  }
}

function idleEffect(session: Session): string {
  if (isOnlyPast(session)) return pastEffect(session);
  return isLimited(session) ? 'The limit is reached: this will probably fail' : '';
}

const pastEffect = ({ past }: Session): string => (past?.gone ? 'Restore the session file first' : 'Sending resumes this conversation here');

/** Nothing has happened in Signalbox yet. */
const isOnlyPast = ({ past, lastSeq }: Session): boolean => past !== undefined && lastSeq <= past.lastSeq;

const isLimited = ({ limit }: Session): boolean => limit?.status === 'rejected';

/** Needs a queue that is held back without a running turn, or an agent that accepts messages mid-turn. */
function canSteerNow(state: AppState, sessionId: string): boolean {
  const session = state.sessions.get(sessionId);
  const isWorking = session?.status === 'busy' || session?.status === 'waiting';
  const isHeld = session?.queuePaused || (session?.continuesAt !== undefined && isLimited(session));
  if (isHeld && !isWorking) return true;
  return isWorking && capabilityIn(state, sessionId, 'steer') === true;
}
