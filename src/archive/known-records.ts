import type { RecordKind } from '../agents/port/archive.ts';
import { archivedIdOf } from '../agents/port/archived-id.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { NO_MARK } from './records/record-mark.ts';
import type { FileRow, SessionRow } from './rows.ts';
import type { ArchiveStore } from './store.ts';

/** A session as the records thread knows it. */
export interface KnownSession {
  row: SessionRow;
  /** Including missing files: numbers point at them. */
  files: KnownFile[];
  /** The event after which it was adopted. */
  base: number | undefined;
  isListed: boolean;
  /** It has not had a quick look yet. */
  isUnseen: boolean;
}

export interface KnownFile {
  row: FileRow;
  readonly session: KnownSession;
  /** The last sweep that found it. */
  sweep: number;
  isDue: boolean;
  /** It ended in a partial line at this size: `waiting` until a sweep finds it unchanged, then `tried` once. */
  half?: { readonly size: number; readonly is: 'waiting' | 'tried' };
}

/** What `stat` says about a file. */
export interface FileStats {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly bornMs: number;
}

export interface RecordPath {
  readonly root: string;
  readonly path: string;
}

type LinesKind = Extract<RecordKind, { kind: 'lines' }>;

/** Every session and file of archive.db, in memory for sweeps. */
export class KnownRecords {
  readonly sessions = new Map<SessionId, KnownSession>();
  private readonly living = new Map<AgentId, Map<string, KnownFile>>();

  constructor(private readonly store: ArchiveStore) {
    const byKey = new Map(store.sessions().map((row) => [row.key, this.addKnown(row)]));
    for (const row of store.allFiles()) {
      const session = byKey.get(row.session);
      if (session !== undefined) this.addFile(session, row);
    }
  }

  /** Files by key: their path, or path and conversation for a database. */
  of(agent: AgentId): Map<string, KnownFile> {
    const known = this.living.get(agent);
    if (known !== undefined) return known;
    const files = new Map<string, KnownFile>();
    this.living.set(agent, files);
    return files;
  }

  session(agent: AgentId, agentSessionId: string): KnownSession {
    const id = archivedIdOf(agent, agentSessionId);
    return this.sessions.get(id) ?? this.addKnown(this.store.session(id) ?? this.store.addSession(id, agent, agentSessionId));
  }

  addLines(agent: AgentId, kind: LinesKind, { root, path }: RecordPath, stats: FileStats): KnownFile {
    const session = this.session(agent, kind.agentSessionId);
    const companion = kind.companion === undefined ? {} : { companion: `${root}/${kind.companion}` };
    const named = { root, path, ...(kind.part !== undefined && { part: kind.part }), ...companion, isDatabase: false };
    return this.addFile(session, this.store.addFile({ session: session.row.key, ...named, ...stats, ...UNREAD }));
  }

  addConversation(agent: AgentId, agentSessionId: string, { root, path }: RecordPath, stats: FileStats): KnownFile {
    const session = this.session(agent, agentSessionId);
    return this.addFile(session, this.store.addFile({ session: session.row.key, root, path, isDatabase: true, ...stats, ...UNREAD }));
  }

  /** Another file is at this path now: it gets its own number, and known lines are located in it. */
  replace(file: KnownFile, stats: FileStats): KnownFile {
    this.vanish(file);
    const { key: _, ...row } = file.row;
    return this.addFile(file.session, this.store.addFile({ ...row, ...stats, ...UNREAD }));
  }

  /** The file is gone. The same lines may be in another file of the session, which is read again to find them. */
  vanish(file: KnownFile): void {
    file.row.isGone = true;
    file.isDue = false;
    this.store.saveFile(file.row);
    const files = this.of(file.session.row.agent);
    if (files.get(nameOf(file)) === file) files.delete(nameOf(file));
    for (const other of file.session.files) {
      if (!other.row.isGone && other.row.part === file.row.part) this.readAgain(other);
    }
  }

  /** Assigned numbers stay: lines are recognized by their identity. */
  readAgain(file: KnownFile): void {
    file.row.offset = 0;
    file.row.isWhole = false;
    file.isDue = true;
    this.store.forgetRepeats(file.row.key);
    this.store.saveFile(file.row);
  }

  /** Another session turned out to be the one that this one was forked from. */
  reloadParent(id: SessionId): void {
    const [known, row] = [this.sessions.get(id), this.store.session(id)];
    if (known === undefined || row?.parent === undefined) return;
    known.row = { ...known.row, parent: row.parent };
  }

  /** After a failure: memory may be ahead of the database. */
  reload(session: KnownSession): void {
    session.row = this.store.sessionByKey(session.row.key) ?? session.row;
    const rows = new Map(this.store.files(session.row.key).map((row) => [row.key, row]));
    for (const file of session.files) file.row = rows.get(file.row.key) ?? file.row;
  }

  private addKnown(row: SessionRow): KnownSession {
    const base = this.store.base(row.agent, row.agentSessionId);
    const session: KnownSession = { row, files: [], base, isListed: false, isUnseen: row.lastSeq === 0 && row.facts.glanced === undefined };
    this.sessions.set(row.id, session);
    return session;
  }

  private addFile(session: KnownSession, row: FileRow): KnownFile {
    const file: KnownFile = { row, session, sweep: 0, isDue: !row.isWhole };
    session.files.push(file);
    if (!row.isGone) this.of(session.row.agent).set(nameOf(file), file);
    return file;
  }
}

const UNREAD = { offset: 0, mark: NO_MARK, version: 0, branch: 0, isWhole: false, isGone: false } as const;

export const nameOf = ({ row, session }: KnownFile): string => (row.isDatabase ? conversationName(row.path, session.row.agentSessionId) : row.path);

export const conversationName = (path: string, agentSessionId: string): string => `${path}\n${agentSessionId}`;

export const existingFiles = (session: KnownSession): readonly KnownFile[] => session.files.filter(({ row }) => !row.isGone);
