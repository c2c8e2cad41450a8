import * as z from 'zod/mini';

export const Role = z.enum(['viewer', 'driver', 'owner']);
export type Role = z.infer<typeof Role>;

export const Actor = z.object({
  kind: z.enum(['person', 'rule', 'agent', 'plan', 'system']),
  id: z.string(),
  name: z.string(),
});
export type Actor = z.infer<typeof Actor>;

export const SYSTEM: Actor = { kind: 'system', id: 'signalbox', name: 'Signalbox' };
