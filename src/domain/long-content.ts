import type { BlobRef, ImageRef } from '../protocol/event.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { KeptObservation, RawImage } from '../protocol/observation.ts';

/** No real input is nested deeper. Anything below is replaced by a marker, so that recursive code cannot overflow the stack. */
export const DEEPEST = 100;
export const DEEPER = '…';

/** Stores content that is too long for an event and returns a reference to it. */
export interface BlobSink {
  text(whole: string): BlobRef;
  image(base64: string): BlobRef;
}

/** An observation whose long strings have become blobs with their heads in place, and whose images are blobs. */
export function prepareObservation<T extends KeptObservation>(sink: BlobSink, observation: T): T {
  const refs: Record<string, BlobRef> = {};
  const { rawImages, ...body } = observation;
  const clipped = clip(sink, body, '', refs, 0) as T;
  const images = rawImages?.map((image) => imageRef(sink, image));
  return { ...clipped, ...(Object.keys(refs).length > 0 && { blobs: refs }), ...(images !== undefined && { images }) };
}

/** The same for an event that people caused: its long strings become blobs. */
export function storeLong<T extends object>(sink: BlobSink, body: T): T & { readonly blobs?: Record<string, BlobRef> } {
  const refs: Record<string, BlobRef> = {};
  const clipped = clip(sink, body, '', refs, 0) as T;
  return { ...clipped, ...(Object.keys(refs).length > 0 && { blobs: refs }) };
}

export const imageRef = (sink: BlobSink, image: RawImage): ImageRef => ({ mediaType: image.mediaType, ...sink.image(image.base64) });

/** There are never more characters than bytes, and never more than three bytes per character: the cheap test comes first. */
export const isLong = (text: string): boolean =>
  text.length > LIMITS.inlineBytes || (text.length * 3 > LIMITS.inlineBytes && new TextEncoder().encode(text).length > LIMITS.inlineBytes);

/** Whether it is nested deeper than what we store. */
export function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > DEEPEST || Object.values(value).some((item) => isDeep(item, depth + 1));
}

function clip(sink: BlobSink, value: unknown, path: string, refs: Record<string, BlobRef>, depth: number): unknown {
  if (typeof value === 'string') {
    if (!isLong(value)) return value;
    refs[path] = sink.text(value);
    return headOf(value);
  }
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEEPEST) return DEEPER;
  if (Array.isArray(value)) return value.map((item, index) => clip(sink, item, join(path, String(index)), refs, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clip(sink, item, join(path, key), refs, depth + 1)]));
}

/** Copied, because a slice would keep the whole text in memory. */
function headOf(text: string): string {
  const head: unknown = JSON.parse(JSON.stringify(text.slice(0, LIMITS.inlineHeadChars)));
  return typeof head === 'string' ? head : '';
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
