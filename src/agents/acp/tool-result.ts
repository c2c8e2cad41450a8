import * as z from 'zod/mini';
import type { FileChange } from '../../protocol/event.ts';
import type { Observation, RawImage } from '../../protocol/observation.ts';
import { itemOf } from '../formats/item-id.ts';
import { wordsOf } from './speech.ts';
import type { OpenTool } from './state.ts';
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
    itemId: itemOf(`${call.toolCallId}:result`),
    parentItemId: itemOf(call.toolCallId),
    toolUseId: call.toolCallId,
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

/** What is meant for people, or else what the tool gave, or what it printed. */
function outputOf({ rawOutput }: ToolCall, parts: readonly ContentBlock[], { printed }: OpenTool): string {
  const shown = parts
    .filter(({ type }) => type !== 'image')
    .map(wordsOf)
    .join('\n');
  return shown || rawText(rawOutput) || printed;
}

function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  if (typeof raw === 'string') return raw;
  const parsed = z.safeParse(RawOutput, raw);
  return (parsed.success ? (parsed.data.output ?? parsed.data.error) : undefined) ?? JSON.stringify(raw);
}
