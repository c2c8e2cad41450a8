import type { RawImage } from '../../../protocol/observation.ts';
import { isObject } from '../../formats/shape.ts';

/** Part of a message, printed or in a record. Checked by hand, because records have gigabytes of these and a schema would copy each. */
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

/** Longest id allowed for an item, minus room for suffixes. */
const ID_CHARS = 200;
export const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= ID_CHARS;

export const isBlock = (value: unknown): value is Block => isObject(value) && typeof value.type === 'string';

export const textOf = (block: Block): string | undefined => (block.type === 'text' && typeof block.text === 'string' ? block.text : undefined);

/** The API redacts some thinking: all we know is that there was some. */
export function thinkingOf(block: Block): string | undefined {
  if (block.type === 'redacted_thinking') return '';
  return block.type === 'thinking' && typeof block.thinking === 'string' ? block.thinking : undefined;
}

/** Of any type: the API's own tools have their own block types. */
export const isToolUse = (block: Block): block is Block & ToolUse => isId(block.id) && typeof block.name === 'string' && isObject(block.input);

export const isToolResult = (block: Block): block is Block & ToolResult =>
  isId(block.tool_use_id) && (block.is_error === undefined || typeof block.is_error === 'boolean');

export function imageOf({ type, source }: Block): RawImage | undefined {
  if (type !== 'image' || !isObject(source) || source.type !== 'base64') return undefined;
  const { media_type, data } = source;
  return typeof media_type === 'string' && typeof data === 'string' ? { mediaType: media_type, base64: data } : undefined;
}
