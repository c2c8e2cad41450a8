import type { ImageInput, Refusal } from '../../protocol/command.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { contentTypeOf } from './blob-type.ts';

/** Schemas count characters, but the documented limits are bytes. Checked here for both HTTP and WebSocket. */
export function messageProblem(text: string | undefined, images: readonly ImageInput[] | undefined): Refusal | undefined {
  if (text !== undefined && Buffer.byteLength(text) > LIMITS.messageTextBytes) {
    return { refused: 'too-large', message: `A message can have at most ${LIMITS.messageTextBytes} bytes; this one has ${Buffer.byteLength(text)}` };
  }
  for (const image of images ?? []) {
    if (!isBase64(image.base64)) return { refused: 'bad-request', message: 'An image is not valid base64' };
    if (kindOf(image) !== image.mediaType) return { refused: 'not-supported', message: notThatKind(image) };
    const bytes = Buffer.byteLength(image.base64, 'base64');
    if (bytes > LIMITS.imageBytes) return { refused: 'too-large', message: `An image can have at most ${LIMITS.imageBytes} bytes; this one has ${bytes}` };
  }
  return undefined;
}

const HEAD_CHARS = 16;

/** Checks the first bytes: an image that the model can't read would make every later turn fail too. */
const kindOf = ({ base64 }: ImageInput): string => contentTypeOf(Buffer.from(base64.slice(0, HEAD_CHARS), 'base64'));

const notThatKind = ({ mediaType, base64 }: ImageInput): string =>
  base64 === '' ? 'An image is empty.' : `An image is labeled ${mediaType}, but its content is something else. Send PNG, JPEG, GIF or WebP.`;

// No groups: a repeated group on a 7 MB string overflows the stack of the regex engine.
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);
