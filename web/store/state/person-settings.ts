import * as z from 'zod/mini';
import { TileLayout } from './tile-layout.ts';

/** One user's settings, shared by all their devices. Unknown fields are left alone. */
export const PersonSettings = z.object({
  tiles: z.catch(z.optional(TileLayout), undefined),
  /** Interrupted turns up to this time are no longer offered. */
  cutOffsDismissedAt: z.catch(z.optional(z.string()), undefined),
});
export type PersonSettings = z.infer<typeof PersonSettings>;
