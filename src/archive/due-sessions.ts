import { existingFiles, type KnownSession } from './known-records.ts';

/** Sessions with something to read, newest first. */
export class DueSessions {
  /** Sessions without a quick look yet. */
  readonly unseen = new Set<KnownSession>();
  private readonly due = new Set<KnownSession>();
  private sorted: KnownSession[] | undefined;

  get size(): number {
    return this.due.size;
  }

  has(session: KnownSession): boolean {
    return this.due.has(session);
  }

  [Symbol.iterator](): Iterator<KnownSession> {
    return this.due.values();
  }

  add(session: KnownSession): void {
    if (session.isUnseen) this.unseen.add(session);
    this.due.add(session);
    this.sorted = undefined;
  }

  delete(session: KnownSession): void {
    this.unseen.delete(session);
    this.due.delete(session);
  }

  seen(session: KnownSession): void {
    session.isUnseen = false;
    this.unseen.delete(session);
  }

  newest(): KnownSession | undefined {
    this.sorted ??= [...this.due].sort((a, b) => newestOf(a) - newestOf(b));
    for (let last = this.sorted.at(-1); last !== undefined; last = this.sorted.at(-1)) {
      if (this.due.has(last)) return last;
      this.sorted.pop();
    }
    return undefined;
  }
}

const newestOf = (session: KnownSession): number => Math.max(0, ...existingFiles(session).map(({ row }) => row.mtimeMs));
