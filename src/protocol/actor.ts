import * as z from 'zod/mini';
import { oddCount } from './odd-characters.ts';

export const Role = z.enum(['viewer', 'driver', 'owner']);
export type Role = z.infer<typeof Role>;

/** Whose token it is. */
export const TokenName = z.string().check(
  z.refine((name) => name.trim() === name && name !== '' && [...name].length <= 64, 'a token name is 1 to 64 characters, without spaces around it'),
  z.refine((name) => oddCount(name) === 0 && !/[\n\t]/.test(name), 'a token name can’t contain line breaks or invisible characters'),
);

export const Actor = z.object({
  kind: z.enum(['person', 'rule', 'agent', 'plan', 'system']),
  id: z.string(),
  name: z.string(),
  /** Which client they used, and from which address: `page 127.0.0.1`. */
  from: z.optional(z.string()),
});
export type Actor = z.infer<typeof Actor>;

export const SYSTEM: Actor = { kind: 'system', id: 'signalbox', name: 'Signalbox' };
