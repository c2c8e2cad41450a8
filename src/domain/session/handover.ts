import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { Draft } from './draft.ts';
import { endRun } from './end-run.ts';
import type { SessionState } from './state.ts';

/** What the agent is asked in a copy of the old conversation. */
const QUESTION =
  'This conversation is being handed over to a new one that knows nothing about it. Summarize what it must remember to continue: the goal, ' +
  'what was decided and why, what was changed (files), what is left to do, and what to watch out for. Answer with this summary only, and use no tools.';

const summaryRequestId = (state: SessionState): CommandId => `handover:${state.id}` as CommandId;

/** An existing summary is used at once; otherwise the agent is asked for one, before anything else. */
export function startHandover(draft: Draft): void {
  const { origin } = draft.state;
  if (origin?.kind !== 'handover' || origin.summary === undefined) return;
  const { how, text } = origin.summary;
  if (how !== 'agent') return draft.emit({ type: 'handover.ready', how, text });
  draft.emit({ type: 'input.accepted', commandId: summaryRequestId(draft.state), text: QUESTION, mode: 'queue', actor: SYSTEM });
}

/** The turn with the question is over. Its answer is the summary; if it failed, the extract is used. */
export function finishSummary(draft: Draft, commandId: CommandId | null, answer: string | undefined): void {
  if (draft.state.origin?.kind !== 'handover' || commandId !== summaryRequestId(draft.state)) return;
  if (answer === undefined || answer.trim() === '') fallBackToExtract(draft);
  else draft.emit({ type: 'handover.ready', how: 'agent', text: answer });
  endRun(draft, 'handover');
}

/** The process exited without an answer. */
export function abandonSummary(draft: Draft): void {
  if (draft.state.origin?.kind !== 'handover') return;
  const question = summaryRequestId(draft.state);
  if (draft.state.queue.some((input) => input.commandId === question)) {
    draft.emit({ type: 'input.cancelled', commandId: question, reason: 'the agent exited before it wrote the summary' });
  }
  fallBackToExtract(draft);
}

function fallBackToExtract(draft: Draft): void {
  const text = draft.state.origin?.summary?.text ?? '';
  draft.emit({ type: 'handover.ready', how: 'extract', text });
}
