import * as z from 'zod/mini';
import { ContextItem, ImageInput } from '../../src/protocol/command.ts';

/** A picture that a person chose and has not sent yet. */
export const Picture = z.object({ id: z.string(), name: z.string(), bytes: z.int(), ...ImageInput.shape });
export type Picture = z.infer<typeof Picture>;

/** What goes along with the message that is being written. */
export const Attachments = z.object({ pictures: z.array(Picture), context: z.array(ContextItem) });
export type Attachments = z.infer<typeof Attachments>;

export const NOTHING: Attachments = { pictures: [], context: [] };

/** Where attachments of unsent messages outlive the page, a session at a time. */
export interface AttachmentStore {
  get(sessionId: string): Promise<Attachments>;
  put(sessionId: string, attachments: Attachments): Promise<void>;
}

export function memoryAttachments(): AttachmentStore {
  const kept = new Map<string, Attachments>();
  return {
    get: async (sessionId) => kept.get(sessionId) ?? NOTHING,
    put: async (sessionId, attachments) => void kept.set(sessionId, attachments),
  };
}
