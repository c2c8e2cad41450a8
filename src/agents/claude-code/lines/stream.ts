import type * as z from 'zod/mini';
import type { PartialObservation } from '../../../protocol/observation.ts';
import { emit, emitNothing } from '../../formats/fold.ts';
import type { OpenBlock } from '../../formats/open-blocks.ts';
import { pieceOf, withPiece } from '../../formats/open-blocks.ts';
import type { LineKind } from './line.ts';
import { line, silent } from './line.ts';
import { switchToMessage, threadOf, withThread } from './message-thread.ts';
import type { State, Step } from './state.ts';
import { tokensOf } from './usage.ts';
import type { DeltaLine } from './wire.ts';
import { BlockStart, MessageDelta, MessageStart, pieceIn } from './wire.ts';

export const STREAM_LINES: Readonly<Record<string, LineKind>> = {
  'stream_event/message_start': line(MessageStart, 'nothing, or `delta.dropped` for half-streamed text of the previous message', messageStarted),
  'stream_event/content_block_start': line(BlockStart, 'nothing; sets the id that the finished item will have', blockStarted),
  // Well-formed deltas take the fast path and never reach this table.
  'stream_event/content_block_delta': { note: '`delta`; nothing for a signature', read: () => undefined },
  'stream_event/message_delta': line(MessageDelta, 'nothing; its usage counts towards the context', messageMeasured),
  'stream_event/content_block_stop': silent('the finished block was printed before it'),
  'stream_event/message_stop': silent('every block was closed before it'),
};

/** The hot path: one part of a block that is being streamed. */
export function blockGrew(state: State, { event, parent_tool_use_id: parent }: DeltaLine): Step {
  const piece = pieceIn(event.delta);
  const thread = threadOf(state, parent);
  const block = thread?.open.find((candidate) => candidate.index === event.index);
  if (!piece || thread === null || block === undefined) return emitNothing(state);
  const open = withPiece(thread.open, block, piece);
  return emit(withThread(state, parent, { messageId: thread.messageId, next: thread.next, open }), deltaOf(thread.messageId, block, piece, parent));
}

function deltaOf(messageId: string, block: OpenBlock, text: string, parent: string | null | undefined): PartialObservation {
  const piece = pieceOf(messageId, block, text);
  return parent ? { ...piece, parentToolUseId: parent } : piece;
}

function messageStarted(state: State, started: z.infer<typeof MessageStart>): Step {
  const { thread, dropped } = switchToMessage(threadOf(state, started.parent_tool_use_id), started.event.message.id);
  return emit(withThread(state, started.parent_tool_use_id, thread), ...dropped);
}

function blockStarted(state: State, started: z.infer<typeof BlockStart>): Step {
  const thread = threadOf(state, started.parent_tool_use_id);
  const kind = kindOf(started.event.content_block.type);
  if (thread === null || kind === undefined) return emitNothing(state);
  const { index, content_block: start } = started.event;
  const text = start.text || start.thinking || '';
  const block: OpenBlock = {
    index,
    kind,
    itemId: (kind === 'tool_input' && start.id) || `${thread.messageId}:${index}`,
    ...(kind === 'tool_input' && start.name ? { toolName: start.name } : {}),
    chars: 0,
  };
  const opened = withThread(state, started.parent_tool_use_id, { ...thread, open: [...thread.open, { ...block, chars: text.length }] });
  return text ? emit(opened, deltaOf(thread.messageId, block, text, started.parent_tool_use_id)) : emitNothing(opened);
}

function kindOf(blockType: string): OpenBlock['kind'] | undefined {
  if (blockType === 'text') return 'text';
  if (blockType === 'thinking') return 'thinking';
  return blockType.endsWith('tool_use') ? 'tool_input' : undefined;
}

/** The assistant line has provisional usage; the final usage is only here. */
function messageMeasured(state: State, measured: z.infer<typeof MessageDelta>): Step {
  if (measured.parent_tool_use_id || !measured.event.usage) return emitNothing(state);
  return emitNothing({ ...state, contextTokens: tokensOf(measured.event.usage) || state.contextTokens });
}
