import { randomUUID } from 'node:crypto';
import type { Problems } from '../problems/problems.ts';
import type { Life } from './carrier.ts';
import type { Meta, Vouched } from './frames.ts';

export interface RemoteRequest {
  readonly method: string;
  readonly url: string;
  /** The content type of the body. */
  readonly type?: string | undefined;
  readonly body: Uint8Array;
  readonly who: Vouched;
}

export interface RemoteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** No answer came. `not-sent`: the request had no effect. `unknown`: it may have had its effect. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(readonly outcome: 'not-sent' | 'unknown') {
    super(outcome === 'not-sent' ? 'The machine can’t be reached.' : 'The machine did not answer in time.');
  }
}

/** How frames leave; rejects when the carrier didn't take one. */
export type SendFrame = (to: Life, meta: Meta, body?: Uint8Array) => Promise<void>;

export interface RequestTimes {
  /** Ask what became of a request after so long without news, and again. */
  readonly askMs: number;
  /** Give up after so long without any news. */
  readonly silentMs: number;
}

export const REQUEST_TIMES: RequestTimes = { askMs: 2000, silentMs: 5000 };

/** Larger bodies travel in pieces. */
export const PIECE_BYTES = 256 * 1024;

interface Pending {
  readonly to: Life;
  readonly request: RemoteRequest;
  /** Whether the last piece was handed to the carrier: before that, the other side can't have acted. */
  isWhole: boolean;
  heardAt: number;
  pieces: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly bodies: Buffer[] } | undefined;
  done(response: RemoteResponse): void;
  failed(error: NoAnswer): void;
}

/** Requests to other machines that wait for their answers. The same request is acted on once by one life, however often it is asked about. */
export class RequestsOut {
  readonly #pending = new Map<string, Pending>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly send: SendFrame,
    private readonly times: RequestTimes,
    problems: Problems,
  ) {
    this.#timer = problems.every('ask other machines', times.askMs / 2, () => this.#ask());
    this.#timer.unref();
  }

  fetch(to: Life, request: RemoteRequest): Promise<RemoteResponse> {
    return new Promise((resolve, reject) => {
      const id = randomUUID();
      const settle =
        <T>(act: (value: T) => void) =>
        (value: T): void => {
          if (this.#pending.delete(id)) act(value);
        };
      const pending: Pending = { to, request, isWhole: false, heardAt: Date.now(), pieces: undefined, done: settle(resolve), failed: settle(reject) };
      this.#pending.set(id, pending);
      void this.#transmit(id, pending);
    });
  }

  /** A frame that answers one of our requests. */
  receive(meta: Extract<Meta, { t: 'got' | 'unseen' | 'res' | 'more' }>, body: Buffer): void {
    const pending = this.#pending.get(meta.id);
    if (pending === undefined) return;
    pending.heardAt = Date.now();
    if (meta.t === 'unseen') return void this.#transmit(meta.id, pending);
    if (meta.t === 'got') return;
    if (meta.t === 'res') pending.pieces = { status: meta.status, headers: meta.headers, bodies: [body] };
    else if (pending.pieces === undefined || pending.pieces.bodies.length !== meta.n) return;
    else pending.pieces.bodies.push(body);
    if (meta.last) pending.done({ status: pending.pieces.status, headers: pending.pieces.headers, body: Buffer.concat(pending.pieces.bodies) });
  }

  /** This life of a machine has ended: what it did not answer, it never will. */
  lifeEnded(instance: string): void {
    for (const pending of [...this.#pending.values()]) if (pending.to.instance === instance) this.#fail(pending);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const pending of [...this.#pending.values()]) this.#fail(pending);
  }

  #fail(pending: Pending): void {
    pending.failed(new NoAnswer(pending.isWhole ? 'unknown' : 'not-sent'));
  }

  async #transmit(id: string, pending: Pending): Promise<void> {
    const { method, url, type, body, who } = pending.request;
    const pieces = piecesOf(body);
    try {
      for (const [n, piece] of pieces.entries()) {
        const last = n === pieces.length - 1;
        const meta: Meta = n === 0 ? { t: 'req', id, method, url, type, who, last } : { t: 'more', id, of: 'req', n, last };
        const sent = this.send(pending.to, meta, piece);
        if (last) pending.isWhole = true;
        await sent;
      }
    } catch (error) {
      if (error instanceof CarrierDown && pieces.length === 1) pending.isWhole = false;
      this.#fail(pending);
    }
  }

  #ask(): void {
    const now = Date.now();
    for (const [id, pending] of [...this.#pending]) {
      const silentMs = now - pending.heardAt;
      if (silentMs >= this.times.silentMs) this.#fail(pending);
      // A long job answers `got` to this, which is how we know that it is still being worked on.
      else if (silentMs >= this.times.askMs && pending.isWhole) this.send(pending.to, { t: 'ask', id }).catch(() => undefined);
    }
  }
}

/** The carrier refused at once, so nothing was sent. */
export class CarrierDown extends Error {
  override readonly name = 'CarrierDown';
  constructor() {
    super('Other machines are unreachable.');
  }
}

export function piecesOf(body: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += PIECE_BYTES) pieces.push(body.subarray(at, at + PIECE_BYTES));
  return pieces.length === 0 ? [body] : pieces;
}
