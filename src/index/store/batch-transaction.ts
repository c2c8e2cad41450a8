import type { Database } from '../../journal/sqlite/sqlite-driver.ts';

/**
 * One transaction over many writes. FTS5 writes what it holds whenever a transaction ends: records that come in by the hundred take half the time when
 * they end it rarely.
 */
export class Together {
  readonly #db: Database;
  #isOpen = false;

  constructor(db: Database) {
    this.#db = db;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  begin(): void {
    if (this.#isOpen) return;
    this.#db.exec('BEGIN IMMEDIATE');
    this.#isOpen = true;
  }

  /** All of it, or nothing. */
  end(): void {
    if (!this.#isOpen) return;
    try {
      this.#db.exec('COMMIT');
    } catch (error) {
      this.undo();
      throw error;
    }
    this.#isOpen = false;
  }

  undo(): void {
    this.#isOpen = false;
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // After some errors (a full disk) SQLite has rolled back by itself, and says so by refusing.
      return;
    }
  }
}
