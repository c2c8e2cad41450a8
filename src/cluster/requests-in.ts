import type { Problems } from '../problems/problems.ts';
import type { Life } from './carrier.ts';
import type { Meta } from './frames.ts';
import { piecesOf, type RemoteRequest, type RemoteResponse, type SendFrame } from './requests-out.ts';

export type AnswerRequest = (from: Life, request: RemoteRequest) => Promise<RemoteResponse>;

interface Incoming {
  readonly from: Life;
  readonly request: Omit<RemoteRequest, 'body'>;
  bodies: Buffer[];
  bytes: number;
  state: 'arriving' | 'answering' | RemoteResponse;
  at: number;
}

/** The largest request is a frame of the largest message; see LIMITS.frameBytes. */
const REQUEST_BYTES = 40 * 1024 * 1024;
/** How long an answer is kept for a sender that missed it, and a request that stopped arriving. */
const KEEP_MS = 60_000;

/** Requests of other machines. Each is acted on once: when it is asked about again, it gets the same answer. */
export class RequestsIn {
  readonly #incoming = new Map<string, Incoming>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly send: SendFrame,
    private readonly answer: AnswerRequest,
    private readonly problems: Problems,
  ) {
    this.#timer = problems.every('forget answered requests', KEEP_MS / 4, () => this.#forget());
    this.#timer.unref();
  }

  receive(from: Life, meta: Extract<Meta, { t: 'req' | 'more' | 'ask' }>, body: Buffer): void {
    const key = `${from.instance} ${meta.id}`;
    const known = this.#incoming.get(key);
    if (meta.t === 'ask') return this.#asked(from, meta.id, known);
    if (meta.t === 'req') {
      // Sent again, because it was asked about before all of it arrived.
      if (known !== undefined && known.state !== 'arriving') return this.#asked(from, meta.id, known);
      const { method, url, type, who } = meta;
      this.#incoming.set(key, { from, request: { method, url, type, who }, bodies: [], bytes: 0, state: 'arriving', at: Date.now() });
    }
    const incoming = this.#incoming.get(key);
    if (incoming === undefined || incoming.state !== 'arriving') return;
    if (meta.t === 'more' && meta.n !== incoming.bodies.length) return;
    incoming.bodies.push(body);
    incoming.bytes += body.length;
    if (incoming.bytes > REQUEST_BYTES) this.#incoming.delete(key);
    else if (meta.last) void this.#act(meta.id, incoming);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#incoming.clear();
  }

  #asked(from: Life, id: string, known: Incoming | undefined): void {
    if (known === undefined || known.state === 'arriving') return this.#reply(from, { t: 'unseen', id });
    if (known.state === 'answering') return this.#reply(from, { t: 'got', id });
    void this.#respond(from, id, known.state);
  }

  async #act(id: string, incoming: Incoming): Promise<void> {
    const body = Buffer.concat(incoming.bodies);
    incoming.state = 'answering';
    incoming.bodies = [];
    this.#reply(incoming.from, { t: 'got', id });
    const response = await this.answer(incoming.from, { ...incoming.request, body }).catch(() => FAILED);
    incoming.state = response;
    incoming.at = Date.now();
    await this.#respond(incoming.from, id, response);
  }

  async #respond(to: Life, id: string, { status, headers, body }: RemoteResponse): Promise<void> {
    const pieces = piecesOf(body);
    try {
      for (const [n, piece] of pieces.entries()) {
        const last = n === pieces.length - 1;
        await this.send(to, n === 0 ? { t: 'res', id, status, headers, last } : { t: 'more', id, of: 'res', n, last }, piece);
      }
      this.problems.worked('answer other machines', to.node);
    } catch (error) {
      // The sender asks again.
      this.problems.failed('answer other machines', error, to.node);
    }
  }

  #reply(to: Life, meta: Meta): void {
    this.send(to, meta).catch(() => undefined);
  }

  #forget(): void {
    const before = Date.now() - KEEP_MS;
    for (const [key, incoming] of this.#incoming) if (incoming.state !== 'answering' && incoming.at < before) this.#incoming.delete(key);
  }
}

const FAILED: RemoteResponse = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ error: { code: 'internal', message: 'Something went wrong in the server of that machine. Its log has the details.' } })),
};
