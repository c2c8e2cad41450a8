import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { JournalUnwritable } from '../journal-errors.ts';

const fdatasyncOf = promisify(fdatasync);

/** Our own descriptor on SQLite's log, so that it can be synced without blocking anything (docs/decisions/0002). */
export class WalFile {
  readonly #path: string;
  readonly #fd: number;
  #failed: unknown;
  #pending = 0;
  #isClosing = false;
  #isClosed = false;

  /** The log must exist: open it after the first write of the connection. */
  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
    this.#fd = openSync(this.#path, 'r+');
  }

  /** Once a sync has failed, the kernel may have dropped the pages: a later success would mean nothing. */
  async sync(): Promise<void> {
    if (this.#failed) throw this.#failed;
    this.#pending += 1;
    try {
      await fdatasyncOf(this.#fd);
      const { nlink } = fstatSync(this.#fd);
      if (nlink === 0 && !this.#isClosing) throw new Error('somebody removed it while it was in use');
    } catch (error) {
      this.#failed = new JournalUnwritable(this.#path, error instanceof Error ? error.message : String(error), { cause: error });
      throw this.#failed;
    } finally {
      this.#pending -= 1;
      this.#closeWhenIdle();
    }
  }

  /** The descriptor stays open until the last sync is done: its number could be reused for another file. */
  close(): void {
    this.#isClosing = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (!this.#isClosing || this.#pending > 0 || this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#fd);
  }
}
