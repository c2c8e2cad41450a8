import { archivedIdOf } from '../agents/port/archived-id.ts';
import type { IndexProgress, KeptState, RestoreAnswer, Unreadable } from '../protocol/api/archive.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { ArchiveIndexer, ArchiveNews, PastSession } from './archive.ts';
import { DueSessions } from './due-sessions.ts';
import { withQuickLook } from './facts.ts';
import type { KeeperPort } from './keeper-port.ts';
import { existingFiles, type KnownFile, KnownRecords, type KnownSession, nameOf } from './known-records.ts';
import { findParents } from './parents.ts';
import { isLost, pastSession } from './past-session.ts';
import { Progress } from './progress.ts';
import { Databases } from './records/agent-databases.ts';
import { describeError } from './records/describe-error.ts';
import { openReading } from './records/open-reading.ts';
import { quickLookAt } from './records/quick-look.ts';
import type { KeptCopies } from './records/record-bytes.ts';
import type { MayContinue, SessionReading, Slice } from './records/session-reading.ts';
import { isAbsent } from './records/walk-folders.ts';
import type { ArchiveStore } from './store.ts';
import { type ArchivedAgent, Sweeper } from './sweeper.ts';

/** How long one step reads. Each step has some overhead, and questions wait until it ends. */
const STEP_MS = 20;

/** A step reads at least this much, which takes a few milliseconds: on a busy machine its time may be up before it starts. */
const STEP_BYTES = 256 * 1024;

/** Lines per transaction when a long record is read at once; they are reported before the next ones are read. */
const LINES_PER_TRANSACTION = 2000;

export interface IndexerParts {
  readonly store: ArchiveStore;
  readonly agents: readonly ArchivedAgent[];
  readonly env: Readonly<Record<string, string>>;
  readonly news: ArchiveNews;
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
  readonly keeper?: KeeperPort;
  readonly copies?: KeptCopies;
}

/** Reads records, newest sessions first, in short steps. */
export class Indexer implements ArchiveIndexer {
  private readonly records: KnownRecords;
  private readonly databases: Databases;
  private readonly sweeper: Sweeper;
  private readonly due = new DueSessions();
  private readonly unreadable = new Map<string, Unreadable>();
  private readonly toReport = new Set<KnownSession>();
  private readonly measured: Progress;
  private reading: { readonly session: KnownSession; readonly of: SessionReading; readonly isOnlyMoved: boolean } | undefined;

  constructor(private readonly parts: IndexerParts) {
    this.records = new KnownRecords(parts.store);
    this.databases = new Databases(this.records);
    this.sweeper = new Sweeper(parts.agents, parts.env, this.records, this.databases, (file) => this.changed(file));
    this.measured = new Progress(parts.now);
    for (const session of this.records.sessions.values()) this.restoreDue(session);
  }

  sweep(): void {
    // Files that could not be opened are tried again: permissions change without a write.
    for (const name of this.unreadable.keys()) this.retry(name);
    this.reportingChanges(() => this.sweeper.sweep());
    this.measured.swept();
    this.notifyKeeper();
  }

  touched(path: string): void {
    this.reportingChanges(() => this.sweeper.touched(path));
  }

  step(): boolean {
    const mayContinue = this.oneStep();
    if (this.lookIntoDatabase()) return true;
    if (this.due.unseen.size > 0) return this.look(mayContinue);
    let hasRead = false;
    while ((!hasRead || mayContinue(0)) && (this.reading !== undefined || this.start(this.due.newest()))) hasRead = this.readMore(mayContinue);
    if (hasRead || this.due.size > 0) return true;
    this.measured.rest();
    this.databases.close();
    this.parts.store.rest();
    return false;
  }

  copy(): boolean {
    return this.parts.keeper?.step() ?? false;
  }

  /** Whether a step may continue after reading this many more bytes. */
  private oneStep(): MayContinue {
    const until = this.parts.now() + STEP_MS;
    let read = 0;
    return (bytes = STEP_BYTES) => {
      read += bytes;
      return read < STEP_BYTES || this.parts.now() < until;
    };
  }

  readNow(agent: AgentId, agentSessionId: string): PastSession | undefined {
    const id = archivedIdOf(agent, agentSessionId);
    if (!this.records.sessions.has(id)) this.sweep();
    while (this.lookIntoDatabase());
    const session = this.records.sessions.get(id);
    if (session === undefined || session.files.length === 0) return undefined;
    for (const { row } of existingFiles(session)) if (!row.isDatabase) this.touched(row.path);
    this.stop();
    while (this.due.has(session)) if (this.start(session)) while (this.reading !== undefined) this.readMore(upTo(LINES_PER_TRANSACTION));
    return this.describe(session);
  }

  adopted(agent: AgentId, agentSessionId: string, base: number): void {
    this.parts.store.take(agent, agentSessionId, base);
    const session = this.records.sessions.get(archivedIdOf(agent, agentSessionId));
    if (session === undefined) return;
    session.base = base;
    if (this.reading?.session === session) this.stop();
    this.reportListed(session);
  }

  progress(): IndexProgress {
    const phase = this.measured.isUnswept || this.due.unseen.size > 0 || this.databases.isDue() ? 'looking' : this.due.size > 0 ? 'reading' : 'ready';
    const unreadable = [...this.unreadable.values(), ...this.sweeper.unreadable(), ...this.databases.unreadable()];
    // Many conversations of one database may be unreadable: the database is listed once.
    const byPath = new Map(unreadable.map((one) => [one.path, one]));
    return { phase, ...this.measured.of(this.records.sessions.values(), this.due), unreadable: [...byPath.values()] };
  }

  kept(): KeptState {
    return this.parts.keeper?.state() ?? { on: false, files: 0, bytes: 0, rawBytes: 0, gone: 0 };
  }

  keep(on: boolean): void {
    this.parts.keeper?.keep(on);
  }

  restore(id: SessionId): RestoreAnswer {
    if (this.parts.keeper === undefined) throw new Error('No copies are kept, so nothing can be restored.');
    const answer = this.parts.keeper.restore(id);
    for (const path of answer.paths) this.touched(path);
    return answer;
  }

  close(): void {
    this.stop();
    this.databases.close();
    this.parts.keeper?.close();
    this.parts.store.close();
  }

  /** Restores what was due when the last server ended. */
  private restoreDue(session: KnownSession): void {
    session.isListed = isShown(session, this.parts.copies);
    if (!this.parts.agents.some(({ id }) => id === session.row.agent)) return;
    if ((mayBeRead(session) || isMoved(session)) && existingFiles(session).some((file) => file.isDue)) this.due.add(session);
  }

  /** Checks files in one transaction; changes are reported once they are durable. */
  private reportingChanges<T>(look: () => T): T {
    const result = this.parts.store.transaction(look);
    for (const session of this.toReport) this.reportListed(session);
    this.toReport.clear();
    return result;
  }

  private lookIntoDatabase(): boolean {
    return this.databases.isDue() && this.reportingChanges(() => this.databases.step((file) => this.changed(file)));
  }

  /** A file is new, has different bytes than before, or is gone. */
  private changed(file: KnownFile): void {
    const { session } = file;
    if (this.reading?.session === session) this.stop();
    // For an adopted session, only the size and the completeness of the copy change here.
    if (file.row.isGone || session.base !== undefined) this.toReport.add(session);
    if (!mayBeRead(session) && !isMoved(session)) return this.grown(file);
    if (existingFiles(session).some((one) => one.isDue)) this.due.add(session);
    else this.due.delete(session);
  }

  /** It is adopted: only report that it grew. */
  private grown(file: KnownFile): void {
    file.isDue = false;
    this.due.delete(file.session);
    file.row.version = this.archiveOf(file.session).version;
    // The adopting session is notified again at every start, so a kill in between loses nothing.
    this.parts.store.saveFile(file.row);
    if (!file.row.isGone) this.notifyKeeperOf(file);
    this.parts.news.grown(file.session.row.agent, file.session.row.agentSessionId);
  }

  /** Lists sessions after a quick look at their ends. */
  private look(mayContinue: () => boolean): boolean {
    const looked: KnownSession[] = [];
    this.parts.store.transaction(() => {
      for (const session of this.due.unseen) {
        this.lookQuickly(session);
        looked.push(session);
        if (!mayContinue()) break;
      }
    });
    for (const session of looked) {
      this.due.seen(session);
      this.reportListed(session);
    }
    return true;
  }

  private lookQuickly(session: KnownSession): void {
    const file = existingFiles(session).find(({ row }) => row.part === undefined);
    if (file === undefined) return;
    this.ignoringFailures(() => {
      session.row.facts = withQuickLook(
        session.row.facts,
        quickLookAt(this.archiveOf(session), file.row, () => this.databases.ends(file.row, session.row.agentSessionId)),
      );
    });
    this.parts.store.saveSession(session.row);
  }

  /** Opens the due files of a session; false when none can be read. */
  private start(session: KnownSession | undefined): boolean {
    if (session === undefined) return false;
    const opened = this.parts.store.transaction(() =>
      openReading(this.parts.store, this.records, this.databases, session, this.archiveOf(session), !mayBeRead(session), (file, error) =>
        this.failed(file, error),
      ),
    );
    if (opened === undefined) this.due.delete(session);
    else this.reading = { session, of: opened, isOnlyMoved: !mayBeRead(session) };
    return opened !== undefined;
  }

  private readMore(mayContinue: MayContinue): boolean {
    if (this.reading === undefined) return true;
    const { session, of, isOnlyMoved } = this.reading;
    const mayReadMore: MayContinue = (bytes) => mayContinue(bytes) && (isOnlyMoved || mayBeRead(session));
    const slice = this.sliceOf(session, () => of.slice(mayReadMore));
    if (slice === undefined) return true;
    const isOver = slice.isDone || !(isOnlyMoved || mayBeRead(session));
    if (isOver) this.finish(session);
    const past = this.describe(session);
    if (slice.events.length > 0 || slice.spent.length > 0) this.parts.news.read({ session: past, events: slice.events, spent: slice.spent });
    if (isOver) this.reportListed(session, past);
    if (isOver && isOnlyMoved) this.parts.news.grown(session.row.agent, session.row.agentSessionId);
    return true;
  }

  private sliceOf(session: KnownSession, read: () => Slice): Slice | undefined {
    try {
      return read();
    } catch (error) {
      this.broke(session, error);
      return undefined;
    }
  }

  private finish(session: KnownSession): void {
    this.stop();
    this.due.delete(session);
    session.isUnseen = false;
    for (const file of existingFiles(session)) this.finished(file);
    if (session.row.facts.isRead) return;
    session.row.facts = { ...session.row.facts, isRead: true };
    this.parts.store.saveSession(session.row);
    for (const child of findParents(this.parts.store, session.row)) this.records.reloadParent(child);
  }

  private finished(file: KnownFile): void {
    file.isDue = false;
    const { row } = file;
    if (!row.isDatabase && row.offset < row.size && file.half?.size !== row.size) file.half = { size: row.size, is: 'waiting' };
    this.notifyKeeperOf(file);
  }

  /** Includes what was read long ago: copying may have been interrupted, or switched off until now. */
  private notifyKeeper(): void {
    if (this.parts.keeper === undefined) return;
    for (const session of this.records.sessions.values()) for (const file of existingFiles(session)) if (!file.isDue) this.notifyKeeperOf(file);
    this.parts.keeper.swept();
  }

  private notifyKeeperOf({ row, session }: KnownFile): void {
    const { agent, agentSessionId } = session.row;
    const place = { agent, agentSessionId, root: row.root, path: row.path.slice(row.root.length + 1) };
    if (row.isDatabase) {
      const rows = (after: number, limit: number) => this.databases.rows(row.path, agentSessionId, after, limit);
      this.parts.keeper?.seenRows({ ...place, lastRow: row.size, rows });
      return;
    }
    const companion = row.companion === undefined ? {} : { companion: row.companion.slice(row.root.length + 1) };
    const part = row.part === undefined ? {} : { part: row.part };
    this.parts.keeper?.seen({ ...place, number: row.key, ...part, ...companion, size: row.size, mtimeMs: row.mtimeMs, ino: row.inode });
  }

  private stop(): void {
    this.reading?.of.close();
    this.reading = undefined;
  }

  /** Discards what was not durable. An unreadable record is listed with the reason, and the others are read. */
  private broke(session: KnownSession, error: unknown): void {
    this.stop();
    this.records.reload(session);
    if (this.parts.store.isFault(error)) throw error;
    for (const file of existingFiles(session)) if (file.isDue) this.failed(file, error);
    this.due.delete(session);
  }

  /** Faults of our own database are never hidden. */
  private failed(file: KnownFile, error: unknown): void {
    if (this.parts.store.isFault(error)) throw error;
    file.isDue = false;
    if (isAbsent(error)) return;
    this.unreadable.set(nameOf(file), { path: file.row.path, agent: file.session.row.agent, reason: describeError(error) });
  }

  /** If a quick look fails, the record may still be readable line by line; if not, reading it reports the reason. */
  private ignoringFailures(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.parts.store.isFault(error)) throw error;
    }
  }

  private retry(name: string): void {
    this.unreadable.delete(name);
    for (const { id } of this.parts.agents) {
      const file = this.records.of(id).get(name);
      if (file === undefined) continue;
      file.isDue = true;
      this.due.add(file.session);
    }
  }

  private describe(session: KnownSession): PastSession {
    return pastSession(this.parts.store, session.row, this.parts.copies);
  }

  private reportListed(session: KnownSession, past?: PastSession): void {
    const wasListed = session.isListed;
    session.isListed = isShown(session, this.parts.copies);
    if (session.isListed) this.parts.news.listed(past ?? this.describe(session));
    else if (wasListed) this.parts.news.removed(session.row.id);
  }

  private archiveOf({ row }: KnownSession) {
    const agent = this.parts.agents.find(({ id }) => id === row.agent);
    if (agent === undefined) throw new Error(`There is no agent ${row.agent}`);
    return agent.archive;
  }
}

/** True until it was called this many times. */
function upTo(times: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count < times;
  };
}

const mayBeRead = ({ base, row }: KnownSession): boolean => base === undefined || row.lastSeq < base;

/** It is adopted, and its file was restored or rewritten: numbered lines are located in the new file. */
const isMoved = ({ base = 0, files }: KnownSession): boolean =>
  base > 0 && files.some((file) => !file.row.isGone && file.row.offset === 0 && files.some((other) => other.row.isGone && other.row.path === file.row.path));

/** A session that started here is listed by the engine; a missing record without a copy is not listed, though links to it still work. */
const isShown = ({ base, files }: KnownSession, copies: KeptCopies | undefined): boolean =>
  base !== 0 &&
  files.length > 0 &&
  !isLost(
    files.map(({ row }) => row),
    copies,
  );
