import * as z from 'zod/mini';
import { ContextItem, ImageInput } from '../../../src/protocol/command.ts';

/** An image that is attached and not sent yet. */
export const Picture = z.object({ id: z.string(), name: z.string(), bytes: z.int(), ...ImageInput.shape });
export type Picture = z.infer<typeof Picture>;

/** The attachments of a draft. */
export const Attachments = z.object({ pictures: z.array(Picture), context: z.array(ContextItem) });
export type Attachments = z.infer<typeof Attachments>;

export const NO_ATTACHMENTS: Attachments = { pictures: [], context: [] };

/** Stores the attachments of drafts, by user and session. */
export interface AttachmentStore {
  get(who: string, sessionId: string): Promise<Attachments>;
  put(who: string, sessionId: string, attachments: Attachments): Promise<void>;
}

export function memoryAttachments(): AttachmentStore {
  const stored = new Map<string, Attachments>();
  const keyOf = (who: string, sessionId: string): string => JSON.stringify([who, sessionId]);
  return {
    get: async (who, sessionId) => stored.get(keyOf(who, sessionId)) ?? NO_ATTACHMENTS,
    put: async (who, sessionId, attachments) => void stored.set(keyOf(who, sessionId), attachments),
  };
}

export const mergeAttachments = (first: Attachments, then: Attachments): Attachments => ({
  pictures: [...first.pictures, ...then.pictures],
  context: [...first.context, ...then.context],
});
