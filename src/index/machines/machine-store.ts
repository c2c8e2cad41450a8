import { join } from 'node:path';
import { closeDatabase, type Database, intOf, jsonOf, openDatabase, textOf, transactions } from '../../journal/sqlite-driver.ts';
import { MachineFacts } from '../../protocol/api/machines.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { SharedSession } from '../../protocol/shared-session.ts';

/** What is known of other machines and of their sessions. Kept on disk, so that it is there without them and without Redis. */
export interface MachineStore {
  session(id: string): RemoteSession | undefined;
  /** The session of a pending request, or of one that was just decided. */
  ofRequest(requestId: string): RemoteSession | undefined;
  /** The session that has this worktree. */
  ofWorktree(worktreeId: string): RemoteSession | undefined;
  sessions(): Iterable<RemoteSession>;
  machines(): ReadonlyMap<string, KnownMachine>;
  heard(node: string, facts: MachineFacts, at: string): void;
  changed(node: string, changes: readonly RemoteChange[]): void;
  /** Everything that a machine shares up to a version: what is missing and not newer is gone. */
  all(node: string, upTo: Version, changes: readonly RemoteChange[]): void;
  forget(node: string): void;
  /** Calls `listener` with what changed from now on. Returns a function that stops it. */
  watch(listener: (news: RemoteNews) => void): () => void;
  close(): void;
}

export interface RemoteSession {
  readonly node: string;
  readonly shared: SharedSession;
}

export interface KnownMachine {
  readonly facts: MachineFacts;
  readonly heardAt: string;
}

interface Version {
  readonly epoch: number;
  readonly number: number;
}

/** `summary` is absent when the session is gone. */
export interface RemoteChange {
  readonly id: string;
  readonly version: Version;
  readonly summary?: unknown;
}

export interface RemoteNews {
  readonly changed: readonly { readonly now: RemoteSession; readonly before: RemoteSession | undefined }[];
  readonly removed: readonly RemoteSession[];
}

interface Kept extends RemoteSession {
  readonly version: Version;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS machines (id TEXT PRIMARY KEY, facts TEXT NOT NULL, heard_at TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS shared (id TEXT PRIMARY KEY, node TEXT NOT NULL, epoch INTEGER NOT NULL, number INTEGER NOT NULL, summary TEXT NOT NULL);
`;

export function openMachineStore(dataDir: string): MachineStore {
  const db = openDatabase(join(dataDir, 'machines.db'));
  db.exec(SCHEMA);
  return new SqliteMachineStore(db);
}

class SqliteMachineStore implements MachineStore {
  readonly #sessions = new Map<string, Kept>();
  readonly #machines = new Map<string, KnownMachine>();
  readonly #byRequest = new Map<string, string>();
  readonly #listeners = new Set<(news: RemoteNews) => void>();
  readonly #sql: ReturnType<typeof statements>;
  readonly #transaction: <T>(work: () => T) => T;

  constructor(private readonly db: Database) {
    this.#sql = statements(db);
    this.#transaction = transactions(db);
    for (const row of this.#sql.machines.all()) {
      const facts = MachineFacts.safeParse(jsonOf(row, 'facts'));
      if (facts.success) this.#machines.set(textOf(row, 'id'), { facts: facts.data, heardAt: textOf(row, 'heard_at') });
    }
    for (const row of this.#sql.shared.all()) {
      const shared = SharedSession.safeParse(jsonOf(row, 'summary'));
      if (shared.success) this.#keep({ node: textOf(row, 'node'), shared: shared.data, version: { epoch: intOf(row, 'epoch'), number: intOf(row, 'number') } });
    }
  }

  session(id: string): RemoteSession | undefined {
    return this.#sessions.get(id);
  }

  ofRequest(requestId: string): RemoteSession | undefined {
    const id = this.#byRequest.get(requestId);
    return id === undefined ? undefined : this.#sessions.get(id);
  }

  ofWorktree(worktreeId: string): RemoteSession | undefined {
    for (const kept of this.#sessions.values()) if (kept.shared.session.worktree?.id === worktreeId) return kept;
    return undefined;
  }

  sessions(): Iterable<RemoteSession> {
    return this.#sessions.values();
  }

  machines(): ReadonlyMap<string, KnownMachine> {
    return this.#machines;
  }

  heard(node: string, facts: MachineFacts, at: string): void {
    this.#machines.set(node, { facts, heardAt: at });
    this.#sql.putMachine.run(node, JSON.stringify(facts), at);
  }

  changed(node: string, changes: readonly RemoteChange[]): void {
    this.#apply(node, changes, []);
  }

  all(node: string, upTo: Version, changes: readonly RemoteChange[]): void {
    const present = new Set(changes.map(({ id }) => id));
    const gone = [...this.#sessions.values()].filter((kept) => kept.node === node && !present.has(kept.shared.session.id) && !isNewer(kept.version, upTo));
    this.#apply(node, changes, gone);
  }

  forget(node: string): void {
    const gone = [...this.#sessions.values()].filter((kept) => kept.node === node);
    this.#machines.delete(node);
    this.#sql.dropMachine.run(node);
    this.#apply(node, [], gone);
  }

  watch(listener: (news: RemoteNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    closeDatabase(this.db);
  }

  #apply(node: string, changes: readonly RemoteChange[], gone: readonly Kept[]): void {
    const changed: { now: Kept; before: Kept | undefined }[] = [];
    const removed: Kept[] = [...gone];
    for (const change of changes) {
      const before = this.#sessions.get(change.id);
      // Ids are made at random: one that two machines have comes from a copied data folder, and the first one keeps it.
      if (before !== undefined && (before.node !== node || isNewer(before.version, change.version))) continue;
      const now = keptOf(node, change);
      if (now !== undefined) changed.push({ now, before });
      else if (before !== undefined && change.summary === undefined) removed.push(before);
    }
    if (changed.length + removed.length === 0) return;
    this.#transaction(() => {
      for (const { now } of changed) this.#sql.put.run(now.shared.session.id, node, now.version.epoch, now.version.number, JSON.stringify(now.shared));
      for (const { shared } of removed) this.#sql.drop.run(shared.session.id);
    });
    for (const kept of removed) this.#drop(kept);
    for (const { now, before } of changed) {
      if (before !== undefined) this.#drop(before);
      this.#keep(now);
    }
    for (const listener of this.#listeners) listener({ changed, removed });
  }

  #keep(kept: Kept): void {
    this.#sessions.set(kept.shared.session.id, kept);
    for (const requestId of requestsOf(kept)) this.#byRequest.set(requestId, kept.shared.session.id);
  }

  #drop(kept: Kept): void {
    this.#sessions.delete(kept.shared.session.id);
    for (const requestId of requestsOf(kept)) this.#byRequest.delete(requestId);
  }
}

const requestsOf = ({ shared }: Kept): readonly string[] => [...shared.waiting, ...shared.resolved].map(({ requestId }) => requestId);

/** A summary that this version can't read, or that names another session, changes nothing. */
function keptOf(node: string, { id, version, summary }: RemoteChange): Kept | undefined {
  const shared = SharedSession.safeParse(summary);
  if (!shared.success || shared.data.session.id !== id) return undefined;
  // A machine speaks for its own sessions only.
  return { node, version, shared: { ...shared.data, session: { ...shared.data.session, id: id as SessionId, node } } };
}

const isNewer = (a: Version, b: Version): boolean => a.epoch > b.epoch || (a.epoch === b.epoch && a.number > b.number);

const statements = (db: Database) => ({
  machines: db.prepare('SELECT id, facts, heard_at FROM machines'),
  putMachine: db.prepare('INSERT OR REPLACE INTO machines VALUES (?, ?, ?)'),
  dropMachine: db.prepare('DELETE FROM machines WHERE id = ?'),
  shared: db.prepare('SELECT id, node, epoch, number, summary FROM shared'),
  put: db.prepare('INSERT OR REPLACE INTO shared VALUES (?, ?, ?, ?, ?)'),
  drop: db.prepare('DELETE FROM shared WHERE id = ?'),
});
