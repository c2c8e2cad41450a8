import * as z from 'zod/mini';
import { ContextItem, ImageInput } from '../../../src/protocol/command.ts';

/** An image that is attached and not sent yet. */
export const Picture = z.object({ id: z.string(), name: z.string(), bytes: z.int(), ...ImageInput.shape });
export type Picture = z.infer<typeof Picture>;

/** The attachments of a draft. */
export const Attachments = z.object({ pictures: z.array(Picture), context: z.array(ContextItem) });
export type Attachments = z.infer<typeof Attachments>;

export const NOTHING: Attachments = { pictures: [], context: [] };

/** Stores the attachments of drafts, by user and session. */
export interface AttachmentStore {
  get(who: string, sessionId: string): Promise<Attachments>;
  put(who: string, sessionId: string, attachments: Attachments): Promise<void>;
}

export function memoryAttachments(): AttachmentStore {
  const kept = new Map<string, Attachments>();
  const keyOf = (who: string, sessionId: string): string => JSON.stringify([who, sessionId]);
  return {
    get: async (who, sessionId) => kept.get(keyOf(who, sessionId)) ?? NOTHING,
    put: async (who, sessionId, attachments) => void kept.set(keyOf(who, sessionId), attachments),
  };
}

export const together = (first: Attachments, then: Attachments): Attachments => ({
  pictures: [...first.pictures, ...then.pictures],
  context: [...first.context, ...then.context],
});
