import { createHash, randomBytes } from 'node:crypto';

/** 256 bits: nobody guesses it, at any rate. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of a token. It needs no salt: a token is random, not a word. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
