import { createHash } from 'node:crypto';
import type { RecordBytes } from './record-bytes.ts';

const END_BYTES = 512;

export const NO_MARK: Uint8Array = new Uint8Array(0);

/**
 * What the first bytes of a record and those before `offset` are. Agents only append, or put a whole new file in the place of the old one:
 * both ends would have to be the same by chance for another file to be taken for this one.
 */
export function markOf(bytes: RecordBytes, offset: number): Uint8Array {
  const head = bytes.read(0, Math.min(END_BYTES, offset));
  const tail = bytes.read(Math.max(0, offset - END_BYTES), offset);
  return createHash('sha1').update(head).update(tail).digest().subarray(0, 8);
}

/** Whether the record still begins with everything that was read of it. */
export function isSame(bytes: RecordBytes, offset: number, mark: Uint8Array): boolean {
  return offset === 0 || (bytes.size >= offset && Buffer.compare(markOf(bytes, offset), mark) === 0);
}
