import type { SeenRows } from '../keeper-port.ts';
import { SEGMENT } from './cut-segments.ts';
import type { KeptRow } from './keep.ts';
import type { KeptFile, Wanted } from './kept-index.ts';
import { readSegment, shaOf } from './segments.ts';
import type { Store } from './store.ts';

const ROWS_AT_ONCE = 100;

/** Copies some more rows of a conversation, each as a line with its number; true when all are copied. */
export function copyRows(store: Store, wanted: Wanted, source: SeenRows): boolean {
  const found = store.index.current(wanted.path, wanted.conversation);
  // Fewer rows than were copied: the conversation was rewritten. The earlier copy stays.
  const before = found !== undefined && found.lastRow > source.lastRow ? undefined : found;
  const openPiece = openPieceOf(store, before);
  const { lines, rows } = linesOf(rowsAfter(source, before?.lastRow ?? 0), openPiece.raw.length);
  const lastRow = rows.at(-1)?.row ?? source.lastRow;
  const isWhole = lastRow >= source.lastRow || rows.length === 0;
  const start = (): KeptFile => before ?? store.index.start(wanted, (found?.generation ?? 0) + 1, 0);
  if (rows.length === 0) {
    store.transaction(() => store.index.touch({ ...start(), lastRow }, 0, 0));
    return true;
  }
  const raw = Buffer.concat([openPiece.raw, lines]);
  const sha = shaOf(raw);
  const packed = store.segments.put(sha, raw);
  const firstRow = openPiece.firstRow ?? rows[0]?.row ?? 0;
  const piece = { fromByte: openPiece.fromByte, bytes: raw.length, sha, isOpen: raw.length < SEGMENT.usual, firstRow };
  const unreferenced = store.transaction(() => store.index.grow(start().key, { piece, packed, isWhole, mtimeMs: 0, ino: 0, lastRow }));
  for (const one of unreferenced) store.segments.remove(one);
  return isWhole;
}

/** An error of the agent's database must not look like one of ours: both are SQLite errors. */
function rowsAfter(source: SeenRows, after: number): readonly KeptRow[] {
  try {
    return source.rows(after, ROWS_AT_ONCE);
  } catch (error) {
    throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Parses a line of copied rows. */
export function rowOf(line: string): KeptRow {
  const [row, text]: unknown[] = JSON.parse(line);
  if (typeof row !== 'number' || typeof text !== 'string') throw new Error('a line of a copy of rows is neither number nor text');
  return { row, line: text };
}

interface OpenPiece {
  readonly fromByte: number;
  readonly raw: Buffer;
  readonly firstRow?: number;
}

/** The open piece that the next rows are appended to. A damaged piece is left as it is. */
function openPieceOf(store: Store, file: KeptFile | undefined): OpenPiece {
  const last = file && store.index.lastPiece(file.key);
  if (file === undefined || last === undefined) return { fromByte: 0, raw: Buffer.alloc(0) };
  const segment = last.isOpen ? readSegment(store.segmentsFolder, last.sha) : undefined;
  if (segment === undefined || 'damage' in segment) return { fromByte: file.bytes, raw: Buffer.alloc(0) };
  return { fromByte: last.fromByte, raw: segment.raw, firstRow: last.firstRow };
}

function linesOf(rows: readonly KeptRow[], openBytes: number): { readonly lines: Buffer; readonly rows: readonly KeptRow[] } {
  const lines: Buffer[] = [];
  let bytes = openBytes;
  for (const { row, line } of rows) {
    if (bytes >= SEGMENT.usual) break;
    const next = Buffer.from(`${JSON.stringify([row, line])}\n`);
    lines.push(next);
    bytes += next.length;
  }
  return { lines: Buffer.concat(lines), rows: rows.slice(0, lines.length) };
}
