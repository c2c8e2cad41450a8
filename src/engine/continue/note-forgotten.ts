import type { SessionActor } from '../loop/session-actor.ts';
import { recordText } from './agent-record.ts';

export const NOT_WRITTEN = 'the agent ended before it saved this turn';
const CONTINUED_ELSEWHERE = 'the conversation was continued from an earlier message';

/** The agent has forgotten what its record lacks, and what is not on the branch that it would continue. */
export function noteForgottenIn(session: SessionActor, text: string): void {
  const known = idsOnBranch(session, text);
  noteForgotten(session, (inputId) => !known?.has(inputId) && session.adapter.memory?.recall(text, inputId) === 'absent', NOT_WRITTEN);
  if (known !== undefined) noteForgotten(session, (inputId) => !known.has(inputId), CONTINUED_ELSEWHERE);
}

export function noteForgotten(session: SessionActor, isForgotten: (inputId: string) => boolean, reason: string): void {
  const forgotten = session.state.remembered.filter((commandId) => isForgotten(session.adapter.inputId(commandId)));
  if (forgotten.length === 0) return;
  session.note((draft) => {
    for (const commandId of forgotten) draft.emit({ type: 'context.forgotten', commandId, reason });
  });
}

/** Another program may have continued from an earlier message: which of our turns does the agent still know? */
export async function noteForgottenBranch(session: SessionActor, agentSessionId: string): Promise<void> {
  if (session.state.remembered.length === 0 || session.state.agentSessionId !== agentSessionId) return;
  const text = await recordText(session, agentSessionId);
  if (text !== undefined && session.state.agentSessionId === agentSessionId) noteForgottenIn(session, text);
}

/** The messages on the branch that the agent would continue. Stops once all expected ones are found: they are recent, so a long record is not read to its start. */
function idsOnBranch(session: SessionActor, text: string): ReadonlySet<string> | undefined {
  const { past } = session.adapter;
  if (past === undefined) return undefined;
  const expected = new Set(session.state.remembered.map((commandId) => session.adapter.inputId(commandId)));
  const known = new Set<string>();
  if (expected.size === 0) return known;
  for (const { id } of past.backwards(text)) {
    known.add(id);
    if (expected.delete(id) && expected.size === 0) break;
  }
  return known;
}
