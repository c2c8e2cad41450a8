import * as z from 'zod/mini';

/** `<data>/server.json`: how the commands of this machine find the server that runs on this data folder. */
export const ServerFile = z.object({ url: z.string(), pid: z.int() });
export type ServerFile = z.infer<typeof ServerFile>;
