import { randomUUID } from 'node:crypto';
import type { Problems } from '../problems/problems.ts';
import type { Life } from './carrier.ts';
import { type Meta, packed, unpacked, type Vouched } from './frames.ts';
import type { SendFrame } from './requests-out.ts';

/** Messages in order between two machines. When one may have been lost, the channel closes. */
export interface Channel {
  send(message: Uint8Array): void;
  /** The receiver has dealt with so many bytes of messages, so the sender may send as many more. */
  consumed(bytes: number): void;
  /** Bytes that wait because the receiver has not dealt with earlier ones. */
  queuedBytes(): number;
  close(reason: string): void;
}

export interface ChannelListener {
  message(bytes: Buffer): void;
  /** Everything that waited has been sent. */
  drained(): void;
  closed(reason: string): void;
}

export type AcceptChannel = (from: Life, who: Vouched, channel: Channel) => ChannelListener;

/** Bytes that may be on their way; about a hundred times what one round trip through Redis takes. */
const WINDOW_BYTES = 1024 * 1024;
const FRAME_BYTES = 64 * 1024;

interface Open {
  readonly id: string;
  readonly peer: Life;
  listener: ChannelListener;
  readonly queue: Uint8Array[];
  queued: number;
  credit: number;
  sent: number;
  received: number;
  heardAt: number;
  isFlushing: boolean;
}

const QUIET: ChannelListener = { message: () => undefined, drained: () => undefined, closed: () => undefined };

export class Channels {
  readonly #open = new Map<string, Open>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly send: SendFrame,
    private readonly accept: AcceptChannel,
    private readonly problems: Problems,
    private readonly signMs: number,
  ) {
    this.#timer = problems.every('keep views of other machines open', signMs, () => this.#beat());
    this.#timer.unref();
  }

  open(peer: Life, who: Vouched, listener: ChannelListener): Channel {
    const open = this.#add(randomUUID(), peer, listener);
    this.#transmit(open, { t: 'open', id: open.id, who });
    return this.#faceOf(open);
  }

  receive(from: Life, meta: Extract<Meta, { t: 'open' | 'msg' | 'credit' | 'close' }>, body: Buffer): void {
    const key = keyOf(from, meta.id);
    if (meta.t === 'open') {
      if (this.#open.has(key)) return;
      const open = this.#add(meta.id, from, QUIET);
      open.listener = this.accept(from, meta.who, this.#faceOf(open));
      return this.#transmit(open, { t: 'credit', id: open.id, bytes: 0, n: open.sent });
    }
    const open = this.#open.get(key);
    // The other side believes that it is open.
    if (open === undefined) return meta.t === 'close' ? undefined : void this.send(from, { t: 'close', id: meta.id, reason: 'unknown' }).catch(() => undefined);
    open.heardAt = Date.now();
    if (meta.t === 'close') return this.#end(open, meta.reason);
    if (meta.t === 'credit') return this.#credited(open, meta.bytes, meta.n);
    const messages = meta.n === open.received + 1 ? unpacked(body) : undefined;
    if (messages === undefined) return this.#closeBoth(open, 'gap');
    open.received = meta.n;
    for (const message of messages) open.listener.message(message);
  }

  lifeEnded(instance: string): void {
    for (const open of [...this.#open.values()]) if (open.peer.instance === instance) this.#end(open, 'gone');
  }

  get size(): number {
    return this.#open.size;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const open of [...this.#open.values()]) this.#closeBoth(open, 'stopping');
  }

  #add(id: string, peer: Life, listener: ChannelListener): Open {
    const open = { id, peer, listener, queue: [], queued: 0, credit: WINDOW_BYTES, sent: 0, received: 0, heardAt: Date.now(), isFlushing: false };
    this.#open.set(keyOf(peer, id), open);
    return open;
  }

  #faceOf(open: Open): Channel {
    return {
      send: (message) => {
        if (!this.#isOpen(open)) return;
        open.queue.push(message);
        open.queued += message.length;
        this.#flushSoon(open);
      },
      consumed: (bytes) => {
        if (this.#isOpen(open)) this.#transmit(open, { t: 'credit', id: open.id, bytes, n: open.sent });
      },
      queuedBytes: () => open.queued,
      close: (reason) => this.#closeBoth(open, reason),
    };
  }

  #isOpen(open: Open): boolean {
    return this.#open.get(keyOf(open.peer, open.id)) === open;
  }

  /** What is sent in one turn leaves in one frame. */
  #flushSoon(open: Open): void {
    if (open.isFlushing || open.credit <= 0) return;
    open.isFlushing = true;
    this.problems.soon('update pages on other machines', () => {
      open.isFlushing = false;
      this.#flush(open);
    });
  }

  #flush(open: Open): void {
    while (open.queue.length > 0 && open.credit > 0 && this.#isOpen(open)) {
      const batch: Uint8Array[] = [];
      let bytes = 0;
      while (open.queue.length > 0 && (bytes === 0 || bytes + (open.queue[0]?.length ?? 0) <= FRAME_BYTES)) {
        const message = open.queue.shift();
        if (message === undefined) break;
        batch.push(message);
        bytes += message.length;
      }
      open.queued -= bytes;
      open.credit -= bytes;
      open.sent += 1;
      this.#transmit(open, { t: 'msg', id: open.id, n: open.sent }, packed(batch));
    }
  }

  #credited(open: Open, bytes: number, sentByPeer: number): void {
    if (sentByPeer > open.received) return this.#closeBoth(open, 'gap');
    open.credit += bytes;
    if (bytes === 0) return;
    this.#flush(open);
    if (open.queue.length === 0) open.listener.drained();
  }

  #transmit(open: Open, meta: Meta, body?: Uint8Array): void {
    this.send(open.peer, meta, body).catch(() => this.#end(open, 'lost'));
  }

  #beat(): void {
    const silentSince = Date.now() - 4 * this.signMs;
    for (const open of [...this.#open.values()]) {
      if (open.heardAt < silentSince) this.#closeBoth(open, 'silent');
      else this.#transmit(open, { t: 'credit', id: open.id, bytes: 0, n: open.sent });
    }
  }

  #closeBoth(open: Open, reason: string): void {
    if (!this.#isOpen(open)) return;
    this.send(open.peer, { t: 'close', id: open.id, reason }).catch(() => undefined);
    this.#end(open, reason);
  }

  #end(open: Open, reason: string): void {
    if (this.#open.delete(keyOf(open.peer, open.id))) open.listener.closed(reason);
  }
}

const keyOf = (peer: Life, id: string): string => `${peer.instance} ${id}`;
