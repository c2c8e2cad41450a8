import type { ArchiveStore } from '../store.ts';
import type { Known } from './branching.ts';
import type { Identity } from './identity.ts';

/** The most held in memory: 200,000 take about 20 MB. */
const HELD = 200_000;

/** The identities of one session while it is read. New ones are written in byte order, which fills database pages well. */
export class Identities {
  private readonly held = new Map<string, Known>();
  private readonly fresh = new Map<string, Identity>();

  constructor(
    private readonly store: ArchiveStore,
    private readonly session: number,
    /** Nothing of the session was read before, so memory holds all of them. */
    private isComplete: boolean,
  ) {}

  get(identity: Identity): Known | undefined {
    const held = this.held.get(identity.toString('latin1'));
    return held !== undefined || this.isComplete ? held : this.store.identity(this.session, identity);
  }

  put(identity: Identity, known: Known): void {
    const name = identity.toString('latin1');
    this.held.set(name, known);
    this.fresh.set(name, identity);
  }

  save(): void {
    const sorted = [...this.fresh].sort(([a], [b]) => (a < b ? -1 : 1));
    const known = sorted.flatMap(([name, identity]) => {
      const held = this.held.get(name);
      return held === undefined ? [] : [[identity, held] as const];
    });
    this.store.putIdentities(this.session, known);
    this.fresh.clear();
    if (this.held.size <= HELD) return;
    this.held.clear();
    this.isComplete = false;
  }
}
