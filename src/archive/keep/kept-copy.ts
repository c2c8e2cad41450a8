import type { NumberedFile } from '../records/record-bytes.ts';
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
  let pieces = reading.index.piecesOf(kept.key);
  const told = new Set<number>();
  const tell = (damage: Damage): void => {
    if (!told.has(damage.fromByte)) reading.onDamage?.(damage);
    told.add(damage.fromByte);
  };
  /** Hands every piece of the range over, with its bytes where they can be read. */
  const visit = (from: number, to: number, take: (piece: Piece, bytes: Buffer | undefined) => void): void => {
    for (const piece of pieces.filter((one) => one.fromByte < to && one.fromByte + one.bytes > from)) {
      const segment = reading.segment(piece.sha);
      if ('raw' in segment) take(piece, segment.raw);
      else if (segment.damage === 'missing' && refresh(piece)) return visit(Math.max(from, piece.fromByte), to, take);
      else take(piece, undefined);
    }
  };
  /** The last piece grows by being replaced: it may have gone since the pieces were listed. */
  const refresh = (missing: Piece): boolean => {
    pieces = reading.index.piecesOf((keptFileOf(reading, file) ?? kept).key);
    return !pieces.some((piece) => piece.sha === missing.sha);
  };
  return {
    size: kept.bytes,
    read: (from, wantedTo) => {
      const to = Math.min(wantedTo, kept.bytes);
      const out = Buffer.alloc(Math.max(0, to - from), '\n');
      visit(from, to, (piece, bytes) => (bytes ? place(out, from, piece, bytes) : tell(damageOf(kept, piece))));
      return out;
    },
    damage: () => {
      const found: Damage[] = [];
      visit(0, kept.bytes, (piece, bytes) => void (bytes ?? found.push(damageOf(kept, piece))));
      return found;
    },
    close: () => undefined,
  };
}

const damageOf = (file: KeptFile, piece: Piece): Damage => ({ path: file.path, fromByte: piece.fromByte, bytes: piece.bytes });

function place(out: Buffer, from: number, piece: Piece, bytes: Buffer): void {
  const skipped = Math.max(0, from - piece.fromByte);
  bytes.copy(out, Math.max(0, piece.fromByte - from), skipped, piece.bytes);
}
