import { LIMITS } from '../../protocol/limits.ts';
import type { RecordBytes } from './record-bytes.ts';

const CHUNK_BYTES = 256 * 1024;
export const NEWLINE = 10;

/** How much of a line that is too long is shown. */
export const HEAD_BYTES = 4096;

/** A line of a record. */
export interface RecordLine {
  /** Its first byte, or its row. */
  readonly place: number;
  /** Without its newline. */
  readonly bytes: number;
  readonly text: string;
  /** It is too long to keep in memory; the text is only its start. */
  readonly isCut?: boolean;
  /** Why it can't be read; the text only describes it. */
  readonly problem?: string;
  /** Where the next one starts. */
  readonly next: number;
}

/** The complete lines of a record, starting at a byte, without a partial line at the end. */
export class LineCursor {
  private buffer: Buffer = Buffer.alloc(0);
  /** Offset of the buffer's first byte. */
  private from: number;

  constructor(
    private readonly bytes: RecordBytes,
    private position: number,
    private readonly chunkBytes: number = CHUNK_BYTES,
  ) {
    this.from = position;
  }

  next(): RecordLine | undefined {
    for (let wanted = this.chunkBytes; ; wanted *= 2) {
      const start = this.position - this.from;
      const end = this.buffer.indexOf(NEWLINE, start);
      if (end >= 0) return this.take(start, end);
      if (this.from + this.buffer.length >= this.bytes.size) return undefined;
      if (this.buffer.length - start > LIMITS.agentLineBytes) return this.skipLongLine();
      if (!this.fill(wanted)) return undefined;
    }
  }

  /** What follows the last newline, as a line. */
  rest(): RecordLine | undefined {
    const end = this.bytes.size;
    if (this.position >= end || end - this.position > LIMITS.agentLineBytes) return undefined;
    const text = this.bytes.read(this.position, end).toString('utf8');
    return { place: this.position, bytes: end - this.position, text, next: end };
  }

  close(): void {
    this.bytes.close();
  }

  private take(start: number, end: number): RecordLine {
    const place = this.position;
    this.position = this.from + end + 1;
    return { place, bytes: end - start, text: this.buffer.toString('utf8', start, end), next: this.position };
  }

  /** Reads more, keeping the current line at the start of the buffer; false if the record got shorter. */
  private fill(wanted: number): boolean {
    const unread = this.buffer.subarray(this.position - this.from);
    const end = this.position + unread.length;
    const more = this.bytes.read(end, Math.min(this.bytes.size, end + wanted));
    this.buffer = unread.length === 0 ? more : Buffer.concat([unread, more]);
    this.from = this.position;
    return more.length > 0;
  }

  /** Finds the end of a line that is too long without keeping it in memory. */
  private skipLongLine(): RecordLine | undefined {
    const place = this.position;
    for (let from = this.from + this.buffer.length; from < this.bytes.size; ) {
      const piece = this.bytes.read(from, Math.min(this.bytes.size, from + CHUNK_BYTES * 4));
      if (piece.length === 0) return undefined;
      const end = piece.indexOf(NEWLINE);
      if (end >= 0) return this.jump(place, from + end);
      from += piece.length;
    }
    return undefined;
  }

  private jump(place: number, newline: number): RecordLine {
    this.position = newline + 1;
    this.from = this.position;
    this.buffer = Buffer.alloc(0);
    return { place, bytes: newline - place, text: this.bytes.read(place, place + HEAD_BYTES).toString('utf8'), isCut: true, next: this.position };
  }
}
