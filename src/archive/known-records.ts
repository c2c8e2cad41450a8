import type { RecordKind } from '../agents/archive.ts';
import { archivedIdOf } from '../agents/archived-id.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { NO_MARK } from './records/record-mark.ts';
import type { FileRow, SessionRow } from './rows.ts';
import type { ArchiveStore } from './store.ts';

/** A session as the thread that reads records knows it. */
export interface KnownSession {
  row: SessionRow;
  /** Also those that are gone: numbers point at them. */
  files: KnownFile[];
  /** After which event a session of ours took it up. */
  base: number | undefined;
  isListed: boolean;
  /** Nobody has looked at its ends yet. */
  isUnseen: boolean;
}

export interface KnownFile {
  row: FileRow;
  readonly session: KnownSession;
  /** The last sweep that met it. */
  sweep: number;
  isDue: boolean;
  /** Half a line stood at its end when it had this size: `waits` until a sweep finds it unchanged, then it is `tried` once. */
  half?: { readonly size: number; readonly is: 'waiting' | 'tried' };
}

/** What is known of a file by `stat`. */
export interface Looks {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly bornMs: number;
}

export interface Place {
  readonly root: string;
  readonly path: string;
}

type LinesKind = Extract<RecordKind, { kind: 'lines' }>;

/** Every session and file that archive.db has, in memory: looked up by each sweep. */
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

  /** Files by the name they are looked up with: their path; of a conversation of a database, path and conversation. */
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

  addLines(agent: AgentId, kind: LinesKind, { root, path }: Place, looks: Looks): KnownFile {
    const session = this.session(agent, kind.agentSessionId);
    const companion = kind.companion === undefined ? {} : { companion: `${root}/${kind.companion}` };
    const named = { root, path, ...(kind.part !== undefined && { part: kind.part }), ...companion, isDatabase: false };
    return this.addFile(session, this.store.addFile({ session: session.row.key, ...named, ...looks, ...UNREAD }));
  }

  addConversation(agent: AgentId, agentSessionId: string, { root, path }: Place, looks: Looks): KnownFile {
    const session = this.session(agent, agentSessionId);
    return this.addFile(session, this.store.addFile({ session: session.row.key, root, path, isDatabase: true, ...looks, ...UNREAD }));
  }

  /** Another file lies where this one did: it gets a number of its own, and lines are looked for in it. */
  replace(file: KnownFile, looks: Looks): KnownFile {
    this.vanish(file);
    const { key: _, ...row } = file.row;
    return this.addFile(file.session, this.store.addFile({ ...row, ...looks, ...UNREAD }));
  }

  /** The file is not there any more. The same lines may stand in another file of the session, which is read again for them. */
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

  /** Numbers that were given stay: lines are known by their identity. */
  readAgain(file: KnownFile): void {
    file.row.offset = 0;
    file.row.isWhole = false;
    file.isDue = true;
    this.store.forgetRepeats(file.row.key);
    this.store.saveFile(file.row);
  }

  /** Another session turned out to be what this one was copied from. */
  reloadParent(id: SessionId): void {
    const [known, row] = [this.sessions.get(id), this.store.session(id)];
    if (known === undefined || row?.parent === undefined) return;
    known.row = { ...known.row, parent: row.parent };
  }

  /** After a fault: memory may be ahead of what is durable. */
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

export const livingFiles = (session: KnownSession): readonly KnownFile[] => session.files.filter(({ row }) => !row.isGone);
