import * as z from 'zod/mini';

/** What the script program reads: the command first, then the order to run it. */
export const ScriptRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('command'), argv: z.array(z.string()) }),
  z.object({ type: z.literal('run'), id: z.string() }),
  z.object({ type: z.literal('interrupt'), request: z.string() }),
]);
export type ScriptRequest = z.infer<typeof ScriptRequest>;

/** What it prints. `began` is printed before the command starts: a command that may have run is never run again. */
export const ScriptLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('began'), id: z.string(), command: z.string(), at: z.string() }),
  z.object({ type: z.literal('output'), id: z.string(), stream: z.enum(['stdout', 'stderr']), text: z.string(), at: z.string() }),
  z.object({
    type: z.literal('ended'),
    id: z.string(),
    code: z.nullable(z.int()),
    signal: z.nullable(z.string()),
    ms: z.number(),
    /** The end of what it printed. */
    tail: z.string(),
    /** Somebody stopped it. */
    stopped: z.boolean(),
    at: z.string(),
  }),
  z.object({ type: z.literal('reply'), to: z.string() }),
]);
export type ScriptLine = z.infer<typeof ScriptLine>;
