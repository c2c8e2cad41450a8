import { type BlobSink, imageRef, isLong, prepareObservation as prepare } from '../../domain/long-content.ts';
import type { PreparedMessage } from '../../domain/session/commands.ts';
import type { Journal } from '../../journal/journal.ts';
import type { BlobRef, ImageRef } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { KeptObservation, RawImage } from '../../protocol/observation.ts';

type Blobs = Pick<Journal, 'putBlob' | 'blob'>;

/** A person's message with its long text and its images stored as blobs. */
export function prepareMessage(blobs: Blobs, text: string, images: readonly RawImage[]): PreparedMessage {
  const refs = images.map((image) => imageRef(blobsOf(blobs), image));
  if (!isLong(text)) return { text, images: refs };
  return { text: text.slice(0, LIMITS.inlineHeadChars), blob: blobs.putBlob(Buffer.from(text)), images: refs };
}

/** The full text and the images, for the agent. */
export function fullMessage(blobs: Blobs, message: { readonly text: string; readonly blob: BlobRef | null; readonly images: readonly ImageRef[] }) {
  const text = message.blob === null ? message.text : textOf(blobs, message.blob.sha256);
  const images = message.images.map((image) => ({ mediaType: image.mediaType, base64: bytesOf(blobs, image.sha256).toString('base64') }));
  return { text, images };
}

/** An observation whose long content is stored as blobs. */
export const prepareObservation = <T extends KeptObservation>(blobs: Blobs, observation: T): T => prepare(blobsOf(blobs), observation);

export const blobsOf = (blobs: Blobs): BlobSink => ({
  text: (whole) => blobs.putBlob(Buffer.from(whole)),
  image: (base64) => blobs.putBlob(Buffer.from(base64, 'base64')),
});

const textOf = (blobs: Blobs, sha256: string): string => bytesOf(blobs, sha256).toString('utf8');

function bytesOf(blobs: Blobs, sha256: string): Buffer {
  const bytes = blobs.blob(sha256);
  if (bytes === undefined) throw new Error(`The blob ${sha256} is missing from the data folder`);
  return Buffer.from(bytes);
}
