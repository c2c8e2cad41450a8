import type { Move, TodoCount } from '../../protocol/api/panel.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { requestText } from '../permission/request-text.ts';
import { callText } from '../transcript/call-text.ts';
import { failureText, isFailedTurn, turnOutcome } from '../transcript/outcomes.ts';
import { toolKind } from '../transcript/tool-kind.ts';

/** Nobody reads longer text on the panel; the transcript has all of it. */
const CHARS = 90;

/** The move that an event makes on the panel, if any. Inherited events are drawn on the line of the session in which they happened. */
export function moveOf(event: Event): Move | undefined {
  if (event.inherited === true || event.elsewhere === true) return undefined;
  const head = { seq: event.seq, at: Date.parse(event.at) };
  switch (event.type) {
    case 'session.created':
      return { type: 'born', ...head, ...(event.parent !== undefined && { parent: event.parent.sessionId as SessionId }) };
    case 'turn.started':
      return { type: 'began', ...head };
    case 'turn.completed':
      return { type: 'ended', ...head, ...endOf(event) };
    case 'tool.started':
      return event.parentToolUseId === undefined ? { type: 'called', ...head, ...callOf(event) } : undefined;
    case 'tool.completed':
      return event.parentToolUseId === undefined ? { type: 'returned', ...head, id: event.toolUseId, failed: event.isError } : undefined;
    case 'permission.requested':
      return {
        type: 'asked',
        ...head,
        id: event.requestId,
        what: clip(requestText(event)),
        ...(event.toolUseId !== undefined && { call: event.toolUseId }),
      };
    case 'permission.resolved':
      return { type: 'answered', ...head, id: event.requestId, how: event.outcome };
    case 'session.status':
      return { type: 'stood', ...head, status: event.status, why: clip(event.cause) };
    case 'context.compacted':
      return event.failed === undefined ? { type: 'compacted', ...head, ...sizesOf(event) } : undefined;
    default:
      return undefined;
  }
}

const ENDS = { done: 'done', failed: 'failed', crashed: 'crashed', interrupted: 'stopped' } as const;

function endOf(event: EventOf<'turn.completed'>) {
  const { durationMs } = event;
  return {
    how: ENDS[turnOutcome(event)],
    ...(isFailedTurn(event) && { words: clip(failureText(event)) }),
    ...(durationMs !== undefined && { forMs: Math.round(durationMs) }),
  };
}

function callOf({ toolUseId, name, input }: EventOf<'tool.started'>) {
  const todo = todoCount(name, input);
  return { id: toolUseId, what: clip(callText(name, input)), ...(todo !== undefined && { todo }) };
}

const sizesOf = ({ preTokens, postTokens }: EventOf<'context.compacted'>) => ({
  ...(preTokens !== undefined && { before: preTokens }),
  ...(postTokens !== undefined && { after: postTokens }),
});

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > CHARS ? `${line.slice(0, CHARS - 1)}…` : line;
}

const DONE: ReadonlySet<unknown> = new Set(['completed', 'complete', 'done']);

/** The progress of the to-do list that this call writes; undefined for any other call. */
function todoCount(name: string, input: Readonly<Record<string, unknown>>): TodoCount | undefined {
  const list = toolKind(name, input) === 'todo' ? (Object.values(input).find(Array.isArray) as unknown) : undefined;
  if (!Array.isArray(list) || list.length === 0 || !list.every(hasStatus)) return undefined;
  return { done: list.filter((todo) => DONE.has(todo.status)).length, total: list.length };
}

const hasStatus = (todo: unknown): todo is { readonly status: unknown } => typeof todo === 'object' && todo !== null && 'status' in todo;
