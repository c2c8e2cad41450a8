import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AuditLine } from '../../protocol/api/audit.ts';
import { type Event, HUMAN_EVENTS, isMirrored, SERVER_EVENTS } from '../../protocol/event.ts';
import type { RunId, SessionId } from '../../protocol/ids.ts';
import { keepAuditOfDeleted } from '../audit-of-deleted.ts';
import { type BlobFiles, openBlobFiles, syncFolder } from '../blobs.ts';
import { type BlobKey, DuplicateReceipt, type Entry, type Journal, OutOfOrder } from '../journal.ts';
import { asJournalError } from '../journal-errors.ts';
import { type Anchor, Mirror, type Mirroring } from '../mirror.ts';
import { blobsOf, lastBefore, numbered, positionsOf } from '../number-events.ts';
import { closeDatabase, copyDatabase, type Database, transactions } from '../sqlite-driver.ts';
import type { Upcaster } from '../upcast.ts';
import { Checkpointer } from './checkpointer.ts';
import { GroupFlush } from './group-flush.ts';
import { numberOf } from './session-keys.ts';
import { auditedMark, auditOfSession, writeAudit } from './sqlite-audit.ts';
import { SqliteReader } from './sqlite-reader.ts';
import { toAnchor, toReceipt, toSessionId } from './sqlite-rows.ts';
import { deleteSession, prepareWrites, type WriteStatements, writeEntry } from './sqlite-write.ts';
import { WalFile } from './wal-file.ts';

export interface SqliteJournalParts {
  readonly upcasters?: readonly Upcaster[];
  /** For a journal that is built next to another one: whose blobs it shares, and what mirrors its appends. */
  readonly blobsFolder?: string;
  readonly mirror?: Mirroring;
}

export class SqliteJournal extends SqliteReader implements Journal {
  readonly #writes: WriteStatements;
  readonly #transaction: <T>(work: () => T) => T;
  readonly #wal: WalFile;
  readonly #checkpointer: Checkpointer;
  readonly #mirror: Mirroring;
  readonly #blobs: BlobFiles;
  readonly #flush = new GroupFlush(
    () => this.#flushNow(),
    () => this.#changes,
  );
  /** How far each session's last run was read. */
  readonly #anchors = new Map<SessionId, Anchor>();
  /** Blobs put by this process that no event refers to yet: `forget` must leave them alone. */
  readonly #fresh = new Set<string>();
  #position: number;
  /** Transactions of this process that must not be lost. (The fact that an agent got some bytes can be: they are found in its input.) */
  #changes = 0;
  /** The position up to which the mirror is known to be on disk, and the one that was last stored. */
  #mirrored: number;
  #mirroredWritten: number;
  #closed = false;

  constructor(path: string, db: Database, parts: SqliteJournalParts) {
    super(path, db, parts.upcasters);
    this.#writes = prepareWrites(db);
    this.#transaction = transactions(db);
    // The first write makes SQLite create its log, which we then keep open ourselves.
    this.#writes.mark.run(this.#mark('opened') + 1, 'opened');
    this.#wal = new WalFile(path);
    this.#checkpointer = new Checkpointer(db, this.#wal);
    syncFolder(dirname(path));
    this.#mirror = parts.mirror ?? new Mirror(join(dirname(path), 'sessions'));
    this.#blobs = openBlobFiles(parts.blobsFolder ?? join(dirname(path), 'blobs'));
    this.#position = Math.max(this.#mark('position'), numberOf(this.reads.maxPosition.get(), 'position'), numberOf(this.reads.maxReceipt.get(), 'position'));
    this.#mirrored = this.#mark('mirrored');
    this.#mirroredWritten = this.#mirrored;
    this.#completeMirror();
  }

  append(entry: Entry): readonly Event[] {
    return this.guarded(() => {
      const known = this.keys.find(entry.session);
      const last = lastBefore(known?.lastSeq ?? 0, entry);
      if (entry.after !== last) throw new OutOfOrder(entry.session, entry.after, last);
      if (entry.receipt && this.reads.receipt.get(entry.receipt.commandId)) throw new DuplicateReceipt(entry.receipt.commandId);
      const key = known?.key ?? this.keys.next;
      this.#transaction(() => {
        if (!known) this.#writes.session.run(key, entry.session);
        writeEntry(this.#writes, entry, { key, position: this.#position });
        if (entry.receipt) this.#writeMirrored();
      });
      return this.#committed(entry, key);
    });
  }

  #committed(entry: Entry, key: number): readonly Event[] {
    const events = entry.events.map((body, index) => numbered(body, entry.after + 1 + index, entry.at));
    this.keys.remember(entry.session, { key, lastSeq: entry.after + events.length });
    this.#position += positionsOf(entry);
    this.#changes += 1;
    for (const event of events) for (const sha256 of blobsOf(event)) this.#fresh.delete(sha256);
    const run = entry.runs?.at(-1);
    if (run) this.#anchors.set(entry.session, { run: run.run, byte: run.outByte });
    const human = events.filter(isMirrored);
    if (human.length > 0 || entry.receipt) this.#mirror.append(entry.session, human, entry.receipt, this.#anchorOf(entry.session, key));
    if (events.some((event) => event.type === 'session.deleted')) this.#trySaveAudit(entry.session);
    this.#checkpointer.appended();
    return events;
  }

  #anchorOf(session: SessionId, key: number): Anchor | undefined {
    const row = this.#anchors.has(session) ? undefined : this.reads.lastRun.get(key);
    if (row) this.#anchors.set(session, toAnchor(row));
    return this.#anchors.get(session);
  }

  sync(): Promise<void> {
    return this.#flush.request();
  }

  async #flushNow(): Promise<void> {
    const position = this.#position;
    await Promise.all([this.#wal.sync(), this.#mirror.flush()]);
    this.#mirrored = position;
  }

  sendDone(run: RunId, offset: number): void {
    this.guarded(() => this.#writes.sendDone.run(run, offset));
  }

  putBlob(bytes: Uint8Array): BlobKey {
    const key = this.#blobs.put(bytes);
    this.#fresh.add(key.sha256);
    return key;
  }

  blob(sha256: string): Uint8Array | undefined {
    return this.#blobs.get(sha256);
  }

  position(): number {
    return this.#position;
  }

  completeAudit(lines: readonly AuditLine[], whole: boolean, finished?: SessionId): void {
    this.guarded(() =>
      this.#transaction(() => {
        for (const line of lines) writeAudit(this.#writes.audit, line);
        if (finished !== undefined) this.#writes.audited.run(auditedMark(finished));
        if (!whole) return;
        this.#writes.mark.run(1, 'audited');
        this.#writes.forgetAudited.run();
      }),
    );
    this.#changes += 1;
    this.#checkpointer.appended();
  }

  forget(session: SessionId): void {
    this.#saveAudit(session);
    const unused = this.guarded(() => {
      const known = this.keys.find(session);
      if (!known) return undefined;
      return this.#transaction(() => {
        this.#writes.mark.run(this.#position, 'position');
        return deleteSession(this.db, session, known.key);
      });
    });
    if (!unused) return;
    this.#changes += 1;
    this.keys.forget(session);
    this.#anchors.delete(session);
    this.#mirror.forget(session);
    for (const sha256 of unused) if (!this.#fresh.has(sha256)) this.#blobs.remove(sha256);
  }

  /** Early, because a deleted session may wait a long time for its agent to end; `forget` does it again and fails if it can't. */
  #trySaveAudit(session: SessionId): void {
    try {
      this.#saveAudit(session);
    } catch {
      return;
    }
  }

  /** The mirror is deleted with the session, and a rebuild would have restored these lines from it. */
  #saveAudit(session: SessionId): void {
    if (this.keys.find(session) === undefined) return;
    keepAuditOfDeleted(dirname(this.path), auditOfSession(this.db, session));
  }

  async backup(path: string): Promise<void> {
    const temporary = `${path}.tmp`;
    await copyDatabase(this.db, temporary).catch((error: unknown) => {
      throw asJournalError(path, error);
    });
    renameSync(temporary, path);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#checkpointer.close();
    this.guarded(() => {
      this.#writeMirrored();
      closeDatabase(this.db);
    });
    this.#wal.close();
  }

  #mark(name: string): number {
    return numberOf(this.reads.mark.get(name), 'value');
  }

  #writeMirrored(): void {
    if (this.#mirrored === this.#mirroredWritten) return;
    this.#writes.mark.run(this.#mirrored, 'mirrored');
    this.#mirroredWritten = this.#mirrored;
  }

  /** After a crash: events that were committed but may not have reached the mirror are written there again. */
  #completeMirror(): void {
    for (const row of this.reads.sinceMirrored.all(this.#mirrored, JSON.stringify([...HUMAN_EVENTS, ...SERVER_EVENTS]))) {
      this.#mirror.append(toSessionId(row), [this.toEvent(row)]);
    }
    for (const row of this.reads.receiptsSince.all(this.#mirrored)) this.#mirror.append(toSessionId(row), [], toReceipt(row));
  }
}
