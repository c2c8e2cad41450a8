import type { Command, Refusal } from '../../protocol/command.ts';
import type { AgentId } from '../../protocol/ids.ts';
import type { Draft } from './draft.ts';
import { foundDriver } from './driver.ts';
import { evolve } from './evolve.ts';
import type { Driver, SessionState } from './state.ts';

/** A past session as it is taken up: its events up to `base` stay in the agent's own record. */
export interface PastTaken {
  readonly base: number;
  readonly agent: AgentId;
  readonly agentSessionId: string;
  readonly cwd: string;
  readonly title?: string;
}

interface Around {
  readonly node: string;
  readonly closed?: boolean;
  readonly driver?: Driver;
}

/** The session becomes one of ours, under the id that it has. Nothing of its past is copied. */
export function takeUp(draft: Draft, past: PastTaken, { node, closed, driver }: Around): void {
  draft.emit({ ...making(past), node, owner: draft.now.actor?.name ?? 'nobody' });
  if (closed === true) draft.emit({ type: 'meta.changed', closed: true });
  if (driver !== undefined) foundDriver(draft, driver);
}

/** The state once it is taken up, before anything else has happened to it. */
export const takenUpState = (state: SessionState, past: PastTaken): SessionState => ({
  ...evolve(state, { ...making(past), node: '', owner: '', seq: past.base + 1, at: '' }),
  seq: past.base,
});

const making = ({ base, agent, agentSessionId, cwd, title }: PastTaken) =>
  ({
    type: 'session.created',
    agent,
    cwd,
    options: {},
    origin: { kind: 'resume', agentSessionId },
    base,
    ...(title !== undefined && { title }),
  }) as const;

/** What makes no sense for a session that nobody here has yet. */
export function cannotTakeUp(draft: Draft, command: Command): Refusal | undefined {
  if (command.type === 'input.send' && draft.state.driver === null && !draft.now.placeFree) return NO_PLACE;
  return undefined;
}

/** Its record would bring it back, without what was said and noted here since. */
export const RECORD_STAYS: Refusal = {
  refused: 'not-supported',
  message: 'This session lies in the agent’s own files, which Signalbox does not delete: it would come back from there. Archive it to have it out of the way.',
};
const NO_PLACE: Refusal = {
  refused: 'too-many-live',
  message: 'As many agents run here as may run at once. Stop one, or let one fall asleep, and try again.',
};

/** What was taken up without beginning a process is over until somebody goes on with it; a message that waits for another program keeps it ready. */
export function restTakenUp(draft: Draft): void {
  const { state } = draft;
  if (state.base === 0 || state.status.seq > 0 || state.run.phase !== 'none') return;
  if (state.queue.length > 0) draft.show('sleeping', 'input.accepted');
  else draft.emit({ type: 'session.status', status: 'ended', cause: 'session.created', causeSeq: state.base + 1 });
}
