import type { Lines } from './file-reading.ts';
import { type NumberedLine, toRecordLine } from './foreign-database.ts';
import type { RecordLine } from './line-cursor.ts';
import { NO_MARK } from './record-mark.ts';

/** Rows requested at once: more while they are short, fewer when they are long. */
const ROWS = { first: 20, most: 200 };
const LONG_CHARS = 1024 * 1024;

/** The rows of a conversation as lines. */
export class RowLines implements Lines {
  private ahead: readonly RecordLine[] = [];
  private last: number;
  private wanted = ROWS.first;

  constructor(
    private readonly rows: (after: number, limit: number) => readonly NumberedLine[],
    after: number,
  ) {
    this.last = after;
  }

  next(): RecordLine | undefined {
    if (this.ahead.length === 0) this.fetch();
    const [line, ...rest] = this.ahead;
    this.ahead = rest;
    if (line !== undefined) this.last = line.place;
    return line;
  }

  rest(): undefined {
    return undefined;
  }

  mark(): Uint8Array {
    return NO_MARK;
  }

  close(): void {
    this.ahead = [];
  }

  private fetch(): void {
    this.ahead = this.rows(this.last, this.wanted).map(toRecordLine);
    const isLong = this.ahead.reduce((sum, { text }) => sum + text.length, 0) > LONG_CHARS;
    this.wanted = isLong ? Math.max(1, this.wanted >> 2) : Math.min(ROWS.most, this.wanted * 2);
  }
}
