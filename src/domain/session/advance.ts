import type { CommandId } from '../../protocol/ids.ts';
import { nextToDeliver } from '../queue/queue.ts';
import type { Draft } from './draft.ts';
import type { SessionState } from './state.ts';
import { WAITS_FOR_SLOT } from './status.ts';

/** After this many crashes in a row without a finished turn the queue is paused: sending again would not fix it. */
export const DEATHS_BEFORE_HOLD = 3;

/** Does what the state now allows: opens a run when a message is queued, delivers the next message when the agent is free. */
export function advance(draft: Draft, why: string): void {
  if (draft.state.deleted || draft.state.born === null) return;
  if (draft.state.run.phase === 'none') openRunIfNeeded(draft, why);
  deliverNext(draft);
}

/** Only these restart a session that was stopped: a person asked for it. */
const STARTED_BY_PERSON: ReadonlySet<string> = new Set(['session.create', 'input.send', 'session.wake', 'continuation.ended']);

/** Opens a run unless the queue is empty, another program has the conversation open, no slot is free, or the agent keeps crashing. */
function openRunIfNeeded(draft: Draft, why: string): void {
  if (draft.state.status.status === 'ended' && !STARTED_BY_PERSON.has(why)) return;
  if (draft.state.queue.length === 0 || draft.state.driver !== null || draft.state.deaths >= DEATHS_BEFORE_HOLD) return;
  if (!draft.now.hasFreeSlot) {
    if (draft.state.status.cause !== WAITS_FOR_SLOT) draft.show('starting', WAITS_FOR_SLOT);
    return;
  }
  openRun(draft, why);
}

/** Opens a run, whether or not a message is queued. */
export function openRun(draft: Draft, reason: string): void {
  const run = draft.now.freshRun;
  const opening = openingOf(draft.state, draft.now.freshAgentSessionId);
  draft.emit({ type: 'run.opened', run, ...opening, reason });
  draft.effect({ type: 'launch', run, ...opening });
}

/** How the next process finds its conversation. */
export interface RunOpening {
  readonly mode: 'new' | 'resume' | 'fork';
  /** The conversation it will write. */
  readonly agentSessionId: string;
  /** Of a fork: the one it copies. */
  readonly from?: string;
  readonly afterMessage?: string;
}

function openingOf({ origin, hasHistory, agentSessionId }: SessionState, fresh: string): RunOpening {
  if (hasHistory && agentSessionId !== null) return { mode: 'resume', agentSessionId };
  if (origin === null) return { mode: 'new', agentSessionId: agentSessionId ?? fresh };
  const after = origin.afterMessage === undefined ? {} : { afterMessage: origin.afterMessage };
  if (origin.kind === 'resume') return { mode: 'resume', agentSessionId: origin.agentSessionId, ...after };
  // A new id each time: the one of a failed attempt can already be in use.
  return { mode: 'fork', agentSessionId: fresh, from: origin.agentSessionId, ...after };
}

export function deliverNext(draft: Draft): void {
  const { state, now } = draft;
  const isOpen = state.run.phase === 'ready' || (state.run.phase === 'opened' && !waitsForReady(draft));
  if (!isOpen || state.turn.phase === 'running' || state.driver !== null || state.reverting !== undefined || !now.hasDiskSpace) return;
  const next = nextToDeliver(state.queue);
  if (next !== undefined) deliverNow(draft, next.commandId);
}

/** Some agents report an id in the handshake that every input must name. */
export const waitsForReady = ({ state, now }: Draft): boolean => state.born !== null && (now.inputAfterReady?.(state.born.agent) ?? false);

export function deliverNow(draft: Draft, commandId: CommandId): void {
  const { run } = draft.state;
  if (run.phase === 'none') return;
  draft.emit({ type: 'input.delivered', commandId, run: run.run });
  draft.effect({ type: 'send-input', run: run.run, commandId });
}
