import type { NumberedFile } from '../records/record-bytes.ts';
import type { Damage, KeptCopy } from './keep.ts';
import type { KeptFile, KeptIndex, Piece } from './kept-index.ts';
import { readSegment, type Segment } from './segments.ts';

/** Reads segments by hash; the last few are cached. */
export type SegmentReader = (sha: string) => Segment;

export interface CopyReading {
  readonly index: Pick<KeptIndex, 'numbered' | 'current' | 'piecesOf'>;
  readonly segment: SegmentReader;
  /** Called once per piece and copy, when reading finds it. */
  onDamage?(damage: Damage): void;
}

// A screen of a transcript needs one or two; more would waste memory.
const CACHED = 4;

export function cachedSegments(folder: string): SegmentReader {
  const cached = new Map<string, Segment>();
  return (sha) => {
    const segment = cached.get(sha) ?? readSegment(folder, sha);
    cached.delete(sha);
    if ('damage' in segment) return segment;
    cached.set(sha, segment);
    for (const oldest of [...cached.keys()].slice(0, -CACHED)) cached.delete(oldest);
    return segment;
  };
}

/** By number: another generation of the same path has other bytes. Only companions have no number. */
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
  const reported = new Set<number>();
  const report = (damage: Damage): void => {
    if (!reported.has(damage.fromByte)) reading.onDamage?.(damage);
    reported.add(damage.fromByte);
  };
  /** Visits every piece of the range, with its bytes if they can be read. */
  const visit = (from: number, to: number, take: (piece: Piece, bytes: Buffer | undefined) => void): void => {
    for (const piece of pieces.filter((one) => one.fromByte < to && one.fromByte + one.bytes > from)) {
      const segment = reading.segment(piece.sha);
      if ('raw' in segment) take(piece, segment.raw);
      else if (segment.damage === 'missing' && refresh(piece)) return visit(Math.max(from, piece.fromByte), to, take);
      else take(piece, undefined);
    }
  };
  /** The last piece grows by being replaced: it may have been removed since the pieces were listed. */
  const refresh = (missing: Piece): boolean => {
    pieces = reading.index.piecesOf((keptFileOf(reading, file) ?? kept).key);
    return !pieces.some((piece) => piece.sha === missing.sha);
  };
  return {
    size: kept.bytes,
    read: (from, wantedTo) => {
      const to = Math.min(wantedTo, kept.bytes);
      const out = Buffer.alloc(Math.max(0, to - from), '\n');
      visit(from, to, (piece, bytes) => (bytes ? place(out, from, piece, bytes) : report(damageOf(kept, piece))));
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
