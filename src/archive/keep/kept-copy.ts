import type { NumberedFile } from '../record-bytes.ts';
import type { Damage, KeptCopy } from './keep.ts';
import type { KeptFile, KeptIndex, Piece } from './kept-index.ts';
import { readSegment, type Segment } from './segments.ts';

/** Gives segments by their name; the last few are held. */
export type SegmentReader = (sha: string) => Segment;

export interface CopyReading {
  readonly index: Pick<KeptIndex, 'numbered' | 'current' | 'piecesOf'>;
  readonly segment: SegmentReader;
  /** Told once a piece and copy, when reading meets it. */
  onDamage?(damage: Damage): void;
}

// A screen of a transcript lies in one or two; more would be memory for nothing.
const HELD = 4;

export function heldSegments(folder: string): SegmentReader {
  const held = new Map<string, Segment>();
  return (sha) => {
    const segment = held.get(sha) ?? readSegment(folder, sha);
    held.delete(sha);
    if ('damage' in segment) return segment;
    held.set(sha, segment);
    for (const oldest of [...held.keys()].slice(0, -HELD)) held.delete(oldest);
    return segment;
  };
}

/** Under its number: another generation of the same path has other bytes. Only companions have none. */
export function keptFileOf({ index }: Pick<CopyReading, 'index'>, file: NumberedFile): KeptFile | undefined {
  const numbered = index.numbered(file.key, file.path);
  if (numbered !== undefined) return numbered;
  const current = index.current(file.path, '');
  return current?.kind === 'companion' ? current : undefined;
}

export function openCopy(reading: CopyReading, file: NumberedFile): KeptCopy | undefined {
  const kept = keptFileOf(reading, file);
  if (kept === undefined) return undefined;
  const piecesNow = (): readonly Piece[] => reading.index.piecesOf((keptFileOf(reading, file) ?? kept).key);
  let pieces = piecesNow();
  const told = new Set<number>();
  /** Bytes of a piece; undefined when they are lost. */
  const bytesOf = (piece: Piece): Buffer | undefined => {
    const segment = reading.segment(piece.sha);
    if ('raw' in segment) return segment.raw;
    if (reading.onDamage && !told.has(piece.fromByte)) reading.onDamage(damageOf(kept, piece));
    told.add(piece.fromByte);
    return undefined;
  };
  /** The last piece grows by being replaced: its segment may have gone since the pieces were listed. */
  const piecesIn = (from: number, to: number): readonly Piece[] => {
    const within = (): readonly Piece[] => pieces.filter((piece) => piece.fromByte < to && piece.fromByte + piece.bytes > from);
    if (within().some((piece) => isMissing(reading.segment(piece.sha)))) pieces = piecesNow();
    return within();
  };
  return {
    size: kept.bytes,
    read: (from, wantedTo) => {
      const to = Math.min(wantedTo, kept.bytes);
      const out = Buffer.alloc(Math.max(0, to - from), '\n');
      for (const piece of piecesIn(from, to)) place(out, from, piece, bytesOf(piece));
      return out;
    },
    damage: () => piecesIn(0, kept.bytes).flatMap((piece) => (bytesOf(piece) === undefined ? [damageOf(kept, piece)] : [])),
    close: () => undefined,
  };
}

const isMissing = (segment: Segment): boolean => 'damage' in segment && segment.damage === 'missing';

const damageOf = (file: KeptFile, piece: Piece): Damage => ({ path: file.path, fromByte: piece.fromByte, bytes: piece.bytes });

function place(out: Buffer, from: number, piece: Piece, bytes: Buffer | undefined): void {
  if (bytes === undefined) return;
  const skipped = Math.max(0, from - piece.fromByte);
  bytes.copy(out, Math.max(0, piece.fromByte - from), skipped, piece.bytes);
}
