import type { Event } from '../../protocol/event.ts';
import type { RequestId, RunId } from '../../protocol/ids.ts';
import type { Anchor } from '../mirror.ts';
import type { Unnumbered } from '../number-events.ts';
import type { MirroredEvent } from './mirror-file.ts';

/** The events of one run, in the order of its output. */
export interface MergeRun {
  readonly run: RunId;
  readonly events: readonly Unnumbered[];
  /** How it ended, if the mirror doesn't say: after everything people did while it was alive. */
  readonly end?: readonly Unnumbered[];
}

/** `wasSeq` is the seq that a person's event had before. */
export interface MergedEvent {
  readonly body: Unnumbered;
  readonly wasSeq?: number;
}

/**
 * Merges what people did and what the agent's runs printed into one order. Guaranteed: every event of both sides appears once, people's
 * events keep their order, a run's events keep theirs and come after its `run.opened` and before the next one. Where a person's event was
 * in a run follows from the line it was read from or from its anchor; without either (lost in a crash), as many of the agent's events
 * come before it as originally did.
 */
export function merge(people: readonly MirroredEvent[], runs: readonly MergeRun[]): readonly MergedEvent[] {
  const merger = new Merger(runs);
  let lastSeq = (people[0]?.event.seq ?? 1) - 1;
  for (const person of people) {
    merger.before(person, person.event.seq - lastSeq - 1);
    merger.person(person);
    lastSeq = person.event.seq;
  }
  return merger.finish();
}

/** The line of a run's output that caused this event. */
export function lineOf({ src }: Event): Anchor | undefined {
  return src?.run === undefined || src.file !== undefined ? undefined : { run: src.run, byte: src.byte };
}

class Merger {
  readonly #merged: MergedEvent[] = [];
  /** The remaining events of each run, in the order of the runs. */
  readonly #left: Map<RunId, Unnumbered[]>;
  readonly #ends: Map<RunId, readonly Unnumbered[]>;
  #open: RunId | undefined;
  readonly #opened = new Set<RunId>();

  constructor(runs: readonly MergeRun[]) {
    this.#left = new Map(runs.map(({ run, events }) => [run, [...events]]));
    this.#ends = new Map(runs.map(({ run, end = [] }) => [run, end]));
  }

  /** Adds the agent's events that came before this event of a person. */
  before({ event, anchor }: MirroredEvent, gap: number): void {
    const line = lineOf(event);
    if (event.type === 'run.opened') this.#finishRun(this.#open);
    else if (line && this.#opened.has(line.run)) this.#take(line.run, this.#countInLine(event, line, gap));
    else if (anchor && this.#opened.has(anchor.run)) this.#take(anchor.run, this.#countBelow(anchor));
    else if (anchor) this.#take(this.#open, Number.POSITIVE_INFINITY);
    else if (event.type === 'permission.resolved') this.#take(this.#open, Math.max(gap, this.#countThrough(event.requestId)));
    else this.#take(this.#open, gap);
  }

  person({ event }: MirroredEvent): void {
    const { seq, ...body } = event;
    this.#merged.push({ body, wasSeq: seq });
    if (event.type !== 'run.opened') return;
    this.#open = event.run;
    this.#opened.add(event.run);
  }

  /** Runs without a known `run.opened` come last. */
  finish(): readonly MergedEvent[] {
    this.#finishRun(this.#open);
    for (const run of this.#left.keys()) this.#finishRun(run);
    return this.#merged;
  }

  #finishRun(run: RunId | undefined): void {
    if (run === undefined) return;
    this.#take(run, Number.POSITIVE_INFINITY);
    for (const body of this.#ends.get(run) ?? []) this.#merged.push({ body });
    this.#ends.delete(run);
  }

  #leftOf(run: RunId | undefined): Unnumbered[] {
    return run === undefined ? [] : (this.#left.get(run) ?? []);
  }

  #take(run: RunId | undefined, count: number): void {
    for (const body of this.#leftOf(run).splice(0, Math.max(0, count))) this.#merged.push({ body });
  }

  /** An event without its own position belongs to the line before it. */
  #countBelow(anchor: Anchor): number {
    const left = this.#leftOf(anchor.run);
    const first = left.findIndex((event) => event.src !== undefined && event.src.byte >= anchor.byte);
    return first < 0 ? left.length : first;
  }

  /** Among the events of its own line it keeps its place; all events of earlier lines come before it, none of later ones. */
  #countInLine(event: Event, { run, byte }: Anchor, gap: number): number {
    const request = event.type === 'permission.resolved' ? this.#countThrough(event.requestId) : 0;
    const most = Math.max(request, this.#countBelow({ run, byte: byte + 1 }));
    return Math.min(most, Math.max(gap, request, this.#countBelow({ run, byte })));
  }

  /** A request comes before its answer, whatever the numbers say. */
  #countThrough(requestId: RequestId): number {
    return this.#leftOf(this.#open).findIndex((event) => event.type === 'permission.requested' && event.requestId === requestId) + 1;
  }
}
