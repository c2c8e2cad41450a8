import * as z from 'zod/mini';

/** Something that doesn't work on the server now and is retried, described for people. */
export const Problem = z.object({ text: z.string(), since: z.string() });
export type Problem = z.infer<typeof Problem>;
