import type * as z from 'zod/mini';
import type { PartialObservation } from '../../../protocol/observation.ts';
import type { OpenBlock, State, Step } from '../state.ts';
import { nothing, tell } from '../state.ts';
import type { LineKind } from './line.ts';
import { line, silent } from './line.ts';
import { threadOf, turnTo, withThread } from './thread.ts';
import { tokensOf } from './usage.ts';
import type { DeltaLine } from './wire.ts';
import { BlockStart, MessageDelta, MessageStart, pieceOf } from './wire.ts';

export const STREAM_LINES: Readonly<Record<string, LineKind>> = {
  'stream_event/message_start': line(MessageStart, 'nothing, or `delta.dropped` for what the message before left half-streamed', messageStarted),
  'stream_event/content_block_start': line(BlockStart, 'nothing; gives the block the id that its finished item will have', blockStarted),
  // All that have the shape of a piece go the short way, past this table.
  'stream_event/content_block_delta': { note: '`delta`; nothing for a signature', read: () => undefined },
  'stream_event/message_delta': line(MessageDelta, 'nothing; its usage counts towards the context', messageMeasured),
  'stream_event/content_block_stop': silent('the finished block has come before it'),
  'stream_event/message_stop': silent('every block has been closed before it'),
};

/** The hot path: one piece of text of a block that is being written. */
export function blockGrew(state: State, { event, parent_tool_use_id: parent }: DeltaLine): Step {
  const piece = pieceOf(event.delta);
  const thread = threadOf(state, parent);
  const block = thread?.open.find((candidate) => candidate.index === event.index);
  if (!piece || thread === null || block === undefined) return nothing(state);
  const grown = { ...block, chars: block.chars + piece.length };
  const open = thread.open.length === 1 ? [grown] : thread.open.map((other) => (other === block ? grown : other));
  return tell(withThread(state, parent, { messageId: thread.messageId, next: thread.next, open }), deltaOf(thread.messageId, block, piece, parent));
}

function deltaOf(messageId: string, block: OpenBlock, text: string, parent: string | null | undefined): PartialObservation {
  const { itemId, index, kind, chars: offset, toolName } = block;
  const delta: PartialObservation = { type: 'delta', itemId, messageId, index, kind, text, offset };
  if (toolName === undefined && !parent) return delta;
  return { ...delta, ...(toolName === undefined ? {} : { toolName }), ...(parent ? { parentToolUseId: parent } : {}) };
}

function messageStarted(state: State, started: z.infer<typeof MessageStart>): Step {
  const { thread, dropped } = turnTo(threadOf(state, started.parent_tool_use_id), started.event.message.id);
  return tell(withThread(state, started.parent_tool_use_id, thread), ...dropped);
}

function blockStarted(state: State, started: z.infer<typeof BlockStart>): Step {
  const thread = threadOf(state, started.parent_tool_use_id);
  const kind = kindOf(started.event.content_block.type);
  if (thread === null || kind === undefined) return nothing(state);
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
  return text ? tell(opened, deltaOf(thread.messageId, block, text, started.parent_tool_use_id)) : nothing(opened);
}

function kindOf(blockType: string): OpenBlock['kind'] | undefined {
  if (blockType === 'text') return 'text';
  if (blockType === 'thinking') return 'thinking';
  return blockType.endsWith('tool_use') ? 'tool_input' : undefined;
}

/** The assistant line carries provisional usage; the final one is only here. */
function messageMeasured(state: State, measured: z.infer<typeof MessageDelta>): Step {
  if (measured.parent_tool_use_id || !measured.event.usage) return nothing(state);
  return nothing({ ...state, contextTokens: tokensOf(measured.event.usage) || state.contextTokens });
}
