import type { Observation, RawImage } from '../../../protocol/observation.ts';
import { resultOf } from '../../formats/item-id.ts';
import { imageOf, isBlock, type ToolResult, textOf } from './blocks.ts';
import { savedOutputOf } from './saved-output.ts';
import { changeInText, changeOf } from './tool-change.ts';
import type { Envelope } from './wire.ts';
import { jsonOf, stamp } from './wire.ts';

interface Carrier extends Envelope {
  readonly parent_tool_use_id?: string | null | undefined;
}

/** `details` is the structured result that the CLI prints next to the text for the model; absent inside subagents. */
export function toolCompleted(carrier: Carrier, block: ToolResult, details: unknown): Observation {
  const { output: printed, images } = contentOf(block.content);
  const saved = savedOutputOf(printed, details);
  const output = saved?.output ?? printed;
  const isSilent = details === undefined && Boolean(carrier.parent_tool_use_id);
  const change = block.is_error ? undefined : isSilent ? changeInText(output) : changeOf(details);
  return {
    type: 'tool.completed',
    ...resultOf(block.tool_use_id),
    output,
    isError: block.is_error ?? false,
    ...(change ? { change } : {}),
    ...(saved?.file === undefined ? {} : { outputFile: saved.file }),
    ...(images.length > 0 ? { rawImages: images } : {}),
    ...(carrier.parent_tool_use_id ? { parentToolUseId: carrier.parent_tool_use_id } : {}),
    ...stamp(carrier),
  };
}

/** Text and images of content that is a string or blocks; any other block is shown as JSON. */
export function contentOf(content: unknown): { readonly output: string; readonly images: readonly RawImage[] } {
  if (content === undefined || content === null) return { output: '', images: [] };
  if (typeof content === 'string') return { output: content, images: [] };
  if (!Array.isArray(content)) return { output: jsonOf(content), images: [] };
  const texts: string[] = [];
  const images: RawImage[] = [];
  for (const block of content) {
    const text = isBlock(block) ? textOf(block) : undefined;
    const image = isBlock(block) ? imageOf(block) : undefined;
    if (image !== undefined) images.push(image);
    else texts.push(text ?? jsonOf(block));
  }
  return { output: texts.join('\n'), images };
}
