import type { SearchStatements } from './search-sql.ts';
import type { Words } from './texts.ts';

/** Characters, or bytes, buffered before they are written: a few megabytes, which become one segment of the index. */
const BUFFERED_CHARS = 4_000_000;

/**
 * Rows of the index that wait for the end of the transaction. FTS5 starts a new segment whenever a row has a lower number than the one
 * before it, and whenever another statement needs a savepoint: written together and in order, they take a third of the time.
 */
export class PendingWords {
  readonly #sql: Pick<SearchStatements, 'putWords' | 'dropWords'>;
  readonly #waiting = new Map<number, { readonly words: Words; readonly facets: string }>();
  #chars = 0;
  /** Buffer in which a text and its facets are joined. */
  #buffer = Buffer.alloc(0);

  constructor(sql: Pick<SearchStatements, 'putWords' | 'dropWords'>) {
    this.#sql = sql;
  }

  put(id: number, words: Words, facets: string): void {
    this.#waiting.set(id, { words, facets });
    this.#chars += words.length;
    if (this.#chars >= BUFFERED_CHARS) this.write();
  }

  drop(id: number): void {
    if (!this.#waiting.delete(id)) this.#sql.dropWords.run(id);
  }

  write(): void {
    const ids = Float64Array.from(this.#waiting.keys()).sort();
    for (const id of ids) {
      const row = this.#waiting.get(id);
      if (row !== undefined) this.#sql.putWords.run(id, this.#joined(row.words, row.facets));
    }
    this.clear();
  }

  #joined(words: Words, facets: string): Words {
    if (typeof words === 'string') return words + facets;
    const size = words.length + Buffer.byteLength(facets);
    if (this.#buffer.length < size) this.#buffer = Buffer.allocUnsafe(2 * size);
    this.#buffer.set(words);
    this.#buffer.write(facets, words.length);
    return this.#buffer.subarray(0, size);
  }

  clear(): void {
    this.#waiting.clear();
    this.#chars = 0;
  }
}
