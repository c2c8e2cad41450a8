import { createHash } from 'node:crypto';
import type { RecordBytes } from './record-bytes.ts';

const END_BYTES = 512;

export const NO_MARK: Uint8Array = new Uint8Array(0);

/**
 * A fingerprint of the first bytes of a record and of those before `offset`. Agents only append, or replace the file with a new one:
 * to be mistaken for this one, another file would need the same bytes at both ends.
 */
export function markOf(bytes: RecordBytes, offset: number): Uint8Array {
  const head = bytes.read(0, Math.min(END_BYTES, offset));
  const tail = bytes.read(Math.max(0, offset - END_BYTES), offset);
  return createHash('sha1').update(head).update(tail).digest().subarray(0, 8);
}

/** Whether the record still starts with everything that was read of it. */
export function isSame(bytes: RecordBytes, offset: number, mark: Uint8Array): boolean {
  return offset === 0 || (bytes.size >= offset && Buffer.compare(markOf(bytes, offset), mark) === 0);
}
