import type { PartialObservation } from '../../../protocol/observation.ts';
import type { OpenBlock, State, Thread } from '../state.ts';
import { lookUp } from '../state.ts';

export const threadOf = (state: State, parent: string | null | undefined): Thread | null => (parent ? (lookUp(state.subagents, parent) ?? null) : state.main);

export const withThread = (state: State, parent: string | null | undefined, thread: Thread): State =>
  parent ? { ...state, subagents: { ...state.subagents, [parent]: thread } } : { ...state, main: thread };

/** The thread at this message; when it was at another one, what that one left half-streamed is dropped. */
export function turnTo(thread: Thread | null, messageId: string): { readonly thread: Thread; readonly dropped: readonly PartialObservation[] } {
  if (thread?.messageId === messageId) return { thread, dropped: [] };
  return { thread: { messageId, next: 0, open: [] }, dropped: droppedOf(thread) };
}

/** What was shown of blocks that never became items. */
export const droppedOf = (thread: Thread | null): readonly PartialObservation[] =>
  (thread?.open ?? []).filter((block) => block.chars > 0).map((block) => ({ type: 'delta.dropped', itemId: block.itemId }));

/**
 * Which block of its message a finished block is: the CLI prints one line per block and does not number them.
 * A streamed one is found by its kind and length, so that its item keeps the id under which its text was shown.
 */
export function place(thread: Thread, kind: OpenBlock['kind'], chars: number, toolUseId?: string): { readonly thread: Thread; readonly index: number } {
  const candidates = thread.open.filter((block) => block.kind === kind);
  const streamed =
    toolUseId === undefined ? (candidates.find((block) => block.chars === chars) ?? candidates[0]) : candidates.find((block) => block.itemId === toolUseId);
  if (streamed === undefined) return { thread: { ...thread, next: thread.next + 1 }, index: thread.next };
  const open = thread.open.filter((block) => block !== streamed);
  return { thread: { ...thread, next: Math.max(thread.next, streamed.index + 1), open }, index: streamed.index };
}
