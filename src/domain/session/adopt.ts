import type { Refusal } from '../../protocol/command.ts';
import type { AgentId } from '../../protocol/ids.ts';
import type { Draft } from './draft.ts';
import { foundDriver } from './driver.ts';
import { evolve } from './evolve.ts';
import type { Driver, SessionState } from './state.ts';

/** A past session to adopt: its events up to `base` stay in the agent's own record. */
export interface AdoptedPast {
  readonly base: number;
  readonly agent: AgentId;
  readonly agentSessionId: string;
  readonly cwd: string;
  readonly title?: string;
}

interface AdoptionContext {
  readonly node: string;
  readonly closed?: boolean;
  readonly driver?: Driver;
}

/** The session becomes one of ours under its existing id. None of its past is copied. */
export function adopt(draft: Draft, past: AdoptedPast, { node, closed, driver }: AdoptionContext): void {
  draft.emit({ ...createdEvent(past), node, owner: draft.now.actor?.name ?? 'nobody' });
  if (closed === true) draft.emit({ type: 'meta.changed', closed: true });
  if (driver !== undefined) foundDriver(draft, driver);
}

/** The state right after adoption. */
export const adoptedState = (state: SessionState, past: AdoptedPast): SessionState => ({
  ...evolve(state, { ...createdEvent(past), node: '', owner: '', seq: past.base + 1, at: '' }),
  seq: past.base,
});

const createdEvent = ({ base, agent, agentSessionId, cwd, title }: AdoptedPast) =>
  ({
    type: 'session.created',
    agent,
    cwd,
    options: {},
    origin: { kind: 'resume', agentSessionId },
    base,
    ...(title !== undefined && { title }),
  }) as const;

/** Its record would bring it back, without what was sent and noted here since. */
export const RECORD_NOT_DELETED: Refusal = {
  refused: 'not-supported',
  message: 'This session is stored in the agent’s own files, which Signalbox does not delete. Archive it to hide it.',
};

/** A session adopted without a process has ended until someone continues it; with a queued message it sleeps instead. */
export function settleAdopted(draft: Draft): void {
  const { state } = draft;
  if (state.base === 0 || state.status.seq > 0 || state.run.phase !== 'none') return;
  if (state.permissions.length > 0 || state.terminal?.idleSince !== undefined) return; // Its status follows from that.
  if (state.queue.length > 0) draft.show('sleeping', 'input.accepted');
  else draft.emit({ type: 'session.status', status: 'ended', cause: 'session.created', causeSeq: state.base + 1 });
}
