import { isQuestionOpen } from '../domain/permission/tool-ask.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { ToolCall } from './engine.ts';
import type { EngineContext } from './loop/engine-context.ts';

export function toolCallsOf({ sessions }: EngineContext, only?: SessionId): readonly ToolCall[] {
  const some = only === undefined ? [...sessions.values()] : [sessions.get(only)];
  return some.flatMap((session): readonly ToolCall[] => {
    if (session === undefined || session.state.deleted) return [];
    const { state } = session;
    const open = state.asks.map((ask) => ({ ...callOf(state.id, ask), isQuestionOpen: isQuestionOpen(state, ask), isApproved: ask.isApproved }));
    const answered = state.answeredAsks.map((ask) => ({
      ...callOf(state.id, ask),
      isQuestionOpen: false,
      isApproved: false,
      answer: { outcome: ask.outcome, text: ask.text },
    }));
    return [...open, ...answered];
  });
}

const callOf = (sessionId: SessionId, { askId, tool, input }: Pick<ToolCall, 'askId' | 'tool' | 'input'>) => ({ sessionId, askId, tool, input });

/** Two callers can wait for the same call. */
export function holdToolCall({ toolCalls }: EngineContext, askId: string): () => void {
  let isHeld = true;
  toolCalls.set(askId, (toolCalls.get(askId) ?? 0) + 1);
  return () => {
    if (!isHeld) return;
    isHeld = false;
    const left = (toolCalls.get(askId) ?? 1) - 1;
    if (left > 0) toolCalls.set(askId, left);
    else toolCalls.delete(askId);
  };
}
