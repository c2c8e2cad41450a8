import type { Reader } from '../formats/fold.ts';
import { emit, emitNothing, readerFor } from '../formats/fold.ts';
import type { OpenBlock } from '../formats/open-blocks.ts';
import { pieceOf, withPiece } from '../formats/open-blocks.ts';
import type { State, Step } from './state.ts';
import { MessageUpdate } from './wire.ts';

export const STREAM_LINES: Readonly<Record<string, Reader<State>>> = { message_update: readerFor(MessageUpdate, updated) };

/** The start of a delta as 0.73.1 prints it. The complete message follows twice in the same line, and is skipped. */
const PIECE =
  /^\{"type":"message_update","assistantMessageEvent":\{"type":"(?:text|thinking|toolcall)_delta","contentIndex":(\d{1,6}),"delta":("(?:[^"\\]|\\.)*")/;

/** The hot path: parsing the complete line for each delta would take quadratic time. */
export function pieceGrew(state: State, raw: string): Step | undefined {
  const [, index, quoted] = PIECE.exec(raw) ?? [];
  if (index === undefined || quoted === undefined || !raw.endsWith('}')) return undefined;
  return grew(state, Number(index), String(JSON.parse(quoted)));
}

function updated(state: State, { assistantMessageEvent: event }: MessageUpdate): Step {
  const { type, contentIndex: index, delta } = event;
  if (index === undefined) return emitNothing(state);
  if (delta !== undefined && type.endsWith('_delta')) return grew(state, index, delta);
  const kind = type.endsWith('_start') ? KINDS[type.slice(0, -'_start'.length)] : undefined;
  return kind === undefined ? emitNothing(state) : opened(state, index, kind, event);
}

const KINDS: Readonly<Record<string, OpenBlock['kind'] | undefined>> = { text: 'text', thinking: 'thinking', toolcall: 'tool_input' };

function opened(state: State, index: number, kind: OpenBlock['kind'], event: MessageUpdate['assistantMessageEvent']): Step {
  const { message } = state;
  if (message === null || message.open.some((block) => block.index === index)) return emitNothing(state);
  const partial = event.partial?.content[index];
  const toolName = event.toolName ?? partial?.name;
  const itemId = (kind === 'tool_input' ? (event.id ?? partial?.id) : undefined) ?? `${message.id}:${index}`;
  const block: OpenBlock = { index, kind, itemId, chars: 0, ...(kind === 'tool_input' && toolName !== undefined ? { toolName } : {}) };
  return emitNothing({ ...state, message: { ...message, open: [...message.open, block] } });
}

function grew(state: State, index: number, text: string): Step {
  const { message } = state;
  const block = message?.open.find((candidate) => candidate.index === index);
  if (message === null || block === undefined || text === '') return emitNothing(state);
  return emit({ ...state, message: { ...message, open: withPiece(message.open, block, text) } }, pieceOf(message.id, block, text));
}
