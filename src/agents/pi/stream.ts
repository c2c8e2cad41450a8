import type { PartialObservation } from '../../protocol/observation.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import type { OpenBlock, State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import { MessageUpdate } from './wire.ts';

export const STREAM_LINES: Readonly<Record<string, LineKind>> = { message_update: line(MessageUpdate, updated) };

/** The start of a piece as 0.73.1 prints it. The whole message follows twice in the same line, and is not looked at. */
const PIECE =
  /^\{"type":"message_update","assistantMessageEvent":\{"type":"(?:text|thinking|toolcall)_delta","contentIndex":(\d{1,6}),"delta":("(?:[^"\\]|\\.)*")/;

/** The hot path: reading a whole line for each piece would take time that grows with the square of the answer. */
export function pieceGrew(state: State, raw: string): Step | undefined {
  const [, index, quoted] = PIECE.exec(raw) ?? [];
  if (index === undefined || quoted === undefined || !raw.endsWith('}')) return undefined;
  return grew(state, Number(index), String(JSON.parse(quoted)));
}

function updated(state: State, { assistantMessageEvent: event }: MessageUpdate): Step {
  const { type, contentIndex: index, delta } = event;
  if (index === undefined) return nothing(state);
  if (delta !== undefined && type.endsWith('_delta')) return grew(state, index, delta);
  const kind = type.endsWith('_start') ? KINDS[type.slice(0, -'_start'.length)] : undefined;
  return kind === undefined ? nothing(state) : opened(state, index, kind, event);
}

const KINDS: Readonly<Record<string, OpenBlock['kind'] | undefined>> = { text: 'text', thinking: 'thinking', toolcall: 'tool_input' };

function opened(state: State, index: number, kind: OpenBlock['kind'], event: MessageUpdate['assistantMessageEvent']): Step {
  const { message } = state;
  if (message === null || message.open.some((block) => block.index === index)) return nothing(state);
  const partial = event.partial?.content[index];
  const toolName = event.toolName ?? partial?.name;
  const itemId = (kind === 'tool_input' ? (event.id ?? partial?.id) : undefined) ?? `${message.id}:${index}`;
  const block: OpenBlock = { index, kind, itemId, chars: 0, ...(kind === 'tool_input' && toolName !== undefined ? { toolName } : {}) };
  return nothing({ ...state, message: { ...message, open: [...message.open, block] } });
}

function grew(state: State, index: number, text: string): Step {
  const { message } = state;
  const block = message?.open.find((candidate) => candidate.index === index);
  if (message === null || block === undefined || text === '') return nothing(state);
  const grown = { ...block, chars: block.chars + text.length };
  const open = message.open.map((other) => (other === block ? grown : other));
  return tell({ ...state, message: { ...message, open } }, pieceOf(message.id, block, text));
}

const pieceOf = (messageId: string, { itemId, index, kind, chars: offset, toolName }: OpenBlock, text: string): PartialObservation => ({
  type: 'delta',
  itemId,
  messageId,
  index,
  kind,
  text,
  offset,
  ...(toolName === undefined ? {} : { toolName }),
});
