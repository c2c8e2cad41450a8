import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Problems } from '../problems/problems.ts';
import { MachineFacts } from '../protocol/api/machines.ts';
import type { Carrier, Life, Member } from './carrier.ts';
import type { AcceptChannel, Channel, ChannelListener } from './channels.ts';
import { CLUSTER_REVISION, type Vouched } from './frames.ts';
import { type FrameCounts, Peers } from './peers.ts';
import type { AnswerRequest } from './requests-in.ts';
import { NoAnswer, type RemoteRequest, type RemoteResponse, type RequestTimes } from './requests-out.ts';
import type { Seal } from './seal.ts';
import { openRecord, sealRecord } from './sealed-record.ts';
import { Summaries, type SummarySink } from './summaries.ts';

export interface ClusterOptions {
  readonly carrier: Carrier;
  readonly seal: Seal;
  readonly node: { readonly id: string; readonly epoch: number };
  /** Keeps the epoch, so that the next life has a higher one even when the directory was emptied. */
  readonly saveEpoch: (epoch: number) => void;
  readonly facts: () => MachineFacts;
  readonly problems: Problems;
  readonly answer: AnswerRequest;
  readonly accept: AcceptChannel;
  readonly sink: SummarySink;
  /** The summaries of all our sessions, newest first. */
  readonly all: () => Promise<ReadonlyMap<string, unknown>>;
  /** Another machine came, went or changed, or our own connection did. */
  readonly changed: () => void;
  readonly beatMs?: number;
  readonly goneMs?: number;
  readonly times?: RequestTimes;
}

export type ClusterState = 'joining' | 'joined' | 'unreachable' | 'superseded';

/** Another machine, as of the last beat. */
export interface OtherMachine {
  readonly life: Life;
  readonly state: 'reachable' | 'gone' | 'other-key' | 'needs-update';
  readonly facts?: MachineFacts;
  /** When it was last heard of, by our clock. */
  readonly heardAt: number;
}

const BEAT_MS = 3000;
const GONE_MS = 10_000;

const SealedFacts = z.object({ revision: z.int(), facts: z.unknown() });

/** This machine's part in a cluster: joins, beats, notices who comes and goes, and talks to them. */
export class Cluster {
  #state: ClusterState = 'joining';
  #life: Life;
  #peers: Peers | undefined;
  #summaries: Summaries | undefined;
  #others: ReadonlyMap<string, OtherMachine> = new Map();
  #beats = 0;
  #isBeating = false;
  #mustRepublish = false;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly options: ClusterOptions) {
    const { node } = options;
    this.#life = { node: node.id, epoch: node.epoch, instance: randomBytes(9).toString('hex') };
    this.#timer = options.problems.every('stay in touch with other machines', options.beatMs ?? BEAT_MS, () => this.beat());
    this.#timer.unref();
  }

  get state(): ClusterState {
    return this.#state;
  }

  get counts(): FrameCounts | undefined {
    return this.#peers?.counts;
  }

  others(): ReadonlyMap<string, OtherMachine> {
    return this.#others;
  }

  /** The life of a machine that can be reached now. */
  lifeOf(node: string): Life | undefined {
    const other = this.#others.get(node);
    return this.#state === 'joined' && other?.state === 'reachable' ? other.life : undefined;
  }

  /** Rejects with `NoAnswer`. */
  async fetch(node: string, request: RemoteRequest): Promise<RemoteResponse> {
    const to = this.lifeOf(node);
    if (to === undefined || this.#peers === undefined) throw new NoAnswer('not-sent');
    return this.#peers.fetch(to, request);
  }

  open(node: string, who: Vouched, listener: ChannelListener): Channel | undefined {
    const to = this.lifeOf(node);
    return to === undefined ? undefined : this.#peers?.open(to, who, listener);
  }

  /** The others learn it now or, when they can't be told, with everything else after a later beat. */
  publish(changes: ReadonlyMap<string, unknown>): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state !== 'joined' || this.#mustRepublish) {
        this.#mustRepublish = true;
        return;
      }
      await this.#summaries?.publish(changes).catch(() => {
        this.#mustRepublish = true;
      });
    });
  }

  async forget(node: string): Promise<void> {
    await this.options.carrier.forget(node);
    this.#others = new Map([...this.#others].filter(([id]) => id !== node));
    this.options.changed();
  }

  /** One sign of life. The first one joins. */
  async beat(): Promise<void> {
    if (this.#isBeating || this.#isClosed || this.#state === 'superseded') return;
    this.#isBeating = true;
    try {
      if (this.#peers === undefined) await this.#join();
      await this.#beatOnce();
    } catch {
      // The carrier says why; what people see is that nobody can be reached.
      this.#setState(this.#peers === undefined ? 'joining' : 'unreachable');
    } finally {
      this.#isBeating = false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#peers?.close();
    if (this.#state === 'joined') await this.options.carrier.leave(this.#life).catch(() => undefined);
    await this.options.carrier.close();
  }

  /** Takes an epoch above every earlier one, so that frames and writes of earlier lives no longer count. */
  async #join(): Promise<void> {
    const { carrier, seal, node, problems, answer, accept, sink, times, saveEpoch } = this.options;
    const known = await carrier.epochOf(node.id);
    this.#life = { ...this.#life, epoch: Math.max(this.#life.epoch, known) + 1 };
    saveEpoch(this.#life.epoch);
    const peers = new Peers({ carrier, seal, self: this.#life, problems, answer, accept, ...(times !== undefined && { times }) });
    const summaries = new Summaries(carrier, seal, this.#life, sink);
    await carrier.receive(this.#life, {
      frame: (bytes) => this.#peers?.receive(bytes),
      logged: (bytes) => {
        const incomplete = summaries.logged(bytes);
        if (incomplete !== undefined) problems.during('read what other machines share', () => summaries.load(incomplete));
      },
      logLost: () => problems.during('read what other machines share', () => this.#loadAll()),
    });
    this.#peers = peers;
    this.#summaries = summaries;
  }

  async #beatOnce(): Promise<void> {
    const { carrier, seal, facts } = this.options;
    this.#beats += 1;
    const answer = await carrier.beat(this.#life, sealRecord(seal, this.#life, 'facts', { revision: CLUSTER_REVISION, facts: facts() }), this.#beats);
    if (this.#isClosed) return;
    if (answer.outcome === 'superseded') return this.#superseded();
    const before = this.#others;
    this.#others = this.#read(answer.members);
    const wasJoined = this.#state === 'joined';
    this.#setState('joined');
    this.#notice(before);
    if (answer.isNew || this.#mustRepublish) await this.#republish();
    if (!wasJoined) await this.#loadAll();
  }

  #republish(): Promise<void> {
    this.#mustRepublish = true;
    return this.#inTurn(async () => {
      await this.#summaries?.republish(await this.options.all());
      this.#mustRepublish = false;
    });
  }

  /** One write after the other: a session that became private must not come back with an older list. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(work);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }

  async #loadAll(): Promise<void> {
    for (const node of this.#others.keys()) await this.#summaries?.load(node);
  }

  #read(members: readonly Member[]): ReadonlyMap<string, OtherMachine> {
    const others = members.filter(({ node }) => node !== this.#life.node);
    return new Map(others.map((member) => [member.node, this.#otherOf(member)]));
  }

  #otherOf({ node, epoch, instance, facts, silentMs, hasLeft }: Member): OtherMachine {
    const life = { node, epoch, instance };
    const heardAt = Date.now() - silentMs;
    const record = openRecord(this.options.seal, 'facts', facts);
    const sealed = z.safeParse(SealedFacts, record?.value);
    if (!sealed.success || record?.by.node !== node) return { life, state: 'other-key', heardAt };
    const known = z.safeParse(MachineFacts, sealed.data.facts);
    if (sealed.data.revision !== CLUSTER_REVISION || !known.success) return { life, state: 'needs-update', heardAt };
    const isGone = hasLeft || silentMs >= (this.options.goneMs ?? GONE_MS);
    return { life, state: isGone ? 'gone' : 'reachable', facts: known.data, heardAt };
  }

  /** Ends what waits for lives that are over, and reads what newcomers share. */
  #notice(before: ReadonlyMap<string, OtherMachine>): void {
    for (const [node, { life, state }] of before) {
      const now = this.#others.get(node);
      if (now === undefined || now.life.instance !== life.instance || (state === 'reachable' && now.state !== 'reachable'))
        this.#peers?.lifeEnded(life.instance);
    }
    const fresh = [...this.#others].filter(([node]) => !before.has(node)).map(([node]) => node);
    for (const node of fresh) this.options.problems.during('read what other machines share', () => this.#summaries?.load(node));
    this.options.changed();
  }

  /** Another copy of this data folder joined later. It stays, we work alone from now on. */
  #superseded(): void {
    clearInterval(this.#timer);
    this.#peers?.close();
    this.#others = new Map();
    this.#setState('superseded');
    this.options.problems.during('leave the cluster', () => this.options.carrier.close());
  }

  #setState(state: ClusterState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.options.changed();
  }
}
