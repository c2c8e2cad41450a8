import * as z from 'zod/mini';
import type { Life } from './carrier.ts';
import type { Seal } from './seal.ts';

/** The revision of frames. A machine with another one is listed as needing an update, and gets none. */
export const CLUSTER_REVISION = 1;

/** Who acts, as the machine at which they signed in vouches for them. */
export const Vouched = z.object({ id: z.string(), name: z.string(), role: z.enum(['viewer', 'driver', 'owner']), from: z.string() });
export type Vouched = z.infer<typeof Vouched>;

const id = z.string().check(z.maxLength(64));
/** What a frame is about; bytes follow it. A body too large for one frame continues in frames of the type `more`. */
export const Meta = z.discriminatedUnion('t', [
  z.object({ t: z.literal('req'), id, method: z.string(), url: z.string(), type: z.optional(z.string()), who: Vouched, last: z.boolean() }),
  /** The request has arrived whole and is being answered. */
  z.object({ t: z.literal('got'), id }),
  z.object({ t: z.literal('res'), id, status: z.int(), headers: z.record(z.string(), z.string()), last: z.boolean() }),
  z.object({ t: z.literal('more'), id, of: z.enum(['req', 'res']), n: z.int(), last: z.boolean() }),
  /** What became of this request? Asked when neither `got` nor `res` came. */
  z.object({ t: z.literal('ask'), id }),
  /** This life never saw that request whole. */
  z.object({ t: z.literal('unseen'), id }),
  z.object({ t: z.literal('open'), id, who: Vouched }),
  /** Messages of a channel, numbered without gaps in each direction. */
  z.object({ t: z.literal('msg'), id, n: z.int() }),
  /** The receiver has taken so many bytes; `n` is the number of the last message its sender sent, so that a lost one is noticed. Also sent as a sign of life. */
  z.object({ t: z.literal('credit'), id, bytes: z.int(), n: z.int() }),
  z.object({ t: z.literal('close'), id, reason: z.string() }),
]);
export type Meta = z.infer<typeof Meta>;

export interface Frame {
  readonly from: Life;
  readonly counter: number;
  readonly meta: Meta;
  readonly body: Buffer;
}

/** Travels in clear, and is bound to the sealed rest. */
const Head = z.object({ v: z.literal(CLUSTER_REVISION), f: z.string(), e: z.int(), i: z.string(), n: z.int() });

const bindingOf = (from: Life, to: Life, counter: number) => ['frame', from.node, from.epoch, from.instance, to.node, to.epoch, to.instance, counter] as const;

export function sealFrame(seal: Seal, from: Life, to: Life, counter: number, meta: Meta, body: Uint8Array = NOTHING): Buffer {
  const head = Buffer.from(JSON.stringify({ v: CLUSTER_REVISION, f: from.node, e: from.epoch, i: from.instance, n: counter }));
  const plain = withLength(Buffer.from(JSON.stringify(meta)), body);
  return withLength(head, seal.seal(from, bindingOf(from, to, counter), plain));
}

const NOTHING = new Uint8Array();

/** Undefined for anything that was not sealed for this very life by a machine with our key. */
export function openFrame(seal: Seal, to: Life, bytes: Uint8Array): Frame | undefined {
  const outer = parted(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const head = z.safeParse(Head, jsonOf(outer?.head));
  if (outer === undefined || !head.success) return undefined;
  const { f, e, i, n } = head.data;
  const from: Life = { node: f, epoch: e, instance: i };
  const plain = seal.open(from, bindingOf(from, to, n), outer.rest);
  const inner = plain === undefined ? undefined : parted(plain);
  const meta = z.safeParse(Meta, jsonOf(inner?.head));
  return inner === undefined || !meta.success ? undefined : { from, counter: n, meta: meta.data, body: inner.rest };
}

function withLength(head: Uint8Array, rest: Uint8Array): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, rest]);
}

function parted(bytes: Buffer): { readonly head: Buffer; readonly rest: Buffer } | undefined {
  if (bytes.length < 4) return undefined;
  const length = bytes.readUInt32BE(0);
  return bytes.length < 4 + length ? undefined : { head: bytes.subarray(4, 4 + length), rest: bytes.subarray(4 + length) };
}

export function jsonOf(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes === undefined ? undefined : JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Several messages in one frame. */
export const packed = (messages: readonly Uint8Array[]): Buffer => Buffer.concat(messages.map((message) => withLength(message, NOTHING)));

/** Undefined when they are not whole. */
export function unpacked(body: Buffer): readonly Buffer[] | undefined {
  const messages: Buffer[] = [];
  for (let rest = body; rest.length > 0; ) {
    const next = parted(rest);
    if (next === undefined) return undefined;
    messages.push(next.head);
    rest = next.rest;
  }
  return messages;
}
