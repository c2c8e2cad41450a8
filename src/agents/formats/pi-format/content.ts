import type { RawImage } from '../../../protocol/observation.ts';
import type { PiContent } from './message.ts';
import { isImageBlock, isTextBlock } from './message.ts';

/** Text and images of content that is a string or blocks; any other block is shown as JSON. */
export function contentOf(content: PiContent | undefined): { readonly text: string; readonly images: readonly RawImage[] } {
  if (content === undefined || typeof content === 'string') return { text: content ?? '', images: [] };
  const texts: string[] = [];
  const images: RawImage[] = [];
  for (const block of content) {
    if (block.type === 'text' && isTextBlock(block)) texts.push(block.text);
    else if (block.type === 'image' && isImageBlock(block)) images.push({ mediaType: block.mimeType, base64: block.data });
    else texts.push(JSON.stringify(block));
  }
  return { text: texts.join('\n'), images };
}

/** The agent's own time of a message, in milliseconds; empty when it isn't a valid time. */
export function stampOf(timestamp: number | undefined): { readonly agentAt?: string } {
  const date = new Date(timestamp ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? {} : { agentAt: date.toISOString() };
}
