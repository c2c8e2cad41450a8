import { type Database, intOf, type Row, textOf } from '../../journal/sqlite-driver.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';

/** One generation of a file, as stored in kept.db. */
export interface KeptFile {
  readonly key: number;
  readonly session: SessionId;
  readonly agent: AgentId;
  readonly root: string;
  readonly path: string;
  /** The agent's own id of a conversation in a database; empty for a file. */
  readonly conversation: string;
  readonly kind: KeptKind;
  readonly generation: number;
  /** It is the newest generation. */
  readonly isCurrent: boolean;
  /** It was a complete copy of its file at some point. */
  readonly isWhole: boolean;
  readonly isGone: boolean;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly lastRow: number;
  readonly companion?: string;
}

export type KeptKind = 'record' | 'companion' | 'rows';

/** What should be copied. */
export interface Wanted {
  readonly session: SessionId;
  readonly agent: AgentId;
  readonly root: string;
  readonly path: string;
  readonly conversation: string;
  readonly kind: KeptKind;
  /** The archive's number of the file. */
  readonly number?: number;
  readonly companion?: string;
}

export interface Piece {
  readonly fromByte: number;
  readonly bytes: number;
  readonly sha: string;
  readonly isOpen: boolean;
  readonly firstRow: number;
}

export interface Grown {
  readonly piece: Piece;
  readonly packed: number;
  readonly isWhole: boolean;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly lastRow: number;
}

/** The statements of kept.db. The caller wraps what belongs together in one transaction. */
export function keptIndex(db: Database) {
  const current = db.prepare('SELECT * FROM files WHERE path = ? AND conversation = ? AND is_current = 1');
  const allCurrent = db.prepare('SELECT * FROM files WHERE is_current = 1');
  const older = db.prepare('SELECT * FROM files WHERE path = ? AND conversation = ? AND generation < ?');
  const ofSession = db.prepare('SELECT * FROM files WHERE session = ? ORDER BY path, generation');
  const numbered = db.prepare('SELECT files.* FROM numbers JOIN files ON files.key = numbers.file WHERE number = ? AND path = ?');
  const supersede = db.prepare('UPDATE files SET is_current = 0 WHERE path = ? AND conversation = ?');
  const insert = db.prepare(
    `INSERT INTO files (session, agent, root, path, conversation, kind, generation, is_current, is_whole, is_gone, bytes, mtime_ms, ino, last_row, companion)
     VALUES (?, ?, ?, ?, ?, ?, ?, 1, 0, 0, 0, 0, ?, 0, ?) RETURNING *`,
  );
  const grow = db.prepare('UPDATE files SET bytes = ?, is_whole = max(is_whole, ?), is_gone = 0, mtime_ms = ?, ino = ?, last_row = ? WHERE key = ?');
  const place = db.prepare('INSERT OR REPLACE INTO pieces VALUES (?, ?, ?, ?, ?, ?)');
  const addSegment = db.prepare('INSERT OR IGNORE INTO segments VALUES (?, ?)');
  const dropSegment = db.prepare('DELETE FROM segments WHERE sha = ?1 AND NOT EXISTS (SELECT 1 FROM pieces WHERE sha = ?1)');
  const pieceAt = db.prepare('SELECT sha FROM pieces WHERE file = ? AND from_byte = ?');
  const last = db.prepare('SELECT * FROM pieces WHERE file = ? ORDER BY from_byte DESC LIMIT 1');
  const pieces = db.prepare('SELECT * FROM pieces WHERE file = ? ORDER BY from_byte');
  const dropPieces = db.prepare('DELETE FROM pieces WHERE file = ?');
  const dropFile = db.prepare('DELETE FROM files WHERE key = ?');
  const dropNumbers = db.prepare('DELETE FROM numbers WHERE file = ?');
  const renumber = db.prepare('UPDATE numbers SET file = ? WHERE file = ?');
  const number = db.prepare('INSERT OR IGNORE INTO numbers VALUES (?, ?)');
  const lastNumbers = db.prepare('SELECT file, max(number) AS number FROM numbers GROUP BY file');
  const setGone = db.prepare('UPDATE files SET is_gone = ? WHERE key = ?');
  const isKnown = db.prepare('SELECT 1 FROM segments WHERE sha = ?');
  const forgotten = db.prepare('SELECT session FROM forgotten');
  const forget = db.prepare('INSERT OR IGNORE INTO forgotten VALUES (?)');
  const totals = db.prepare('SELECT * FROM totals');
  const turn = db.prepare('UPDATE totals SET is_on = ?');

  /** Removes unreferenced segments from the index; the caller removes their files after the transaction. */
  const dropUnreferenced = (shas: readonly string[]): readonly string[] => [...new Set(shas)].filter((sha) => dropSegment.run(sha).changes > 0);
  const piecesOf = (key: number): readonly Piece[] => pieces.all(key).map(pieceOf);
  const drop = (key: number): readonly string[] => {
    const shas = piecesOf(key).map((piece) => piece.sha);
    dropPieces.run(key);
    dropFile.run(key);
    dropNumbers.run(key);
    return dropUnreferenced(shas);
  };
  return {
    drop,
    piecesOf,
    current: (path: string, conversation: string) => firstFile(current.all(path, conversation)),
    numbered: (value: number, path: string) => firstFile(numbered.all(value, path)),
    allCurrent: () => allCurrent.all().map(fileOf),
    older: (file: KeptFile) => older.all(file.path, file.conversation, file.generation).map(fileOf),
    ofSession: (session: SessionId) => ofSession.all(session).map(fileOf),
    start: ({ session, agent, root, path, conversation, kind, companion }: Wanted, generation: number, ino: number): KeptFile => {
      supersede.run(path, conversation);
      const row = insert.get(session, agent, root, path, conversation, kind, generation, ino, companion ?? null);
      if (row === undefined) throw new Error(`no row for the copy of ${path}`);
      return fileOf(row);
    },
    /** Adds a piece, replacing the open one that started at the same byte; returns the segments that are no longer needed. */
    grow: (key: number, { piece, packed, ...file }: Grown): readonly string[] => {
      const before = pieceAt.get(key, piece.fromByte);
      addSegment.run(piece.sha, packed);
      place.run(key, piece.fromByte, piece.bytes, piece.sha, Number(piece.isOpen), piece.firstRow);
      grow.run(piece.fromByte + piece.bytes, Number(file.isWhole), file.mtimeMs, file.ino, file.lastRow, key);
      return before === undefined ? [] : dropUnreferenced([textOf(before, 'sha')]);
    },
    /** The file still has the same bytes; only its `stat` changed. */
    touch: (file: KeptFile, mtimeMs: number, ino: number): void => void grow.run(file.bytes, 1, mtimeMs, ino, file.lastRow, file.key),
    lastPiece: (key: number): Piece | undefined => {
      const row = last.get(key);
      return row && pieceOf(row);
    },
    /** The newer copy contains the older one. */
    absorb: (older: number, newer: number): readonly string[] => {
      renumber.run(newer, older);
      return drop(older);
    },
    /** A number stays with its first copy: for a replaced file the archive assigns another. */
    number: (value: number, key: number): void => void number.run(value, key),
    numbers: () => new Map(lastNumbers.all().map((row) => [intOf(row, 'file'), intOf(row, 'number')])),
    setGone: (key: number, isGone: boolean): void => void setGone.run(Number(isGone), key),
    isKnown: (sha: string): boolean => isKnown.get(sha) !== undefined,
    forgotten: () => forgotten.all().map((row) => textOf(row, 'session')),
    forget: (session: SessionId): void => void forget.run(session),
    totals: () => totalsOf(totals.get() ?? {}),
    turn: (on: boolean): void => void turn.run(Number(on)),
  };
}

export type KeptIndex = ReturnType<typeof keptIndex>;

const firstFile = ([row]: readonly Row[]): KeptFile | undefined => row && fileOf(row);

export const fileOf = (row: Row): KeptFile => ({
  key: intOf(row, 'key'),
  session: textOf(row, 'session') as SessionId,
  agent: textOf(row, 'agent') as AgentId,
  root: textOf(row, 'root'),
  path: textOf(row, 'path'),
  conversation: textOf(row, 'conversation'),
  kind: textOf(row, 'kind') as KeptKind,
  generation: intOf(row, 'generation'),
  isCurrent: intOf(row, 'is_current') === 1,
  isWhole: intOf(row, 'is_whole') === 1,
  isGone: intOf(row, 'is_gone') === 1,
  bytes: intOf(row, 'bytes'),
  mtimeMs: intOf(row, 'mtime_ms'),
  ino: intOf(row, 'ino'),
  lastRow: intOf(row, 'last_row'),
  ...(row.companion !== null && { companion: textOf(row, 'companion') }),
});

export const pieceOf = (row: Row): Piece => ({
  fromByte: intOf(row, 'from_byte'),
  bytes: intOf(row, 'bytes'),
  sha: textOf(row, 'sha'),
  isOpen: intOf(row, 'is_open') === 1,
  firstRow: intOf(row, 'first_row'),
});

const totalsOf = (row: Row) => ({
  on: intOf(row, 'is_on') === 1,
  files: intOf(row, 'files'),
  bytes: intOf(row, 'bytes'),
  rawBytes: intOf(row, 'raw_bytes'),
  gone: intOf(row, 'gone'),
});
