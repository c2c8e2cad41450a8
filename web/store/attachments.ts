import { LIMITS } from '../../src/protocol/limits.ts';
import { type Attachments, NOTHING } from '../client/attachments.ts';
import type { OutboxEntry } from '../client/outbox.ts';
import type { Desk } from './cockpit.ts';

export interface Attaching {
  /** Changes what goes along with the message that is being written. */
  attach(sessionId: string, change: (now: Attachments) => Attachments): void;
  detach(sessionId: string): void;
}

export function attaching(desk: Desk): Attaching {
  return {
    attach: (sessionId, change) => attach(desk, sessionId, change),
    detach: (sessionId) => attach(desk, sessionId, () => NOTHING),
  };
}

function attach(desk: Desk, sessionId: string, change: (now: Attachments) => Attachments): void {
  const { store } = desk;
  const next = change(store.getState().attached.get(sessionId) ?? NOTHING);
  store.setState((state) => ({ attached: new Map(state.attached).set(sessionId, next) }));
  // A browser that refuses to store anything leaves it to the page.
  void desk.options.attachments?.put(sessionId, next).catch(() => undefined);
}

/** Brings back what was attached before the page was loaded. What a person has attached since stays. */
export async function recallAttachments(desk: Desk, sessionId: string): Promise<void> {
  if (desk.store.getState().attached.has(sessionId)) return;
  const kept = (await desk.options.attachments?.get(sessionId).catch(() => NOTHING)) ?? NOTHING;
  desk.store.setState((state) => (state.attached.has(sessionId) ? state : { attached: new Map(state.attached).set(sessionId, kept) }));
}

/** A message that was refused gives back what went along with it. */
export function giveBackAttachments(desk: Desk, { sessionId, commandId, frame }: OutboxEntry): void {
  if (frame.type !== 'input') return;
  const { images = [], context = [] } = frame;
  const pictures = images.map((image, at) => ({ ...image, id: `${commandId}:${at}`, name: `picture ${at + 1}`, bytes: bytesOf(image.base64) }));
  if (pictures.length + context.length > 0) {
    attach(desk, sessionId, (now) => ({ pictures: [...pictures, ...now.pictures], context: [...context, ...now.context] }));
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
