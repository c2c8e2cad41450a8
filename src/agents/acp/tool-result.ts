import * as z from 'zod/mini';
import type { FileChange } from '../../protocol/event.ts';
import type { Observation, RawImage } from '../../protocol/observation.ts';
import { resultOf } from '../formats/item-id.ts';
import { isObject } from '../formats/shape.ts';
import type { OpenTool } from './state.ts';
import { plainText } from './text-blocks.ts';
import type { Content as ContentBlock, ToolCall } from './wire.ts';
import { Content } from './wire.ts';

const Part = z.looseObject({ type: z.literal('content'), content: Content });

export function completionOf(call: ToolCall, tool: OpenTool, change: FileChange | null): Observation {
  const parts = contentsOf(call);
  const rawImages = parts.flatMap(imageOf);
  const isError = call.status === 'failed';
  return {
    type: 'tool.completed',
    ...resultOf(call.toolCallId),
    output: outputOf(call, parts, tool),
    isError,
    ...(change === null || isError ? {} : { change }),
    ...(rawImages.length > 0 ? { rawImages } : {}),
  };
}

function contentsOf({ content }: ToolCall): readonly ContentBlock[] {
  return (content ?? []).flatMap((part) => {
    const parsed = z.safeParse(Part, part);
    if (parsed.success) return [parsed.data.content];
    // A diff is read separately, and a terminal has its output in `_meta`; anything else is shown as it is.
    return part.type === 'diff' || part.type === 'terminal' ? [] : [{ type: 'text', text: JSON.stringify(part) }];
  });
}

const imageOf = ({ type, data, mimeType }: ContentBlock): readonly RawImage[] =>
  type === 'image' && data !== undefined && mimeType ? [{ mediaType: mimeType, base64: data }] : [];

/** The text for people, else the tool's raw output, else what it printed. A diff says more than the raw output around it. */
function outputOf(call: ToolCall, parts: readonly ContentBlock[], { printed }: OpenTool): string {
  const shown = parts
    .filter(({ type }) => type !== 'image')
    .map(plainText)
    .join('\n');
  const isDiff = (call.content ?? []).some(({ type }) => type === 'diff');
  return shown || printed || (isDiff && call.status !== 'failed' ? '' : rawText(call.rawOutput));
}

/** Where agents put the text of a raw output (OpenCode, Copilot, Qwen Code, codex-acp, MCP servers); the first one that is there counts. */
const TEXT_FIELDS = ['output', 'aggregated_output', 'formatted_output', 'stdout', 'detailedContent', 'content', 'text', 'result', 'message', 'error'] as const;

function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  if (typeof raw === 'string') return raw;
  if (Array.isArray(raw)) return raw.map(rawText).join('\n');
  if (!isObject(raw)) return JSON.stringify(raw);
  for (const name of TEXT_FIELDS) {
    const value = raw[name];
    if (typeof value === 'string' && value !== '') return withErrors(value, raw.stderr);
    if (Array.isArray(value) && value.length > 0 && value.every((part) => isObject(part) && typeof part.text === 'string')) return rawText(value);
  }
  return JSON.stringify(raw, null, 2);
}

const withErrors = (output: string, errors: unknown): string => (typeof errors === 'string' && errors !== '' ? `${output}\n${errors}` : output);
