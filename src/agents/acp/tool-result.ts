import * as z from 'zod/mini';
import type { FileChange } from '../../protocol/event.ts';
import type { Observation, RawImage } from '../../protocol/observation.ts';
import { resultOf } from '../formats/item-id.ts';
import type { OpenTool } from './state.ts';
import { plainText } from './text-blocks.ts';
import type { Content as ContentBlock, ToolCall } from './wire.ts';
import { Content } from './wire.ts';

const Part = z.looseObject({ type: z.literal('content'), content: Content });
const RawOutput = z.looseObject({ output: z.optional(z.string()), error: z.optional(z.string()) });

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
    return parsed.success ? [parsed.data.content] : [];
  });
}

const imageOf = ({ type, data, mimeType }: ContentBlock): readonly RawImage[] =>
  type === 'image' && data !== undefined && mimeType ? [{ mediaType: mimeType, base64: data }] : [];

/** The text for people, else the tool's raw output, else what it printed. */
function outputOf({ rawOutput }: ToolCall, parts: readonly ContentBlock[], { printed }: OpenTool): string {
  const shown = parts
    .filter(({ type }) => type !== 'image')
    .map(plainText)
    .join('\n');
  return shown || rawText(rawOutput) || printed;
}

function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  if (typeof raw === 'string') return raw;
  const parsed = z.safeParse(RawOutput, raw);
  return (parsed.success ? (parsed.data.output ?? parsed.data.error) : undefined) ?? JSON.stringify(raw);
}
