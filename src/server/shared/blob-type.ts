import { isUtf8 } from 'node:buffer';

const STARTS: readonly (readonly [string, string])[] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
];

/** Only known images and plain text get their type; everything else is bytes. Nothing is ever served as a page or a script. */
export function contentTypeOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  const image = STARTS.find(([start]) => head.startsWith(start));
  if (image !== undefined) return image[1];
  if (head.startsWith('52494646') && head.endsWith('57454250')) return 'image/webp';
  return isUtf8(bytes) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}
