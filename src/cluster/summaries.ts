import * as z from 'zod/mini';
import { type Carrier, type Life, type SealedChange, SUMMARIES } from './carrier.ts';
import type { Seal } from './seal.ts';
import { openRecord, sealRecord } from './sealed-record.ts';

/** Orders what one machine published: by epoch, then by number. */
export interface Version {
  readonly epoch: number;
  readonly number: number;
}

/** A session as another machine published it; `summary` is absent when it is gone. */
export interface PublishedChange {
  readonly id: string;
  readonly version: Version;
  readonly summary?: unknown;
}

export interface SummarySink {
  changed(node: string, changes: readonly PublishedChange[]): void;
  /** Everything that the machine shared up to this version: sessions that are missing here no longer exist there. */
  all(node: string, upTo: Version, changes: readonly PublishedChange[]): void;
}

const Stored = z.object({ id: z.string(), number: z.int(), summary: z.unknown() });
const LogEntry = z.object({
  number: z.int(),
  /** Everything was published again. */
  all: z.boolean(),
  changes: z.array(z.object({ id: z.string(), summary: z.optional(z.unknown()) })),
});

/** Publishes summaries of our sessions, and reads those of other machines. */
export class Summaries {
  #number = 0;
  /** The last entry of each machine that was read. */
  readonly #read = new Map<string, Version>();

  constructor(
    private readonly carrier: Carrier,
    private readonly seal: Seal,
    private readonly self: Life,
    private readonly sink: SummarySink,
  ) {}

  /** The summary of each session that changed; null: it is gone. */
  async publish(changes: ReadonlyMap<string, unknown>): Promise<void> {
    this.#number += 1;
    const entry = { number: this.#number, all: false, changes: [...changes].map(([id, summary]) => (summary === null ? { id } : { id, summary })) };
    await this.carrier.publish(this.self.node, this.#sealed(changes), sealRecord(this.seal, this.self, 'log', entry));
  }

  async republish(all: ReadonlyMap<string, unknown>): Promise<void> {
    this.#number += 1;
    const kept = new Map([...all].slice(0, SUMMARIES));
    const entry = { number: this.#number, all: true, changes: [] };
    await this.carrier.republish(this.self.node, [...this.#sealed(kept), this.#marker()], sealRecord(this.seal, this.self, 'log', entry));
  }

  /** Reads a published entry. Returns the machine whose summaries have to be read as a whole, if any. */
  logged(bytes: Uint8Array): string | undefined {
    const record = openRecord(this.seal, 'log', bytes);
    const entry = z.safeParse(LogEntry, record?.value);
    if (record === undefined || !entry.success || record.by.node === this.self.node) return undefined;
    const { node, epoch } = record.by;
    const version = { epoch, number: entry.data.number };
    const before = this.#read.get(node);
    if (before !== undefined && !isNewer(version, before)) return undefined;
    this.#read.set(node, version);
    this.sink.changed(
      node,
      entry.data.changes.map((change) => ({ ...change, version })),
    );
    const hasGap = before === undefined || before.epoch !== epoch || version.number !== before.number + 1;
    return hasGap || entry.data.all ? node : undefined;
  }

  /** Reads everything a machine shares. Without its marker the list may be incomplete, and nothing is taken as gone. */
  async load(node: string): Promise<void> {
    const changes: PublishedChange[] = [];
    let upTo: Version | undefined;
    for (const bytes of await this.carrier.summaries(node)) {
      const record = openRecord(this.seal, 'summary', bytes);
      const stored = z.safeParse(Stored, record?.value);
      if (record === undefined || record.by.node !== node || !stored.success) continue;
      const version = { epoch: record.by.epoch, number: stored.data.number };
      if (stored.data.id === MARKER) upTo = upTo === undefined || isNewer(version, upTo) ? version : upTo;
      else changes.push({ id: stored.data.id, version, summary: stored.data.summary });
    }
    if (upTo === undefined) return this.sink.changed(node, changes);
    // Changes since the marker are in the same hash.
    const newest = changes.reduce((best, { version }) => (isNewer(version, best) ? version : best), upTo);
    this.sink.all(node, newest, changes);
  }

  #sealed(changes: ReadonlyMap<string, unknown>): readonly SealedChange[] {
    return [...changes].map(([id, summary]) => [
      this.seal.nameOf(id),
      summary === null ? null : sealRecord(this.seal, this.self, 'summary', { id, number: this.#number, summary }),
    ]);
  }

  #marker(): SealedChange {
    return [this.seal.nameOf(MARKER), sealRecord(this.seal, this.self, 'summary', { id: MARKER, number: this.#number, summary: null })];
  }
}

/** No session has this id. */
const MARKER = '*';

export const isNewer = (a: Version, b: Version): boolean => a.epoch > b.epoch || (a.epoch === b.epoch && a.number > b.number);
