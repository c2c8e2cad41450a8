import { closeSync, fdatasync, fstat, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { JournalUnwritable } from './faults.ts';

const fdatasyncOf = promisify(fdatasync);
const fstatOf = promisify(fstat);

/** A descriptor of our own on SQLite's log, so that it can be synced without blocking anybody (docs/decisions/0002). */
export class WalFile {
  readonly #path: string;
  readonly #fd: number;
  #failed: unknown;
  #closed = false;

  /** The log must exist: open it after the first write of the connection. */
  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
    this.#fd = openSync(this.#path, 'r+');
  }

  /** Once a sync has failed the kernel may have dropped the pages: no later success would be worth anything. */
  async sync(): Promise<void> {
    if (this.#failed) throw this.#failed;
    try {
      await fdatasyncOf(this.#fd);
      const { nlink } = await fstatOf(this.#fd);
      if (nlink === 0) throw new Error('somebody removed it while it was in use');
    } catch (error) {
      this.#failed = new JournalUnwritable(this.#path, error instanceof Error ? error.message : String(error), { cause: error });
      throw this.#failed;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#fd);
  }
}
