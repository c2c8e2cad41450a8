import { resolvedRequest } from '../domain/permission/resolved.ts';
import type { Problems } from '../problems/problems.ts';
import type { Event } from '../protocol/event.ts';
import type { ResolvedRequest } from '../protocol/frame.ts';
import type { WaitingPermission } from '../protocol/http.ts';
import { isReservedId, type SessionId } from '../protocol/ids.ts';
import type { Session } from '../protocol/session.ts';
import type { SharedSession } from '../protocol/shared-session.ts';

/** What there is to share, and how to hear of changes. */
export interface SessionSource {
  session(id: SessionId): Session | undefined;
  permissions(id: SessionId): readonly WaitingPermission[];
  /** The newest sessions, past ones included, without those that are private. */
  newest(limit: number): Promise<readonly Session[]>;
  watch(listener: SourceListener): () => void;
}

export interface SourceListener {
  changed(session: Session): void;
  events(id: SessionId, events: readonly Event[]): void;
  removed(id: SessionId): void;
}

/** A busy session changes many times a second; other machines hear of it once a second, and at once when people are waited for. */
const QUIET_MS = 1000;
const SOON_MS = 100;
const DECISIONS = 5;
const SHARED = 1000;

/** Shares summaries of our sessions with the other machines. Private sessions are never shared: one that becomes private is taken back. */
export class SharedSessions {
  readonly #due = new Map<SessionId, Session | null>();
  readonly #sentAt = new Map<SessionId, number>();
  readonly #resolved = new Map<SessionId, readonly ResolvedRequest[]>();
  readonly #urgent = new Map<SessionId, string>();
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly source: SessionSource,
    private readonly publish: (changes: ReadonlyMap<string, SharedSession | null>) => Promise<void>,
    private readonly problems: Problems,
  ) {
    this.#stop = source.watch({
      changed: (session) => this.#changed(session),
      events: (id, events) => this.#noteDecisions(id, events),
      removed: (id) => this.#add(id, null, SOON_MS),
    });
  }

  /** Everything that is shared, newest first. */
  async all(): Promise<ReadonlyMap<string, SharedSession>> {
    const newest = await this.source.newest(SHARED);
    return new Map(newest.flatMap((session) => (this.#isShared(session) ? [[session.id, this.#sharedOf(session)] as const] : [])));
  }

  close(): void {
    this.#stop();
    clearTimeout(this.#timer);
  }

  #changed(session: Session): void {
    const { id, status, waiting, title, control } = session;
    if (isReservedId(id)) return;
    const state = `${status} ${waiting} ${title} ${control} ${session.closed}`;
    const isUrgent = this.#urgent.get(id) !== state;
    this.#urgent.set(id, state);
    const sinceMs = Date.now() - (this.#sentAt.get(id) ?? 0);
    this.#add(id, this.#isShared(session) ? session : null, isUrgent ? SOON_MS : Math.max(SOON_MS, QUIET_MS - sinceMs));
  }

  #isShared = ({ id, closed }: Session): boolean => closed !== true && !isReservedId(id);

  #noteDecisions(id: SessionId, events: readonly Event[]): void {
    const decided = events.flatMap((event) => (event.type === 'permission.resolved' ? [resolvedRequest(event)] : []));
    if (decided.length > 0) this.#resolved.set(id, [...(this.#resolved.get(id) ?? []), ...decided].slice(-DECISIONS));
  }

  #add(id: SessionId, session: Session | null, withinMs: number): void {
    if (isReservedId(id)) return;
    this.#due.set(id, session);
    if (session === null) {
      this.#resolved.delete(id);
      this.#urgent.delete(id);
    }
    if (this.#timer !== undefined && withinMs > SOON_MS) return;
    clearTimeout(this.#timer);
    this.#timer = this.problems.after('tell other machines about sessions', withinMs, () => this.#flush()).unref();
  }

  #flush(): Promise<void> {
    this.#timer = undefined;
    const now = Date.now();
    const changes = new Map([...this.#due].map(([id, session]) => [id as string, session === null ? null : this.#sharedOf(session)]));
    for (const [id, session] of this.#due) {
      if (session === null) this.#sentAt.delete(id);
      else this.#sentAt.set(id, now);
    }
    this.#due.clear();
    return this.publish(changes);
  }

  #sharedOf(session: Session): SharedSession {
    return { session, waiting: [...this.source.permissions(session.id)], resolved: [...(this.#resolved.get(session.id) ?? [])] };
  }
}
