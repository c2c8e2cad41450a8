import { hash } from 'node:crypto';
import { bytesOf } from '../../journal/sqlite-driver.ts';
import type { Entry } from './usage-copies.ts';
import type { UsageStatements } from './usage-sql.ts';

const KEY_BYTES = 8;

/** Not checked against what it was made of: among ten million entries two would be taken for one with a chance of one in four hundred thousand. */
export const keyOf = (name: string): Uint8Array => hash('sha1', name, 'buffer').subarray(0, KEY_BYTES);

/** Which entries a session has, side by side: only asked for when it is forgotten, or was created at another time than was told. */
export function keepKeys(sql: UsageStatements, session: number, entries: readonly Entry[]): void {
  if (entries.length > 0) sql.putKeys.run(session, Buffer.concat(entries.map(({ key }) => key)));
}

export function keysOf(sql: UsageStatements, session: number): readonly Uint8Array[] {
  return sql.keysOf.all(session).flatMap((row) => {
    const keys = bytesOf(row, 'keys');
    return Array.from({ length: keys.length / KEY_BYTES }, (_, index) => keys.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES));
  });
}
