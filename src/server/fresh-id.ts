import { randomBytes } from 'node:crypto';

/** A new id that can be typed: one that begins with a dash would be taken for a flag on a command line. */
export const freshId = (): string => withoutDash(randomBytes(12).toString('base64url'));

export const withoutDash = (id: string): string => id.replace(/^[-_]/, 'x');
