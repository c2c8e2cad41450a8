import { bytesOf } from '../../journal/sqlite-driver.ts';
import type { Entry } from './duplicates.ts';
import type { UsageStatements } from './usage-sql.ts';

const KEY_BYTES = 8;

/**
 * The text hashed into 64 bits (cyrb53 by bryc). Not checked against the text: among ten million entries, the chance that two are mistaken
 * for one is one in 400,000. A cryptographic hash took a tenth of the time of indexing a record.
 */
export function keyOf(name: string): Uint8Array {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  const key = Buffer.allocUnsafe(KEY_BYTES);
  key.writeInt32LE(one, 0);
  key.writeInt32LE(other, KEY_BYTES / 2);
  return key;
}

/** The entries of a session: only needed when it is forgotten, or when its creation time changes. */
export function keepKeys(sql: UsageStatements, session: number, entries: readonly Entry[]): void {
  if (entries.length > 0) sql.putKeys.run(session, Buffer.concat(entries.map(({ key }) => key)));
}

export function keysOf(sql: UsageStatements, session: number): readonly Uint8Array[] {
  return sql.keysOf.all(session).flatMap((row) => {
    const keys = bytesOf(row, 'keys');
    return Array.from({ length: keys.length / KEY_BYTES }, (_, index) => keys.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES));
  });
}
