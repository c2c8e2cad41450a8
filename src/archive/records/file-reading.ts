import type { AgentArchive, PastLine, RecordContext } from '../../agents/port/archive.ts';
import type { FileRow } from '../rows.ts';
import { ownTime } from './identity.ts';
import type { RecordLine } from './line-cursor.ts';
import { readLine } from './line-events.ts';

/** A line with its parsed content. */
export interface ReadLine extends RecordLine {
  readonly past: PastLine;
  /** Its own time. */
  readonly time: number | undefined;
}

/** Lines in order, from a file or from rows of a database. */
export interface Lines {
  next(): RecordLine | undefined;
  /** What follows the last newline. */
  rest(): RecordLine | undefined;
  /** A fingerprint of the record before `offset`, to recognize it. */
  mark(offset: number): Uint8Array;
  close(): void;
}

/** One file of a session while it is read, one line ahead. */
export class FileReading {
  private ahead: ReadLine | undefined;

  constructor(
    readonly file: FileRow,
    private readonly lines: Lines,
    private readonly archive: AgentArchive,
    /** What is known so far besides the line itself. */
    private readonly context: () => RecordContext,
    /** Nobody has written for a while: a last line without a newline counts, if it can be read. */
    private readonly isQuiet: boolean,
  ) {}

  peek(): ReadLine | undefined {
    this.ahead ??= this.nextLine();
    return this.ahead;
  }

  /** When the next line was written, as far as the file says. */
  time(): number {
    return this.peek()?.time ?? this.file.lastAt ?? 0;
  }

  /** The line was processed: everything before the next one is done. */
  take({ next, time }: ReadLine): void {
    this.ahead = undefined;
    this.file.offset = next;
    if (time !== undefined) this.file.lastAt = time;
  }

  mark(): Uint8Array {
    return this.lines.mark(this.file.offset);
  }

  close(): void {
    this.lines.close();
  }

  private nextLine(): ReadLine | undefined {
    for (let line = this.lines.next(); line !== undefined; line = this.lines.next()) {
      if (line.text.trim() !== '') return this.read(line);
      this.file.offset = line.next;
    }
    return this.isQuiet ? this.lastLine() : undefined;
  }

  private lastLine(): ReadLine | undefined {
    const rest = this.lines.rest();
    if (rest === undefined || rest.next <= this.file.offset) return undefined;
    const line = this.read(rest);
    return line.past.observations.some(({ type }) => type === 'unrecognised') ? undefined : line;
  }

  private read(line: RecordLine): ReadLine {
    const past = readLine(this.archive, line, this.context(), line.place);
    // Gigabytes of lines pass through here: extending the line costs less than copying it.
    return Object.assign(line, { past, time: ownTime(past) });
  }
}
