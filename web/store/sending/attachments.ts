import { LIMITS } from '../../../src/protocol/limits.ts';
import { type Attachments, NOTHING, together } from '../../client/storage/attachments.ts';
import type { OutboxEntry } from '../../client/storage/outbox.ts';
import type { Desk } from '../cockpit.ts';

export interface Attaching {
  /** Changes what goes along with the message that is being written. */
  attach(sessionId: string, change: (now: Attachments) => Attachments): void;
  detach(sessionId: string): void;
}

export function attaching(desk: Desk): Attaching {
  return {
    // A browser that refuses to store anything leaves it to the page.
    attach: (sessionId, change) => void attach(desk, sessionId, change).catch(() => undefined),
    detach: (sessionId) => void attach(desk, sessionId, () => NOTHING).catch(() => undefined),
  };
}

/** Resolves when it is stored; until it is known who attaches, the page alone keeps it. */
async function attach({ store, options }: Desk, sessionId: string, change: (now: Attachments) => Attachments): Promise<void> {
  const { you, attached } = store.getState();
  const next = change(attached.get(sessionId) ?? NOTHING);
  store.setState((state) => ({ attached: new Map(state.attached).set(sessionId, next) }));
  if (you !== undefined) await options.attachments?.put(you.id, sessionId, next);
}

/** Brings back what was attached before the page was loaded. What a person has attached since stays. */
export async function recallAttachments({ store, options }: Desk, sessionId: string): Promise<void> {
  const { you, attached } = store.getState();
  if (you === undefined || attached.has(sessionId)) return;
  const kept = (await options.attachments?.get(you.id, sessionId).catch(() => NOTHING)) ?? NOTHING;
  store.setState((state) => (state.attached.has(sessionId) || state.you?.id !== you.id ? state : { attached: new Map(state.attached).set(sessionId, kept) }));
}

/** What was attached before it was known who does it goes to what its author had attached already. */
export async function storeAttached({ store, options }: Desk, author: string, sessionId: string, attached: Attachments): Promise<void> {
  const before = (await options.attachments?.get(author, sessionId).catch(() => NOTHING)) ?? NOTHING;
  const all = together(before, attached);
  if (store.getState().you?.id === author) store.setState((state) => ({ attached: new Map(state.attached).set(sessionId, all) }));
  await options.attachments?.put(author, sessionId, all).catch(() => undefined);
}

/** A message that is not sent gives back what went along with it. */
export async function giveBackAttachments(desk: Desk, { sessionId, commandId, frame }: OutboxEntry): Promise<void> {
  if (frame.type !== 'input') return;
  await recallAttachments(desk, sessionId);
  const { images = [], context = [] } = frame;
  const pictures = images.map((image, at) => ({ ...image, id: `${commandId}:${at}`, name: `picture ${at + 1}`, bytes: bytesOf(image.base64) }));
  if (pictures.length + context.length > 0) {
    await attach(desk, sessionId, (now) => together({ pictures, context }, now));
  }
}

export const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

/** The words around the pictures in a frame of the socket. */
const FRAME_REST_BYTES = 64 * 1024;

/** A frame that is too large would end the connection, so it is not sent at all. */
export function tooLargeProblem(text: string, { pictures, context }: Attachments): string | undefined {
  const size = pictures.reduce((sum, picture) => sum + picture.base64.length, 0) + 2 * (text.length + JSON.stringify(context).length);
  if (size < LIMITS.frameBytes - FRAME_REST_BYTES) return undefined;
  const [has, may] = [size, LIMITS.frameBytes].map((bytes) => Math.round(bytes / (1024 * 1024)));
  return `This message is too large to send at once (${has} of at most ${may} MB on the wire). Remove a picture, or send it in two messages.`;
}
