import type { CommandId } from '../../protocol/ids.ts';
import { nextToDeliver } from '../queue/queue.ts';
import type { Draft } from './draft.ts';
import type { SessionState } from './state.ts';
import { WAITS_FOR_PLACE } from './status.ts';

/** After this many deaths in a row without a finished turn the queue is held: something is wrong that sending again will not mend. */
export const DEATHS_BEFORE_HOLD = 3;

/** Goes on with whatever the state now allows: opens a run when something waits, gives the next message when the agent is free. */
export function drive(draft: Draft, why: string): void {
  if (draft.state.deleted || draft.state.born === null) return;
  if (draft.state.run.phase === 'none') openRun(draft, why);
  deliverNext(draft);
}

/** What ends the rest of a session that was stopped: somebody's wish, never a change of circumstances. */
const BY_HAND: ReadonlySet<string> = new Set(['session.create', 'input.send', 'session.wake', 'continuation.ended']);

/** Opens a run unless nothing waits for one, another program holds the conversation, there is no place, or the agent keeps dying. */
function openRun(draft: Draft, why: string): void {
  if (draft.state.status.status === 'ended' && !BY_HAND.has(why)) return;
  if (draft.state.queue.length === 0 || draft.state.driver !== null || draft.state.deaths >= DEATHS_BEFORE_HOLD) return;
  if (!draft.now.placeFree) {
    if (draft.state.status.cause !== WAITS_FOR_PLACE) draft.show('starting', WAITS_FOR_PLACE);
    return;
  }
  open(draft, why);
}

/** Opens a run whether or not something waits. */
export function open(draft: Draft, reason: string): void {
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
  // A fresh id each time: the one of an attempt that died may be in use already.
  return { mode: 'fork', agentSessionId: fresh, from: origin.agentSessionId, ...after };
}

export function deliverNext(draft: Draft): void {
  const { state, now } = draft;
  const isOpen = state.run.phase === 'ready' || (state.run.phase === 'opened' && !waitsForReady(draft));
  if (!isOpen || state.turn.phase === 'running' || state.driver !== null || !now.diskFree) return;
  const next = nextToDeliver(state.queue);
  if (next !== undefined) deliverNow(draft, next.commandId);
}

/** Its answer to the greeting names what an input must name. */
export const waitsForReady = ({ state, now }: Draft): boolean => state.born !== null && (now.inputAfterReady?.(state.born.agent) ?? false);

export function deliverNow(draft: Draft, commandId: CommandId): void {
  const { run } = draft.state;
  if (run.phase === 'none') return;
  draft.emit({ type: 'input.delivered', commandId, run: run.run });
  draft.effect({ type: 'send-input', run: run.run, commandId });
}
