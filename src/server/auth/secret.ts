import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** 256 bits, so it can't be guessed at any rate. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The hash that is stored. It needs no salt, because a token is random and not a word. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Compares two hashes in constant time. */
export const isSameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

/** Readable by its owner only. Written to a second file and renamed, so a reader sees either the old content or the new one. */
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
