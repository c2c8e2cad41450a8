import type { Problems } from '../problems/problems.ts';
import type { Carrier, Life } from './carrier.ts';
import { type AcceptChannel, type Channel, type ChannelListener, Channels } from './channels.ts';
import { openFrame, sealFrame, type Vouched } from './frames.ts';
import { type AnswerRequest, RequestsIn } from './requests-in.ts';
import { REQUEST_TIMES, type RemoteRequest, type RemoteResponse, RequestsOut, type RequestTimes, type SendFrame } from './requests-out.ts';
import type { Seal } from './seal.ts';

export interface PeersOptions {
  readonly carrier: Carrier;
  readonly seal: Seal;
  readonly self: Life;
  readonly problems: Problems;
  readonly answer: AnswerRequest;
  readonly accept: AcceptChannel;
  readonly times?: RequestTimes;
  /** How often an open channel gives a sign of life. */
  readonly signMs?: number;
}

export interface FrameCounts {
  /** Not sealed for us with our key, or cut. */
  ignored: number;
  /** Seen before, overtaken by a later one, or of a life that is over. */
  repeated: number;
}

/** Requests and channels between the lives of machines, over sealed frames. */
export class Peers {
  readonly counts: FrameCounts = { ignored: 0, repeated: 0 };
  readonly #options: PeersOptions;
  readonly #out: RequestsOut;
  readonly #in: RequestsIn;
  readonly #channels: Channels;
  /** The newest life of each machine that sent something, and its last counter. */
  readonly #heard = new Map<string, { epoch: number; instance: string; counter: number }>();
  #counter = 0;

  constructor(options: PeersOptions) {
    this.#options = options;
    const { problems, times = REQUEST_TIMES, signMs = 3000 } = options;
    const send: SendFrame = (to, meta, body) => {
      this.#counter += 1;
      return options.carrier.send(to, sealFrame(options.seal, options.self, to, this.#counter, meta, body));
    };
    this.#out = new RequestsOut(send, times, problems);
    this.#in = new RequestsIn(send, options.answer, problems);
    this.#channels = new Channels(send, options.accept, problems, signMs);
  }

  /** Rejects with `NoAnswer`. */
  fetch(to: Life, request: RemoteRequest): Promise<RemoteResponse> {
    return this.#out.fetch(to, request);
  }

  open(to: Life, who: Vouched, listener: ChannelListener): Channel {
    return this.#channels.open(to, who, listener);
  }

  receive(bytes: Uint8Array): void {
    const frame = openFrame(this.#options.seal, this.#options.self, bytes);
    if (frame === undefined) {
      this.counts.ignored += 1;
      return;
    }
    const { from, meta, body } = frame;
    if (!this.#isNext(from, frame.counter)) {
      this.counts.repeated += 1;
      return;
    }
    switch (meta.t) {
      case 'req':
      case 'ask':
        return this.#in.receive(from, meta, body);
      case 'more':
        return meta.of === 'req' ? this.#in.receive(from, meta, body) : this.#out.receive(meta, body);
      case 'got':
      case 'unseen':
      case 'res':
        return this.#out.receive(meta, body);
      case 'open':
      case 'msg':
      case 'credit':
      case 'close':
        return this.#channels.receive(from, meta, body);
    }
  }

  /** The directory says that this life is over. */
  lifeEnded(instance: string): void {
    this.#out.lifeEnded(instance);
    this.#channels.lifeEnded(instance);
  }

  get channels(): number {
    return this.#channels.size;
  }

  close(): void {
    this.#channels.close();
    this.#out.close();
    this.#in.close();
  }

  #isNext({ node, epoch, instance }: Life, counter: number): boolean {
    const heard = this.#heard.get(node);
    if (heard !== undefined && (epoch < heard.epoch || (epoch === heard.epoch && instance !== heard.instance))) return false;
    if (heard?.instance === instance && counter <= heard.counter) return false;
    this.#heard.set(node, { epoch, instance, counter });
    return true;
  }
}
