import type { ImageInput, Refusal } from '../protocol/command.ts';
import { LIMITS } from '../protocol/limits.ts';
import { contentTypeOf } from './http/blob-type.ts';

/** Schemas count characters; people are promised bytes. Counted here, for HTTP and WebSocket alike. */
export function messageProblem(text: string | undefined, images: readonly ImageInput[] | undefined): Refusal | undefined {
  if (text !== undefined && Buffer.byteLength(text) > LIMITS.messageTextBytes) {
    return { refused: 'too-large', message: `A message may have at most ${LIMITS.messageTextBytes} bytes; this one has ${Buffer.byteLength(text)}` };
  }
  for (const image of images ?? []) {
    if (!isBase64(image.base64)) return { refused: 'bad-request', message: 'An image is not valid base64' };
    if (kindOf(image) !== image.mediaType) return { refused: 'not-supported', message: notThatKind(image) };
    const bytes = Buffer.byteLength(image.base64, 'base64');
    if (bytes > LIMITS.imageBytes) return { refused: 'too-large', message: `An image may have at most ${LIMITS.imageBytes} bytes; this one has ${bytes}` };
  }
  return undefined;
}

const HEAD_CHARS = 16;

/** By its first bytes: an image that the model cannot read would fail in every later turn too. */
const kindOf = ({ base64 }: ImageInput): string => contentTypeOf(Buffer.from(base64.slice(0, HEAD_CHARS), 'base64'));

const notThatKind = ({ mediaType, base64 }: ImageInput): string =>
  base64 === '' ? 'An image is empty' : `An image is said to be ${mediaType}, but its first bytes are not those of one. PNG, JPEG, GIF and WebP can be sent`;

// Without groups: a repeated group of a 7 MB string overflows the stack of the regular expression engine.
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);
