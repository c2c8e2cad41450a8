import { isAscii } from 'node:buffer';
import type { RunSink } from './host.ts';

/** Cuts bytes into lines. It works on bytes first, then decodes: a character can be split between two reads, a newline can't. */
export interface LineCutter {
  /** Offset of the first byte that has not been delivered. */
  readonly atByte: number;
  /** Can be called with the same buffer again, because what is kept is copied. At most `lineBytes` long. */
  push(chunk: Buffer): void;
  /** No more bytes will arrive: half a line is lost. */
  finish(): void;
}

const NEWLINE = 10;

export function createLineCutter(fromByte: number, lineBytes: number, sink: Pick<RunSink, 'lines' | 'lost'>): LineCutter {
  let atByte = fromByte;
  let head: Buffer[] = [];
  let headBytes = 0;

  /** The start of a line. Past the limit it is only counted. */
  const keep = (bytes: Buffer): void => {
    headBytes += bytes.length;
    if (headBytes > lineBytes) head = [];
    else head.push(Buffer.from(bytes));
  };

  /** Ends the line that started in an earlier chunk. */
  const finishHead = (rest: Buffer, cut: Cut): void => {
    const bytes = headBytes + rest.length;
    if (bytes > lineBytes) sink.lost(atByte, atByte + bytes + 1, `a line of ${bytes} bytes is over the limit of ${lineBytes}`);
    else {
      cut.lines.push(decode(Buffer.concat([...head, rest])));
      cut.startBytes.push(atByte);
    }
    atByte += bytes + 1;
    head = [];
    headBytes = 0;
  };

  return {
    get atByte() {
      return atByte;
    },
    push: (chunk) => {
      const last = chunk.lastIndexOf(NEWLINE);
      if (last < 0) return keep(chunk);
      const cut: Cut = { lines: [], startBytes: [] };
      let from = 0;
      if (headBytes > 0) {
        from = chunk.indexOf(NEWLINE) + 1;
        finishHead(chunk.subarray(0, from - 1), cut);
      }
      if (from <= last) {
        cutWhole(chunk.subarray(from, last), atByte, cut);
        atByte += last + 1 - from;
      }
      if (cut.lines.length > 0) sink.lines({ ...cut, endByte: atByte });
      if (last + 1 < chunk.length) keep(chunk.subarray(last + 1));
    },
    finish: () => {
      if (headBytes === 0) return;
      sink.lost(atByte, atByte + headBytes, 'the process ended in the middle of a line');
      atByte += headBytes;
      headBytes = 0;
    },
  };
}

interface Cut {
  readonly lines: string[];
  readonly startBytes: number[];
}

/** Plain ASCII, the usual case, is decoded once and cut as text; anything else line by line, so that one emoji doesn't widen them all. */
function cutWhole(bytes: Buffer, atByte: number, cut: Cut): void {
  if (isAscii(bytes)) {
    cutAscii(bytes.toString('latin1'), atByte, cut);
    return;
  }
  let from = 0;
  while (from <= bytes.length) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline < 0 ? bytes.length : newline;
    cut.lines.push(bytes.toString('utf8', from, to));
    cut.startBytes.push(atByte + from);
    from = to + 1;
  }
}

function cutAscii(text: string, atByte: number, cut: Cut): void {
  let start = atByte;
  for (const line of text.split('\n')) {
    cut.lines.push(line);
    cut.startBytes.push(start);
    start += line.length + 1;
  }
}

/** Invalid bytes become the replacement character; they never cause the line to be dropped. */
const decode = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'));
