import { LIMITS } from '../../../src/protocol/limits.ts';
import { type Attachments, mergeAttachments, NO_ATTACHMENTS } from '../../client/storage/attachments.ts';
import type { OutboxEntry } from '../../client/storage/outbox.ts';
import type { StoreContext } from '../state/store-context.ts';

export interface Attaching {
  /** Changes the attachments of the draft. */
  attach(sessionId: string, change: (now: Attachments) => Attachments): void;
  detach(sessionId: string): void;
}

export function attaching(context: StoreContext): Attaching {
  return {
    // If the browser can't store it, the page alone keeps it.
    attach: (sessionId, change) => void attach(context, sessionId, change).catch(() => undefined),
    detach: (sessionId) => void attach(context, sessionId, () => NO_ATTACHMENTS).catch(() => undefined),
  };
}

/** Resolves when it is stored; until the user is known, the page alone keeps it. */
async function attach({ store, options }: StoreContext, sessionId: string, change: (now: Attachments) => Attachments): Promise<void> {
  const { you, attached } = store.getState();
  const next = change(attached.get(sessionId) ?? NO_ATTACHMENTS);
  store.setState((state) => ({ attached: new Map(state.attached).set(sessionId, next) }));
  if (you !== undefined) await options.attachments?.put(you.id, sessionId, next);
}

/** Restores the attachments from before the page was loaded. Those added since stay. */
export async function loadAttachments({ store, options }: StoreContext, sessionId: string): Promise<void> {
  const { you, attached } = store.getState();
  if (you === undefined || attached.has(sessionId)) return;
  const stored = (await options.attachments?.get(you.id, sessionId).catch(() => NO_ATTACHMENTS)) ?? NO_ATTACHMENTS;
  store.setState((state) => (state.attached.has(sessionId) || state.you?.id !== you.id ? state : { attached: new Map(state.attached).set(sessionId, stored) }));
}

/** Adds attachments from before the user was known to those that their author had already. */
export async function storeAttached({ store, options }: StoreContext, author: string, sessionId: string, attached: Attachments): Promise<void> {
  const before = (await options.attachments?.get(author, sessionId).catch(() => NO_ATTACHMENTS)) ?? NO_ATTACHMENTS;
  const now = store.getState();
  const isAuthor = now.you?.id === author;
  // More may have been attached, or removed, while the browser was reading.
  const all = mergeAttachments(before, isAuthor ? (now.attached.get(sessionId) ?? attached) : attached);
  if (isAuthor) store.setState((state) => ({ attached: new Map(state.attached).set(sessionId, all) }));
  await options.attachments?.put(author, sessionId, all).catch(() => undefined);
}

/** Returns the attachments of a message that was not sent to the draft. */
export async function returnAttachments(context: StoreContext, { sessionId, commandId, frame }: OutboxEntry): Promise<void> {
  if (frame.type !== 'input') return;
  await loadAttachments(context, sessionId);
  const { images = [], context: places = [] } = frame;
  const pictures = images.map((image, at) => ({ ...image, id: `${commandId}:${at}`, name: `image ${at + 1}`, bytes: bytesOf(image.base64) }));
  if (pictures.length + places.length > 0) await attach(context, sessionId, (now) => mergeAttachments({ pictures, context: places }, now));
}

export const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

/** Room for the rest of the frame around the images. */
const FRAME_REST_BYTES = 64 * 1024;

/** A frame that is too large would close the connection, so it is never sent. */
export function tooLargeProblem(text: string, { pictures, context }: Attachments): string | undefined {
  const size = pictures.reduce((sum, picture) => sum + picture.base64.length, 0) + 2 * (text.length + JSON.stringify(context).length);
  if (size < LIMITS.frameBytes - FRAME_REST_BYTES) return undefined;
  const [has, max] = [size, LIMITS.frameBytes].map((bytes) => Math.round(bytes / (1024 * 1024)));
  return `This message is too large to send (about ${has} MB, the limit is ${max} MB). Remove an image or split it into two messages.`;
}
