import type { RawImage } from '../../../protocol/observation.ts';
import { isObject } from './wire.ts';

/** A piece of a message, printed or kept in a record. Looked at by hand, because records have gigabytes of these and a schema would copy each. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolResult {
  readonly tool_use_id: string;
  readonly content?: unknown;
  readonly is_error?: boolean | undefined;
}

/** As long as the id of an item may be, with room for what is added to it. */
const ID_CHARS = 200;
export const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= ID_CHARS;

export const isBlock = (value: unknown): value is Block => isObject(value) && typeof value.type === 'string';

export const textOf = (block: Block): string | undefined => (block.type === 'text' && typeof block.text === 'string' ? block.text : undefined);

/** The API hides some thinking: that there was some is all one can tell. */
export function thinkingOf(block: Block): string | undefined {
  if (block.type === 'redacted_thinking') return '';
  return block.type === 'thinking' && typeof block.thinking === 'string' ? block.thinking : undefined;
}

/** Of whatever kind: tools of the API itself have types of their own. */
export const isToolUse = (block: Block): block is Block & ToolUse => isId(block.id) && typeof block.name === 'string' && isObject(block.input);

export const isToolResult = (block: Block): block is Block & ToolResult =>
  isId(block.tool_use_id) && (block.is_error === undefined || typeof block.is_error === 'boolean');

export function imageOf({ type, source }: Block): RawImage | undefined {
  if (type !== 'image' || !isObject(source) || source.type !== 'base64') return undefined;
  const { media_type, data } = source;
  return typeof media_type === 'string' && typeof data === 'string' ? { mediaType: media_type, base64: data } : undefined;
}
