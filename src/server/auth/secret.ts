import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** 256 bits: nobody guesses it, at any rate. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of a token. It needs no salt: a token is random, not a word. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Compares two hashes in constant time. */
export const isSameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

/** Readable by its owner only, through a second file and a rename: a reader sees the old content or the new one. */
export function writeSecretFile(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}.new`;
  const fd = openSync(next, 'w', 0o600);
  try {
    writeFileSync(fd, `${JSON.stringify(content, null, 2)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(next, file);
}
