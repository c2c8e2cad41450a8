import * as z from 'zod/mini';

/** Names a call, so that a client that lost the connection can repeat it without doing it twice. */
export const CALL_HEADER = 'x-signalbox-call';

export const ToolList = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()), readOnly: z.boolean() })),
});

/** `waiting`: nobody has answered yet. Call again with this askId, or continue: the answer then comes as a message. */
export const ToolAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('answered'), text: z.string() }),
  z.object({ state: z.literal('waiting'), askId: z.string() }),
]);
