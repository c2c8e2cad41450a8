import { Names } from './name-ids.ts';
import { PendingWords } from './pending-words.ts';
import { idAllocator } from './row-ids.ts';
import type { SearchStatements } from './search-sql.ts';

/** What is known about the rows that one transaction writes: a rollback discards it. */
export class InTransaction {
  readonly #sql: SearchStatements;
  readonly names: Names;
  readonly words: PendingWords;
  readonly allocateId: (ms: number) => number;

  constructor(sql: SearchStatements) {
    this.#sql = sql;
    this.names = new Names(sql);
    this.words = new PendingWords(sql);
    this.allocateId = idAllocator(sql);
  }

  dropRow(id: number): void {
    this.words.drop(id);
    this.#sql.dropDoc.run(id);
  }
}
