import { archivedIdOf } from '../agents/archived-id.ts';
import type { IndexProgress, KeptState, RestoreAnswer, Unreadable } from '../protocol/api/archive.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { ArchiveIndexer, ArchiveNews, PastSession } from './archive.ts';
import { DueSessions } from './due-sessions.ts';
import { glanced } from './facts.ts';
import type { Keeping } from './keeper-port.ts';
import { type KnownFile, KnownRecords, type KnownSession, livingFiles, nameOf } from './known-records.ts';
import { findParents } from './parents.ts';
import { isLost, pastSession } from './past-session.ts';
import { Progress } from './progress.ts';
import { Databases } from './records/agent-databases.ts';
import { wordsOf } from './records/error-words.ts';
import { openReading } from './records/open-reading.ts';
import { glanceAt } from './records/quick-look.ts';
import type { KeptCopies } from './records/record-bytes.ts';
import type { MayGoOn, SessionReading, Slice } from './records/session-reading.ts';
import { isAbsent } from './records/walk-folders.ts';
import type { ArchiveStore } from './store.ts';
import { type ArchivedAgent, Sweeper } from './sweeper.ts';

/** What one step reads for. Each begins and ends with some work of its own; whoever asks something meanwhile waits for its end. */
const STEP_MS = 20;

/** A step reads at least this much, which takes a few milliseconds: on a machine that is busy otherwise its time may be over before it began. */
const STEP_BYTES = 256 * 1024;

/** Of a long record that is read in one go, so many lines are one transaction, and are told before the next are read. */
const SETTLE_LINES = 2000;

export interface IndexerParts {
  readonly store: ArchiveStore;
  readonly agents: readonly ArchivedAgent[];
  readonly env: Readonly<Record<string, string>>;
  readonly news: ArchiveNews;
  /** Milliseconds since some moment. */
  readonly now: () => number;
  readonly keeping?: Keeping;
  readonly copies?: KeptCopies;
}

/** Reads records, newest sessions first, in short steps. */
export class Indexer implements ArchiveIndexer {
  private readonly records: KnownRecords;
  private readonly databases: Databases;
  private readonly sweeper: Sweeper;
  private readonly due = new DueSessions();
  private readonly unreadable = new Map<string, Unreadable>();
  private readonly toTell = new Set<KnownSession>();
  private readonly measured: Progress;
  private reading: { readonly session: KnownSession; readonly of: SessionReading; readonly isOnlyMoved: boolean } | undefined;

  constructor(private readonly parts: IndexerParts) {
    this.records = new KnownRecords(parts.store);
    this.databases = new Databases(this.records);
    this.sweeper = new Sweeper(parts.agents, parts.env, this.records, this.databases, (file) => this.changed(file));
    this.measured = new Progress(parts.now);
    for (const session of this.records.sessions.values()) this.recall(session);
  }

  sweep(): void {
    // What could not be opened is tried again: rights are given without a file being written.
    for (const name of this.unreadable.keys()) this.retry(name);
    this.telling(() => this.sweeper.sweep());
    this.measured.swept();
    this.tellKeeping();
  }

  touched(path: string): void {
    this.telling(() => this.sweeper.touched(path));
  }

  step(): boolean {
    const mayGoOn = this.oneStep();
    if (this.lookIntoDatabase()) return true;
    if (this.due.unseen.size > 0) return this.look(mayGoOn);
    let hasRead = false;
    while ((!hasRead || mayGoOn(0)) && (this.reading !== undefined || this.begin(this.due.newest()))) hasRead = this.readOn(mayGoOn);
    if (hasRead || this.due.size > 0) return true;
    this.measured.rest();
    this.databases.close();
    this.parts.store.rest();
    return false;
  }

  copy(): boolean {
    return this.parts.keeping?.step() ?? false;
  }

  /** Whether a step may go on after it has read so many bytes more. */
  private oneStep(): MayGoOn {
    const until = this.parts.now() + STEP_MS;
    let read = 0;
    return (bytes = STEP_BYTES) => {
      read += bytes;
      return read < STEP_BYTES || this.parts.now() < until;
    };
  }

  settle(agent: AgentId, agentSessionId: string): PastSession | undefined {
    const id = archivedIdOf(agent, agentSessionId);
    if (!this.records.sessions.has(id)) this.sweep();
    while (this.lookIntoDatabase());
    const session = this.records.sessions.get(id);
    if (session === undefined || session.files.length === 0) return undefined;
    for (const { row } of livingFiles(session)) if (!row.isDatabase) this.touched(row.path);
    this.stop();
    while (this.due.has(session)) if (this.begin(session)) while (this.reading !== undefined) this.readOn(upTo(SETTLE_LINES));
    return this.describe(session);
  }

  takenUp(agent: AgentId, agentSessionId: string, base: number): void {
    this.parts.store.take(agent, agentSessionId, base);
    const session = this.records.sessions.get(archivedIdOf(agent, agentSessionId));
    if (session === undefined) return;
    session.base = base;
    if (this.reading?.session === session) this.stop();
    this.tellListed(session);
  }

  progress(): IndexProgress {
    const phase = this.measured.isUnswept || this.due.unseen.size > 0 || this.databases.isDue() ? 'looking' : this.due.size > 0 ? 'reading' : 'ready';
    const unreadable = [...this.unreadable.values(), ...this.sweeper.unreadable(), ...this.databases.unreadable()];
    // Of a database, many conversations may be unreadable: it is named once.
    const byPath = new Map(unreadable.map((one) => [one.path, one]));
    return { phase, ...this.measured.of(this.records.sessions.values(), this.due), unreadable: [...byPath.values()] };
  }

  kept(): KeptState {
    return this.parts.keeping?.state() ?? { on: false, files: 0, bytes: 0, rawBytes: 0, gone: 0 };
  }

  keep(on: boolean): void {
    this.parts.keeping?.keep(on);
  }

  restore(id: SessionId): RestoreAnswer {
    if (this.parts.keeping === undefined) throw new Error('No copies are kept, so nothing can be put back.');
    const answer = this.parts.keeping.restore(id);
    for (const path of answer.paths) this.touched(path);
    return answer;
  }

  close(): void {
    this.stop();
    this.databases.close();
    this.parts.keeping?.close();
    this.parts.store.close();
  }

  /** What was left undone when the last server ended. */
  private recall(session: KnownSession): void {
    session.isListed = isShown(session, this.parts.copies);
    if (!this.parts.agents.some(({ id }) => id === session.row.agent)) return;
    if ((mayBeRead(session) || isMoved(session)) && livingFiles(session).some((file) => file.isDue)) this.due.add(session);
  }

  /** Looks at files in one transaction; what is to be told of them is told when it is durable. */
  private telling<T>(look: () => T): T {
    const result = this.parts.store.transaction(look);
    for (const session of this.toTell) this.tellListed(session);
    this.toTell.clear();
    return result;
  }

  private lookIntoDatabase(): boolean {
    return this.databases.isDue() && this.telling(() => this.databases.step((file) => this.changed(file)));
  }

  /** A file is new, has other bytes than before, or is gone. */
  private changed(file: KnownFile): void {
    const { session } = file;
    if (this.reading?.session === session) this.stop();
    // Of one that a session of ours goes on with, the size, and whether a copy is whole, are all that changes here.
    if (file.row.isGone || session.base !== undefined) this.toTell.add(session);
    if (!mayBeRead(session) && !isMoved(session)) return this.grown(file);
    if (livingFiles(session).some((one) => one.isDue)) this.due.add(session);
    else this.due.delete(session);
  }

  /** Somebody else goes on with it: that it grew is all that is told. */
  private grown(file: KnownFile): void {
    file.isDue = false;
    this.due.delete(file.session);
    file.row.version = this.archiveOf(file.session).version;
    // Whoever goes on with it is told again at every start, so that a kill in between loses nothing.
    this.parts.store.saveFile(file.row);
    if (!file.row.isGone) this.tellKept(file);
    this.parts.news.grown(file.session.row.agent, file.session.row.agentSessionId);
  }

  /** Lists sessions by a glance at their ends. */
  private look(mayGoOn: () => boolean): boolean {
    const looked: KnownSession[] = [];
    this.parts.store.transaction(() => {
      for (const session of this.due.unseen) {
        this.glance(session);
        looked.push(session);
        if (!mayGoOn()) break;
      }
    });
    for (const session of looked) {
      this.due.seen(session);
      this.tellListed(session);
    }
    return true;
  }

  private glance(session: KnownSession): void {
    const file = livingFiles(session).find(({ row }) => row.part === undefined);
    if (file === undefined) return;
    this.passingOver(() => {
      session.row.facts = glanced(
        session.row.facts,
        glanceAt(this.archiveOf(session), file.row, () => this.databases.ends(file.row, session.row.agentSessionId)),
      );
    });
    this.parts.store.saveSession(session.row);
  }

  /** Opens what is due of a session; false when nothing of it can be read. */
  private begin(session: KnownSession | undefined): boolean {
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

  private readOn(mayGoOn: MayGoOn): boolean {
    if (this.reading === undefined) return true;
    const { session, of, isOnlyMoved } = this.reading;
    const mayReadOn: MayGoOn = (bytes) => mayGoOn(bytes) && (isOnlyMoved || mayBeRead(session));
    const slice = this.sliceOf(session, () => of.slice(mayReadOn));
    if (slice === undefined) return true;
    const isOver = slice.isDone || !(isOnlyMoved || mayBeRead(session));
    if (isOver) this.finish(session);
    const past = this.describe(session);
    if (slice.events.length > 0 || slice.spent.length > 0) this.parts.news.read({ session: past, events: slice.events, spent: slice.spent });
    if (isOver) this.tellListed(session, past);
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
    for (const file of livingFiles(session)) this.finished(file);
    if (session.row.facts.isRead) return;
    session.row.facts = { ...session.row.facts, isRead: true };
    this.parts.store.saveSession(session.row);
    for (const child of findParents(this.parts.store, session.row)) this.records.reloadParent(child);
  }

  private finished(file: KnownFile): void {
    file.isDue = false;
    const { row } = file;
    if (!row.isDatabase && row.offset < row.size && file.half?.size !== row.size) file.half = { size: row.size, is: 'waiting' };
    this.tellKept(file);
  }

  /** Also of what was read long ago: its copying may have been cut short, or switched off till now. */
  private tellKeeping(): void {
    if (this.parts.keeping === undefined) return;
    for (const session of this.records.sessions.values()) for (const file of livingFiles(session)) if (!file.isDue) this.tellKept(file);
    this.parts.keeping.swept();
  }

  private tellKept({ row, session }: KnownFile): void {
    const { agent, agentSessionId } = session.row;
    const place = { agent, agentSessionId, root: row.root, path: row.path.slice(row.root.length + 1) };
    if (row.isDatabase) {
      const rows = (after: number, limit: number) => this.databases.rows(row.path, agentSessionId, after, limit);
      this.parts.keeping?.seenRows({ ...place, lastRow: row.size, rows });
      return;
    }
    const companion = row.companion === undefined ? {} : { companion: row.companion.slice(row.root.length + 1) };
    const part = row.part === undefined ? {} : { part: row.part };
    this.parts.keeping?.seen({ ...place, number: row.key, ...part, ...companion, size: row.size, mtimeMs: row.mtimeMs, ino: row.inode });
  }

  private stop(): void {
    this.reading?.of.close();
    this.reading = undefined;
  }

  /** What was not durable is forgotten and read again. A record that cannot be read says so, whatever is wrong with it, and others are read. */
  private broke(session: KnownSession, error: unknown): void {
    this.stop();
    this.records.reload(session);
    if (this.parts.store.isFault(error)) throw error;
    for (const file of livingFiles(session)) if (file.isDue) this.failed(file, error);
    this.due.delete(session);
  }

  /** Faults of our own database are not ours to hide. */
  private failed(file: KnownFile, error: unknown): void {
    if (this.parts.store.isFault(error)) throw error;
    file.isDue = false;
    if (isAbsent(error)) return;
    this.unreadable.set(nameOf(file), { path: file.row.path, agent: file.session.row.agent, reason: wordsOf(error) });
  }

  /** What cannot be glanced at may still be read line by line; if not, reading it says why. */
  private passingOver(work: () => void): void {
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

  private tellListed(session: KnownSession, past?: PastSession): void {
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

/** True for all but the last of so many times. */
function upTo(times: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count < times;
  };
}

const mayBeRead = ({ base, row }: KnownSession): boolean => base === undefined || row.lastSeq < base;

/** A session of ours goes on with it, and its file was put back or written anew: what has numbers is looked for in the new one. */
const isMoved = ({ base = 0, files }: KnownSession): boolean =>
  base > 0 && files.some((file) => !file.row.isGone && file.row.offset === 0 && files.some((other) => other.row.isGone && other.row.path === file.row.path));

/** What began here is listed as what it is here; what is gone without a copy is not listed, though links to it still say so. */
const isShown = ({ base, files }: KnownSession, copies: KeptCopies | undefined): boolean =>
  base !== 0 &&
  files.length > 0 &&
  !isLost(
    files.map(({ row }) => row),
    copies,
  );
