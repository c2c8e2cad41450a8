import { Names } from './name-ids.ts';
import { WaitingWords } from './pending-words.ts';
import { idGiver } from './row-ids.ts';
import type { SearchStatements } from './search-sql.ts';

/** What is known of the rows that one transaction writes: one that is undone takes it with it. */
export class InTransaction {
  readonly #sql: SearchStatements;
  readonly names: Names;
  readonly words: WaitingWords;
  readonly giveId: (ms: number) => number;

  constructor(sql: SearchStatements) {
    this.#sql = sql;
    this.names = new Names(sql);
    this.words = new WaitingWords(sql);
    this.giveId = idGiver(sql);
  }

  dropRow(id: number): void {
    this.words.drop(id);
    this.#sql.dropDoc.run(id);
  }
}
