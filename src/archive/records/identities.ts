import type { ArchiveStore } from '../store.ts';
import type { Known } from './branching.ts';
import type { Identity } from './identity.ts';

/** The most that is cached in memory: 200,000 take about 20 MB. */
const CACHED = 200_000;

/** The identities of one session while it is read. New ones are written in byte order, which fills database pages well. */
export class Identities {
  private readonly cached = new Map<string, Known>();
  private readonly fresh = new Map<string, Identity>();

  constructor(
    private readonly store: ArchiveStore,
    private readonly session: number,
    /** Nothing of the session was read before, so memory has all of them. */
    private isComplete: boolean,
  ) {}

  get(identity: Identity): Known | undefined {
    const cached = this.cached.get(identity.toString('latin1'));
    return cached !== undefined || this.isComplete ? cached : this.store.identity(this.session, identity);
  }

  put(identity: Identity, known: Known): void {
    const name = identity.toString('latin1');
    this.cached.set(name, known);
    this.fresh.set(name, identity);
  }

  save(): void {
    const sorted = [...this.fresh].sort(([a], [b]) => (a < b ? -1 : 1));
    const known = sorted.flatMap(([name, identity]) => {
      const cached = this.cached.get(name);
      return cached === undefined ? [] : [[identity, cached] as const];
    });
    this.store.putIdentities(this.session, known);
    this.fresh.clear();
    if (this.cached.size <= CACHED) return;
    this.cached.clear();
    this.isComplete = false;
  }
}
