import type { RawImage } from '../../../protocol/observation.ts';
import { isObject, text } from '../../formats/shape.ts';

/** Text and images of content that is a string or parts; any other part is shown as JSON. */
export function contentOf(content: unknown): { readonly text: string; readonly images: readonly RawImage[] } {
  if (text(content)) return { text: content, images: [] };
  const texts: string[] = [];
  const images: RawImage[] = [];
  for (const part of Array.isArray(content) ? (content as readonly unknown[]) : []) {
    const image = isObject(part) ? imageIn(part.image_url) : undefined;
    if (isObject(part) && text(part.text)) texts.push(part.text);
    else if (image !== undefined) images.push(image);
    else texts.push(JSON.stringify(part));
  }
  return { text: texts.join('\n'), images };
}

export function imageIn(url: unknown): RawImage | undefined {
  const [, mediaType, base64] = text(url) ? (/^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []) : [];
  return mediaType === undefined || base64 === undefined ? undefined : { mediaType, base64 };
}
