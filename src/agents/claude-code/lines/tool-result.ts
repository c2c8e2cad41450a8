import type { Observation, RawImage } from '../../../protocol/observation.ts';
import { resultOf } from '../../formats/item-id.ts';
import { isObject } from '../../formats/shape.ts';
import { imageOf, isBlock, type ToolResult, textOf } from './blocks.ts';
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

/** What the CLI gives the model instead of a long output: its path and a preview of 2 KB (2.1.197 and 2.1.325, over 30,000 characters). */
const SAVED = /^<persisted-output>\n[^\n]*Full output saved to: ([^\n]+)\n\n[^\n]*\n([\s\S]*?)\n?(?:\.\.\.\n)?<\/persisted-output>\s*$/;

/** The folder in which the CLI saves outputs. A text that only looks like the CLI's must not make us read any other file. */
const OWN_FILE = /^\/(?:[^/]+\/)*projects\/[^/]+\/[0-9a-f-]{36}\/tool-results\/[\w-]+\.(?:txt|json)$/;

interface SavedOutput {
  /** As much of it as was printed, and where the rest is. */
  readonly output: string;
  readonly file?: string;
}

/** A long output that the CLI saved; undefined for every other. The structured result has up to 30,000 characters of it, but is missing in subagents. */
export function savedOutputOf(printed: string, details: unknown): SavedOutput | undefined {
  const [, path, preview] = SAVED.exec(printed) ?? [];
  if (path === undefined || preview === undefined) return undefined;
  const head = headOf(details) ?? preview;
  const isOwn = OWN_FILE.test(path) && !path.split('/').includes('..');
  return { output: `${head}\n[The output continues. All of it is in ${path}]`, ...(isOwn ? { file: path } : {}) };
}

function headOf(details: unknown): string | undefined {
  if (!isObject(details) || typeof details.stdout !== 'string') return undefined;
  return typeof details.stderr === 'string' && details.stderr !== '' ? `${details.stdout}\n${details.stderr}` : details.stdout;
}
