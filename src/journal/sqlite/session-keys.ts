import type { SessionId } from '../../protocol/ids.ts';
import { intOf } from '../sqlite-driver.ts';
import type { ReadStatements } from './sqlite-rows.ts';

interface Known {
  readonly key: number;
  readonly lastSeq: number;
}

/** Sessions have a small number inside the database; it is remembered after the first lookup, together with the last seq. */
export class SessionKeys {
  readonly #statements: ReadStatements;
  readonly #known = new Map<SessionId, Known>();
  #next: number;

  constructor(statements: ReadStatements) {
    this.#statements = statements;
    this.#next = numberOf(statements.maxKey.get(), 'key') + 1;
  }

  /** The key that the next new session gets. */
  get next(): number {
    return this.#next;
  }

  find(session: SessionId): Known | undefined {
    const cached = this.#known.get(session);
    if (cached) return cached;
    const row = this.#statements.key.get(session);
    if (!row) return undefined;
    const key = intOf(row, 'key');
    return this.remember(session, { key, lastSeq: numberOf(this.#statements.lastSeq.get(key), 'seq') });
  }

  remember(session: SessionId, known: Known): Known {
    this.#known.set(session, known);
    this.#next = Math.max(this.#next, known.key + 1);
    return known;
  }

  forget(session: SessionId): void {
    this.#known.delete(session);
  }
}

export function numberOf(row: Parameters<typeof intOf>[0] | undefined, column: string): number {
  return row ? intOf(row, column) : 0;
}
