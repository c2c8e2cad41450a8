import { chmodSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Event, HUMAN_EVENTS } from '../protocol/event.ts';
import type { CommandId, RunId, SessionId } from '../protocol/ids.ts';
import { type BlobFiles, openBlobFiles, syncFolder } from './blobs.ts';
import { guarded, inWords, JournalDamaged } from './faults.ts';
import { GroupFlush } from './group-flush.ts';
import {
  type BlobKey,
  DuplicateReceipt,
  type Entry,
  type Journal,
  type OutboxRow,
  OutOfOrder,
  type RunRow,
  type Snapshot,
  type StoredReceipt,
} from './journal.ts';
import { type Anchor, Mirror, type Mirroring, mirroredSessions } from './mirror.ts';
import { blobsOf, numbered, positionsOf } from './numbered.ts';
import { rebuildMarker } from './rebuild-marker.ts';
import { JOURNAL_STEPS, migrate } from './schema.ts';
import { closeDatabase, copyDatabase, type Database, intOf, openDatabase, transactions } from './sqlite-driver.ts';
import { prepareReads, type SqliteReads, toEvent, toReceipt, toRun, toSend, toSessionId, toSnapshot } from './sqlite-read.ts';
import { deleteSession, prepareWrites, type WriteStatements, writeEntry } from './sqlite-write.ts';
import { UPCASTERS, type Upcaster } from './upcast.ts';
import { WalFile } from './wal-file.ts';

export interface SqliteJournalOptions {
  readonly dataDir: string;
  readonly upcasters?: readonly Upcaster[];
  /** For a journal that is built beside another one: whose blobs it shares, and who mirrors what is appended. */
  readonly blobsFolder?: string;
  readonly mirror?: Mirroring;
}

/** Opens `<dataDir>/journal.db`, or says why not: `JournalTooNew`, `JournalDamaged`, `JournalUnwritable`. */
export function openSqliteJournal(options: SqliteJournalOptions): Journal {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  chmodSync(options.dataDir, 0o700);
  const path = join(options.dataDir, 'journal.db');
  refuseUnfinished(options.dataDir, path);
  return guarded(path, () => {
    const db = openDatabase(path);
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    try {
      migrate(db, path, JOURNAL_STEPS);
      return new SqliteJournal(path, db, options);
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** 16 MB: each checkpoint holds the loop for some milliseconds, so they are few; a restart after a crash reads at most this much. */
const CHECKPOINT_PAGES = 4_000;

/** An empty journal beside sessions of people would look as if nothing had ever been. */
function refuseUnfinished(dataDir: string, path: string): void {
  if (existsSync(rebuildMarker(dataDir))) throw new JournalDamaged(path, 'a rebuild of it was begun and did not finish');
  if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) === 0 && mirroredSessions(join(dataDir, 'sessions')).length > 0) {
    throw new JournalDamaged(path, 'it is missing or empty although there are sessions');
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

interface Known {
  readonly key: number;
  lastSeq: number;
}

class SqliteJournal implements Journal {
  readonly #path: string;
  readonly #db: Database;
  readonly #upcasters: readonly Upcaster[];
  readonly #writes: WriteStatements;
  readonly #reads: SqliteReads;
  readonly #transaction: <T>(work: () => T) => T;
  readonly #wal: WalFile;
  readonly #mirror: Mirroring;
  /** How far each session's last run was read. */
  readonly #anchors = new Map<SessionId, Anchor>();
  readonly #blobs: BlobFiles;
  readonly #flush = new GroupFlush(() => this.#flushNow());
  readonly #known = new Map<SessionId, Known>();
  /** Blobs put by this process that no event speaks of yet: `forget` must leave them alone. */
  readonly #fresh = new Set<string>();
  #nextKey: number;
  #position: number;
  /** Up to here the mirror is known to be on the disk, and so it was last written down. */
  #mirrored: number;
  #mirroredWritten: number;
  #closed = false;

  constructor(path: string, db: Database, options: SqliteJournalOptions) {
    this.#path = path;
    this.#db = db;
    this.#upcasters = options.upcasters ?? UPCASTERS;
    this.#reads = prepareReads(db);
    this.#writes = prepareWrites(db);
    this.#transaction = transactions(db);
    // The first write makes SQLite create its log, which we then hold open ourselves.
    this.#writes.mark.run(this.#mark('opened') + 1, 'opened');
    this.#wal = new WalFile(path);
    syncFolder(dirname(path));
    this.#mirror = options.mirror ?? new Mirror(join(options.dataDir, 'sessions'));
    this.#blobs = openBlobFiles(options.blobsFolder ?? join(options.dataDir, 'blobs'));
    this.#nextKey = number(this.#reads.maxKey.get(), 'key') + 1;
    this.#position = Math.max(this.#mark('position'), number(this.#reads.maxPosition.get(), 'position'), number(this.#reads.maxReceipt.get(), 'position'));
    this.#mirrored = this.#mark('mirrored');
    this.#mirroredWritten = this.#mirrored;
    this.#completeMirror();
    for (const row of this.#reads.openRuns.all().map(toRun)) this.#anchors.set(row.session, { run: row.run, byte: row.outByte });
  }

  append(entry: Entry): readonly Event[] {
    return guarded(this.#path, () => this.#append(entry));
  }

  #append(entry: Entry): readonly Event[] {
    const known = this.#find(entry.session);
    const last = known?.lastSeq ?? 0;
    if (entry.after !== last) throw new OutOfOrder(entry.session, entry.after, last);
    if (entry.receipt && this.#reads.receipt.get(entry.receipt.commandId)) throw new DuplicateReceipt(entry.receipt.commandId);
    const key = known?.key ?? this.#nextKey;
    this.#transaction(() => {
      if (!known) this.#writes.session.run(key, entry.session);
      writeEntry(this.#writes, entry, { key, position: this.#position });
      if (entry.receipt && this.#mirrored > this.#mirroredWritten) this.#writes.mark.run(this.#mirrored, 'mirrored');
    });
    return this.#committed(entry, key);
  }

  #committed(entry: Entry, key: number): readonly Event[] {
    const events = entry.events.map((body, index) => numbered(body, entry.after + 1 + index, entry.at));
    this.#known.set(entry.session, { key, lastSeq: entry.after + events.length });
    if (key === this.#nextKey) this.#nextKey += 1;
    this.#position += positionsOf(entry);
    if (entry.receipt) this.#mirroredWritten = this.#mirrored;
    for (const event of events) for (const sha256 of blobsOf(event)) this.#fresh.delete(sha256);
    const run = entry.runs?.at(-1);
    if (run) this.#anchors.set(entry.session, { run: run.run, byte: run.outByte });
    this.#mirror.append(entry.session, events, entry.receipt, this.#anchors.get(entry.session));
    return events;
  }

  sync(): Promise<void> {
    return this.#flush.request();
  }

  async #flushNow(): Promise<void> {
    const position = this.#position;
    await Promise.all([this.#wal.sync(), this.#mirror.flush()]);
    this.#mirrored = position;
  }

  lastSeq(session: SessionId): number {
    return guarded(this.#path, () => this.#find(session)?.lastSeq ?? 0);
  }

  after(session: SessionId, after: number, limit: number): readonly Event[] {
    return guarded(this.#path, () => {
      const known = this.#find(session);
      return known ? this.#reads.after.all(known.key, after, limit).map((row) => toEvent(row, this.#upcasters)) : [];
    });
  }

  before(session: SessionId, before: number, limit: number): readonly Event[] {
    return guarded(this.#path, () => {
      const known = this.#find(session);
      const rows = known ? this.#reads.before.all(known.key, before, limit) : [];
      return rows.map((row) => toEvent(row, this.#upcasters)).reverse();
    });
  }

  receipt(commandId: CommandId): StoredReceipt | undefined {
    return guarded(this.#path, () => {
      const row = this.#reads.receipt.get(commandId);
      return row && toReceipt(row);
    });
  }

  snapshot(session: SessionId): Snapshot | undefined {
    return guarded(this.#path, () => {
      const known = this.#find(session);
      const row = known && this.#reads.snapshot.get(known.key);
      return row && toSnapshot(row);
    });
  }

  sessions(): readonly SessionId[] {
    return guarded(this.#path, () => this.#reads.sessions.all().map(toSessionId));
  }

  openRuns(): readonly RunRow[] {
    return guarded(this.#path, () => this.#reads.openRuns.all().map(toRun));
  }

  run(run: RunId): RunRow | undefined {
    return guarded(this.#path, () => {
      const row = this.#reads.run.get(run);
      return row && toRun(row);
    });
  }

  runsOf(session: SessionId): readonly RunRow[] {
    return guarded(this.#path, () => {
      const known = this.#find(session);
      return known ? this.#reads.runsOf.all(known.key).map(toRun) : [];
    });
  }

  pendingSends(run: RunId): readonly OutboxRow[] {
    return guarded(this.#path, () => this.#reads.pendingSends.all(run).map(toSend));
  }

  sendDone(run: RunId, offset: number): void {
    guarded(this.#path, () => this.#writes.sendDone.run(run, offset));
  }

  putBlob(bytes: Uint8Array): BlobKey {
    const key = this.#blobs.put(bytes);
    this.#fresh.add(key.sha256);
    return key;
  }

  blob(sha256: string): Uint8Array | undefined {
    return this.#blobs.get(sha256);
  }

  since(position: number, limit: number) {
    return guarded(this.#path, () =>
      this.#reads.since
        .all(position, limit)
        .map((row) => ({ position: intOf(row, 'position'), session: toSessionId(row), event: toEvent(row, this.#upcasters) })),
    );
  }

  position(): number {
    return this.#position;
  }

  forget(session: SessionId): void {
    const known = guarded(this.#path, () => this.#find(session));
    if (!known) return;
    const unused = guarded(this.#path, () =>
      this.#transaction(() => {
        this.#writes.mark.run(this.#position, 'position');
        return deleteSession(this.#db, session, known.key);
      }),
    );
    this.#known.delete(session);
    this.#anchors.delete(session);
    this.#mirror.forget(session);
    for (const sha256 of unused) if (!this.#fresh.has(sha256)) this.#blobs.remove(sha256);
  }

  async backup(path: string): Promise<void> {
    const beside = `${path}.tmp`;
    await copyDatabase(this.#db, beside).catch((error: unknown) => {
      throw inWords(path, error);
    });
    renameSync(beside, path);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#mirrored > this.#mirroredWritten) this.#writes.mark.run(this.#mirrored, 'mirrored');
    guarded(this.#path, () => closeDatabase(this.#db));
    this.#wal.close();
  }

  #find(session: SessionId): Known | undefined {
    const cached = this.#known.get(session);
    if (cached) return cached;
    const row = this.#reads.key.get(session);
    if (!row) return undefined;
    const key = intOf(row, 'key');
    const found = { key, lastSeq: number(this.#reads.lastSeq.get(key), 'seq') };
    this.#known.set(session, found);
    return found;
  }

  #mark(name: string): number {
    return number(this.#reads.mark.get(name), 'value');
  }

  /** After a crash: what was committed but perhaps never reached the mirror is written there again. */
  #completeMirror(): void {
    for (const row of this.#reads.sinceOfTypes.all(this.#mirrored, JSON.stringify([...HUMAN_EVENTS]))) {
      this.#mirror.append(toSessionId(row), [toEvent(row, this.#upcasters)]);
    }
    for (const row of this.#reads.receiptsSince.all(this.#mirrored)) this.#mirror.append(toSessionId(row), [], toReceipt(row));
  }
}

function number(row: Parameters<typeof intOf>[0] | undefined, column: string): number {
  return row ? intOf(row, column) : 0;
}
