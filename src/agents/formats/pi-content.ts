import type { RawImage } from '../../protocol/observation.ts';
import type { PiContent } from './pi-message.ts';
import { isImageBlock, isTextBlock } from './pi-message.ts';

/** Text and images of a content that is a string or blocks; any other block is shown as the JSON it is. */
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

/** The agent's own time of a message, which is in milliseconds; nothing when it cannot be a time. */
export function stampOf(timestamp: number | undefined): { readonly agentAt?: string } {
  const date = new Date(timestamp ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? {} : { agentAt: date.toISOString() };
}
