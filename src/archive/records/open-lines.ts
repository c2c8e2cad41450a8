import { lstatSync, readFileSync } from 'node:fs';
import type { RecordContext } from '../../agents/port/archive.ts';
import type { FileRow } from '../rows.ts';
import type { Lines } from './file-reading.ts';
import { LineCursor } from './line-cursor.ts';
import type { RecordBytes } from './record-bytes.ts';
import { markOf } from './record-mark.ts';

/** A longer companion is ignored. */
const COMPANION_BYTES = 1024 * 1024;

/** The lines of a record, starting at an offset. */
export function linesOf(bytes: RecordBytes, offset: number, chunkBytes?: number): Lines {
  const cursor = new LineCursor(bytes, offset, chunkBytes);
  return { next: () => cursor.next(), rest: () => cursor.rest(), mark: (at) => markOf(bytes, at), close: () => cursor.close() };
}

/** The companion next to the file, if there is one. */
export function contextOf({ companion }: Pick<FileRow, 'companion'>): RecordContext {
  if (companion === undefined) return {};
  try {
    const stat = lstatSync(companion);
    return stat.isFile() && stat.size <= COMPANION_BYTES ? { companion: readFileSync(companion, 'utf8') } : {};
  } catch {
    return {};
  }
}
