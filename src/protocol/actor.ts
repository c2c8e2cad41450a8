import * as z from 'zod/mini';

export const Role = z.enum(['viewer', 'driver', 'owner']);
export type Role = z.infer<typeof Role>;

/** Whose token it is. */
export const TokenName = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, 'a token name is 1 to 64 letters, digits, ".", "_", "@" or "-"'));

export const Actor = z.object({
  kind: z.enum(['person', 'rule', 'agent', 'plan', 'system']),
  id: z.string(),
  name: z.string(),
  /** Which client they used, and from which address: `page 127.0.0.1`. */
  from: z.optional(z.string()),
});
export type Actor = z.infer<typeof Actor>;

export const SYSTEM: Actor = { kind: 'system', id: 'signalbox', name: 'Signalbox' };
