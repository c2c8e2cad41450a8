import type { PreparedMessage } from '../domain/session/commands.ts';
import type { Journal } from '../journal/journal.ts';
import type { BlobRef, ImageRef } from '../protocol/event.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { KeptObservation, RawImage } from '../protocol/observation.ts';

type Blobs = Pick<Journal, 'putBlob' | 'blob'>;

/** A person's message with its long text and its images kept as blobs. */
export function prepareMessage(blobs: Blobs, text: string, images: readonly RawImage[]): PreparedMessage {
  const kept = images.map((image) => keepImage(blobs, image));
  if (!isLong(text)) return { text, images: kept };
  return { text: text.slice(0, LIMITS.inlineHeadChars), blob: blobs.putBlob(Buffer.from(text)), images: kept };
}

/** The whole text and the images again, for the agent. */
export function wholeMessage(blobs: Blobs, message: { readonly text: string; readonly blob: BlobRef | null; readonly images: readonly ImageRef[] }) {
  const text = message.blob === null ? message.text : textOf(blobs, message.blob.sha256);
  const images = message.images.map((image) => ({ mediaType: image.mediaType, base64: bytesOf(blobs, image.sha256).toString('base64') }));
  return { text, images };
}

/** An observation whose long strings have become blobs with their heads in place, and whose images are blobs. */
export function prepareObservation<T extends KeptObservation>(blobs: Blobs, observation: T): T {
  const refs: Record<string, BlobRef> = {};
  const { rawImages, ...body } = observation;
  const clipped = clip(blobs, body, '', refs) as T;
  const images = rawImages?.map((image) => keepImage(blobs, image));
  return { ...clipped, ...(Object.keys(refs).length > 0 && { blobs: refs }), ...(images !== undefined && { images }) };
}

function clip(blobs: Blobs, value: unknown, path: string, refs: Record<string, BlobRef>): unknown {
  if (typeof value === 'string') {
    if (!isLong(value)) return value;
    refs[path] = blobs.putBlob(Buffer.from(value));
    return value.slice(0, LIMITS.inlineHeadChars);
  }
  if (Array.isArray(value)) return value.map((item, index) => clip(blobs, item, join(path, String(index)), refs));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clip(blobs, item, join(path, key), refs)]));
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Characters are never more than bytes, and bytes never more than three times them: the cheap test comes first. */
const isLong = (text: string): boolean =>
  text.length > LIMITS.inlineBytes || (text.length * 3 > LIMITS.inlineBytes && Buffer.byteLength(text) > LIMITS.inlineBytes);

function keepImage(blobs: Blobs, image: RawImage): ImageRef {
  return { mediaType: image.mediaType, ...blobs.putBlob(Buffer.from(image.base64, 'base64')) };
}

const textOf = (blobs: Blobs, sha256: string): string => bytesOf(blobs, sha256).toString('utf8');

function bytesOf(blobs: Blobs, sha256: string): Buffer {
  const bytes = blobs.blob(sha256);
  if (bytes === undefined) throw new Error(`The blob ${sha256} is missing from the data folder`);
  return Buffer.from(bytes);
}
