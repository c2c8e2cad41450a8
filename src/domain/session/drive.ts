import { nextToDeliver } from '../queue/queue.ts';
import type { Draft } from './draft.ts';
import { WAITS_FOR_PLACE } from './status.ts';

/** After this many deaths in a row without a finished turn the queue is held: something is wrong that sending again will not mend. */
export const DEATHS_BEFORE_HOLD = 3;

/** Goes on with whatever the state now allows: opens a run when something waits, gives the next message when the agent is free. */
export function drive(draft: Draft, why: string): void {
  if (draft.state.deleted || draft.state.born === null) return;
  if (draft.state.run.phase === 'none') openRun(draft, why);
  deliverNext(draft);
}

/** Opens a run unless nothing waits for one, there is no place, or the agent keeps dying. */
function openRun(draft: Draft, why: string): void {
  if (draft.state.queue.length === 0 || draft.state.deaths >= DEATHS_BEFORE_HOLD) return;
  if (!draft.now.placeFree) {
    if (draft.state.status.cause !== WAITS_FOR_PLACE) draft.show('starting', WAITS_FOR_PLACE);
    return;
  }
  open(draft, why);
}

/** Opens a run whether or not something waits. */
export function open(draft: Draft, reason: string): void {
  const { state, now } = draft;
  const mode = state.hasHistory ? 'resume' : 'new';
  const agentSessionId = state.agentSessionId ?? now.freshAgentSessionId;
  draft.emit({ type: 'run.opened', run: now.freshRun, mode, agentSessionId, reason });
  draft.effect({ type: 'launch', run: now.freshRun, mode });
}

function deliverNext(draft: Draft): void {
  const { state, now } = draft;
  const isOpen = state.run.phase === 'opened' || state.run.phase === 'ready';
  if (!isOpen || state.turn.phase === 'running' || !now.diskFree) return;
  const next = nextToDeliver(state.queue);
  if (next === undefined) return;
  draft.emit({ type: 'input.delivered', commandId: next.commandId, run: state.run.run });
  draft.effect({ type: 'send-input', run: state.run.run, commandId: next.commandId });
}
