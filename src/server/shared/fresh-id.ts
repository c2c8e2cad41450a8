import { randomBytes } from 'node:crypto';

/** A new id that can be typed: with a leading dash, a command line would read it as a flag. */
export const freshId = (): string => withoutDash(randomBytes(12).toString('base64url'));

export const withoutDash = (id: string): string => id.replace(/^[-_]/, 'x');
