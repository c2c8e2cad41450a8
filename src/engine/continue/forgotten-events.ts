import type { SessionBox } from '../loop/session-actor.ts';
import { memoryText } from './agent-record.ts';

export const NOT_WRITTEN = 'the agent ended before it had written this turn into its own memory';
const WENT_ON_ELSEWHERE = 'the conversation went on from an earlier message, and the agent follows that way';

/** What the agent's own record lacks, it has forgotten; and what lies beside the way that it would go on. */
export function noteForgottenIn(box: SessionBox, text: string): void {
  const known = onTheWay(box, text);
  noteForgotten(box, (inputId) => !known?.has(inputId) && box.adapter.memory?.recall(text, inputId) === 'absent', NOT_WRITTEN);
  if (known !== undefined) noteForgotten(box, (inputId) => !known.has(inputId), WENT_ON_ELSEWHERE);
}

export function noteForgotten(box: SessionBox, isForgotten: (inputId: string) => boolean, reason: string): void {
  const lost = box.state.remembered.filter((commandId) => isForgotten(box.adapter.inputId(commandId)));
  if (lost.length === 0) return;
  box.note((draft) => {
    for (const commandId of lost) draft.emit({ type: 'context.forgotten', commandId, reason });
  });
}

/** Another program may have gone on from an earlier message: which of our turns does the agent still know? */
export async function noteOtherWay(box: SessionBox, agentSessionId: string): Promise<void> {
  if (box.state.remembered.length === 0 || box.state.agentSessionId !== agentSessionId) return;
  const text = await memoryText(box, agentSessionId);
  if (text !== undefined && box.state.agentSessionId === agentSessionId) noteForgottenIn(box, text);
}

/** Which of the messages that the agent should know it would go on from. They are its last, so a long record is not read to its beginning. */
function onTheWay(box: SessionBox, text: string): ReadonlySet<string> | undefined {
  const { past } = box.adapter;
  if (past === undefined) return undefined;
  const sought = new Set(box.state.remembered.map((commandId) => box.adapter.inputId(commandId)));
  const known = new Set<string>();
  if (sought.size === 0) return known;
  for (const { id } of past.backwards(text)) {
    known.add(id);
    if (sought.delete(id) && sought.size === 0) break;
  }
  return known;
}
