import { createHash } from 'node:crypto';

/** Bytes of a segment before it is compressed. One of `most` takes 10 ms to read, compress and write here: a step must be short. */
export const SEGMENT = { least: 256 * 1024, usual: 512 * 1024, most: 768 * 1024 } as const;

export interface Cut {
  readonly length: number;
  /** It ends only because the file does, and is cut again when the file has grown. */
  readonly isOpen: boolean;
}

/**
 * Where the segment that starts with these bytes ends. The lines themselves decide, not their offsets: two
 * records that differ only in their first line are soon cut at the same lines, and share what follows.
 */
export function cut(bytes: Buffer): Cut {
  const end = endByLine(bytes.subarray(0, SEGMENT.most));
  if (end !== undefined) return { length: end, isOpen: false };
  if (bytes.length < SEGMENT.most) return { length: bytes.length, isOpen: true };
  const lastLine = bytes.lastIndexOf(NEWLINE, SEGMENT.most - 1) + 1;
  return { length: lastLine > SEGMENT.least ? lastLine : SEGMENT.most, isOpen: false };
}

const NEWLINE = 10;

function endByLine(bytes: Buffer): number | undefined {
  if (bytes.length <= SEGMENT.least) return undefined;
  let start = bytes.lastIndexOf(NEWLINE, SEGMENT.least) + 1;
  for (let end = bytes.indexOf(NEWLINE, SEGMENT.least + 1); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    if (isChosen(bytes.subarray(start, end))) return end + 1;
    start = end + 1;
  }
  return undefined;
}

/** The longer a line, the likelier it is chosen: segments get the same size with many short lines as with a few long ones. */
function isChosen(line: Buffer): boolean {
  const chance = createHash('sha1').update(line).digest().readUInt32BE() / 0x1_0000_0000;
  return chance < line.length / (SEGMENT.usual - SEGMENT.least);
}
