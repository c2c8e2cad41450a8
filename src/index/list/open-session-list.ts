import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Problems } from '../../problems/problems.ts';
import type { Project, SessionQuery } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { HealthBrief, Session } from '../../protocol/session.ts';
import { dropIndex } from './drop-index.ts';
import { decodeCursor } from './page-cursor.ts';
import type { SessionList, SessionPage } from './session-list.ts';
import { removeDatabase, type SessionSource } from './session-table.ts';
import { WorkerConnection } from './worker-connection.ts';
import type { Question } from './worker-messages.ts';
import { type PageText, pageOf } from './worker-messages.ts';

export interface SessionListOptions {
  readonly dataDir: string;
  readonly problems?: Problems;
  /** The built worker; from source it is found next to this file. */
  readonly workerUrl?: URL;
  /** The database was damaged and is empty now: offer every session again, before returning. */
  readonly onEmptied?: () => void;
}

/** A busy session changes many times a second, and nobody reads a list that often. A query never waits for this pause. */
const PAUSE_MS = 50;

export function openSessionList(options: SessionListOptions): SessionList {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const url = options.workerUrl ?? new URL('./worker-from-source.mjs', import.meta.url);
  return new WorkerSessionList(url, join(options.dataDir, 'views.db'), options.onEmptied ?? (() => undefined), options.problems);
}

/** For a rebuilt journal: its positions start over, so old cursors mean nothing. Nothing may have the database open. */
export function removeSessionList(dataDir: string): void {
  removeDatabase(join(dataDir, 'views.db'));
  dropIndex(dataDir);
}

class WorkerSessionList implements SessionList {
  readonly #connection: WorkerConnection<Question>;
  /** The latest of each session since the last batch; null means removed. */
  #offered = new Map<SessionId, Session | null>();
  #position = 0;
  #batch: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(url: URL, path: string, onEmptied: () => void, problems: Problems | undefined) {
    const emptied = () => {
      this.#position = 0;
      onEmptied();
    };
    this.#connection = new WorkerConnection({ url, data: { path }, name: 'list', onEmptied: emptied, ...(problems !== undefined && { problems }) });
  }

  offer(session: Session, position: number): void {
    this.#queue(session.id, session, position);
  }

  remove(id: SessionId, position: number): void {
    this.#queue(id, null, position);
  }

  offerPast(changed: readonly Session[], removed: readonly SessionId[]): Promise<void> {
    return this.#connection.ask({ ask: 'apply', batch: { changed, removed, position: 0, from: 'records' } });
  }

  offerRemote(changed: readonly Session[], removed: readonly SessionId[]): Promise<void> {
    return this.#connection.ask({ ask: 'apply', batch: { changed, removed, position: 0, from: 'machines' } });
  }

  brief(briefs: readonly (readonly [SessionId, HealthBrief])[]): Promise<void> {
    return this.#connection.ask({ ask: 'brief', briefs });
  }

  async list(query: SessionQuery, atLeastPosition?: number): Promise<SessionPage> {
    if (query.cursor !== undefined) decodeCursor(query.cursor);
    // The worker answers in order: what is sent before the question is in the answer.
    if (atLeastPosition !== undefined) void this.#send().catch(() => undefined);
    return pageOf(await this.#connection.ask<PageText>({ ask: 'list', query }));
  }

  projects(agent?: string, hidden: readonly SessionId[] = []): Promise<readonly Project[]> {
    return this.#connection.ask({ ask: 'projects', agent, hidden });
  }

  tags(): Promise<readonly { readonly tag: string; readonly sessions: number }[]> {
    return this.#connection.ask({ ask: 'tags' });
  }

  counts(): Promise<Readonly<Record<string, number>>> {
    return this.#connection.ask({ ask: 'counts' });
  }

  cursor(): Promise<number> {
    return this.#connection.ask({ ask: 'cursor' });
  }

  keepOnly(ids: readonly SessionId[], from: SessionSource = 'journal'): Promise<void> {
    return this.#connection.ask({ ask: 'keepOnly', ids, from });
  }

  rebuild(): Promise<void> {
    this.#offered = new Map();
    this.#position = 0;
    return this.#connection.ask({ ask: 'clear' });
  }

  async drain(): Promise<void> {
    await this.#batch;
    await this.#send();
  }

  /** Nothing is lost if a write fails: the cursor says where to continue. */
  close(): Promise<void> {
    this.#closing ??= this.drain()
      .catch(() => undefined)
      .then(() => this.#connection.close({ ask: 'close' }));
    return this.#closing;
  }

  #queue(id: SessionId, session: Session | null, position: number): void {
    this.#offered.set(id, session);
    this.#position = Math.max(this.#position, position);
    this.#batch ??= this.#sendAll();
  }

  /** One batch at a time: changes that arrive in the meantime go into the next one. A failed write is retried with the next change. */
  async #sendAll(): Promise<void> {
    try {
      await Promise.resolve();
      while (this.#offered.size > 0) {
        await this.#send();
        await setTimeout(PAUSE_MS);
      }
    } catch {
      return;
    } finally {
      this.#batch = undefined;
    }
  }

  async #send(): Promise<void> {
    const offered = this.#offered;
    if (offered.size === 0) return;
    this.#offered = new Map();
    const changed = [...offered.values()].filter((session) => session !== null);
    const removed = [...offered].filter(([, session]) => session === null).map(([id]) => id);
    await this.#connection.ask({ ask: 'apply', batch: { changed, removed, position: this.#position } }).catch((error: unknown) => {
      this.#offered = new Map([...offered, ...this.#offered]);
      throw error;
    });
  }
}
