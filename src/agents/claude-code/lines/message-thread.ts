import type { PartialObservation } from '../../../protocol/observation.ts';
import { ownProperty } from '../../formats/fold.ts';
import type { OpenBlock } from '../../formats/open-blocks.ts';
import { droppedOf } from '../../formats/open-blocks.ts';
import type { State, Thread } from './state.ts';

export const threadOf = (state: State, parent: string | null | undefined): Thread | null =>
  parent ? (ownProperty(state.subagents, parent) ?? null) : state.main;

export const withThread = (state: State, parent: string | null | undefined, thread: Thread): State =>
  parent ? { ...state, subagents: { ...state.subagents, [parent]: thread } } : { ...state, main: thread };

/** Moves the thread to this message; half-streamed text of the previous message is dropped. */
export function switchToMessage(thread: Thread | null, messageId: string): { readonly thread: Thread; readonly dropped: readonly PartialObservation[] } {
  if (thread?.messageId === messageId) return { thread, dropped: [] };
  return { thread: { messageId, next: 0, open: [] }, dropped: droppedOf(thread?.open ?? []) };
}

/**
 * Finds the index of a finished block in its message: the CLI prints one line per block and doesn't number them.
 * A streamed block is matched by kind and length, so that its item keeps the id under which its text was shown.
 */
export function takeBlockIndex(
  thread: Thread,
  kind: OpenBlock['kind'],
  chars: number,
  toolUseId?: string,
): { readonly thread: Thread; readonly index: number } {
  const candidates = thread.open.filter((block) => block.kind === kind);
  const streamed =
    toolUseId === undefined ? (candidates.find((block) => block.chars === chars) ?? candidates[0]) : candidates.find((block) => block.itemId === toolUseId);
  if (streamed === undefined) return { thread: { ...thread, next: thread.next + 1 }, index: thread.next };
  const open = thread.open.filter((block) => block !== streamed);
  return { thread: { ...thread, next: Math.max(thread.next, streamed.index + 1), open }, index: streamed.index };
}
