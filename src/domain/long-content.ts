import type { BlobRef, ImageRef } from '../protocol/event.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { KeptObservation, RawImage } from '../protocol/observation.ts';

/** Takes content that is too long for an event, and names it. */
export interface BlobSink {
  text(whole: string): BlobRef;
  image(base64: string): BlobRef;
}

/** An observation whose long strings have become blobs with their heads in place, and whose images are blobs. */
export function prepareObservation<T extends KeptObservation>(sink: BlobSink, observation: T): T {
  const refs: Record<string, BlobRef> = {};
  const { rawImages, ...body } = observation;
  const clipped = clip(sink, body, '', refs) as T;
  const images = rawImages?.map((image) => imageRef(sink, image));
  return { ...clipped, ...(Object.keys(refs).length > 0 && { blobs: refs }), ...(images !== undefined && { images }) };
}

export const imageRef = (sink: BlobSink, image: RawImage): ImageRef => ({ mediaType: image.mediaType, ...sink.image(image.base64) });

/** Characters are never more than bytes, and bytes never more than three times them: the cheap test comes first. */
export const isLong = (text: string): boolean =>
  text.length > LIMITS.inlineBytes || (text.length * 3 > LIMITS.inlineBytes && new TextEncoder().encode(text).length > LIMITS.inlineBytes);

function clip(sink: BlobSink, value: unknown, path: string, refs: Record<string, BlobRef>): unknown {
  if (typeof value === 'string') {
    if (!isLong(value)) return value;
    refs[path] = sink.text(value);
    return value.slice(0, LIMITS.inlineHeadChars);
  }
  if (Array.isArray(value)) return value.map((item, index) => clip(sink, item, join(path, String(index)), refs));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clip(sink, item, join(path, key), refs)]));
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
