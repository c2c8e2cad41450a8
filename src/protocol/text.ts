import * as z from 'zod/mini';

/** SQLite, terminals and agents' programs all end a text at a zero byte, so none is accepted. */
export const noNul = (what: string) =>
  z.refine<string>((text) => !text.includes('\0'), `${what} contains a zero byte (U+0000), which no agent can read: remove it`);

export const notBlank = (what: string) => z.refine<string>((text) => text.trim() !== '', `${what} is empty`);
