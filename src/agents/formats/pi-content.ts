import * as z from 'zod/mini';
import type { RawImage } from '../../protocol/observation.ts';
import type { PiContent } from './pi-message.ts';
import { PiImageBlock, PiTextBlock } from './pi-message.ts';

/** Text and images of a content that is a string or blocks; any other block is shown as the JSON it is. */
export function contentOf(content: PiContent | undefined): { readonly text: string; readonly images: readonly RawImage[] } {
  if (content === undefined || typeof content === 'string') return { text: content ?? '', images: [] };
  const texts: string[] = [];
  const images: RawImage[] = [];
  for (const block of content) {
    const said = block.type === 'text' ? z.safeParse(PiTextBlock, block) : NEITHER;
    const shown = block.type === 'image' ? z.safeParse(PiImageBlock, block) : NEITHER;
    if (said.success) texts.push(said.data.text);
    else if (shown.success) images.push({ mediaType: shown.data.mimeType, base64: shown.data.data });
    else texts.push(JSON.stringify(block));
  }
  return { text: texts.join('\n'), images };
}

const NEITHER = { success: false } as const;

/** The agent's own time of a message, which is in milliseconds; nothing when it cannot be a time. */
export function stampOf(timestamp: number | undefined): { readonly agentAt?: string } {
  const date = new Date(timestamp ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? {} : { agentAt: date.toISOString() };
}
