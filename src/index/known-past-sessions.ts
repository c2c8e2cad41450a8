import { archivedIdOf } from '../agents/port/archived-id.ts';
import type { PastSession } from '../archive/archive.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { Session } from '../protocol/session.ts';
import { type PastDriver, type PastMachine, summaryOfPast } from './list/past-summary.ts';

export interface PastHolder extends PastDriver {
  readonly agent: AgentId;
  readonly agentSessionId: string;
}

/** Every past session as last reported, and which program currently has its conversation open. */
export class KnownPastSessions {
  readonly #sessions = new Map<SessionId, PastSession>();
  #holders = new Map<string, PastDriver>();

  constructor(private readonly machine: PastMachine) {}

  get(id: SessionId): PastSession | undefined {
    return this.#sessions.get(id);
  }

  ofConversation(agent: AgentId, agentSessionId: string): PastSession | undefined {
    return this.#sessions.get(archivedIdOf(agent, agentSessionId));
  }

  put(session: PastSession): void {
    this.#sessions.set(session.id, session);
  }

  drop(id: SessionId): void {
    this.#sessions.delete(id);
  }

  ids(): readonly SessionId[] {
    return [...this.#sessions.keys()];
  }

  newest(): readonly PastSession[] {
    return [...this.#sessions.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  }

  summary(id: SessionId): Session | undefined {
    const session = this.#sessions.get(id);
    return session && summaryOfPast(session, this.machine, this.#holders.get(keyOf(session)));
  }

  idsOpenElsewhere(): readonly SessionId[] {
    return [...this.#sessions.values()].flatMap((session) => (this.#holders.has(keyOf(session)) ? [session.id] : []));
  }

  /** Returns the sessions that another program opened or closed since the last call. */
  updateHolders(holders: readonly PastHolder[]): readonly SessionId[] {
    const before = this.#holders;
    this.#holders = new Map(holders.map((holder) => [keyOf(holder), driverOf(holder)]));
    const changed = [...this.#sessions.values()].filter((session) => before.get(keyOf(session))?.pid !== this.#holders.get(keyOf(session))?.pid);
    return changed.map(({ id }) => id);
  }
}

const keyOf = ({ agent, agentSessionId }: { readonly agent: AgentId; readonly agentSessionId: string }): string => `${agent} ${agentSessionId}`;

const driverOf = ({ pid, since, what }: PastHolder): PastDriver => ({ pid, ...(since !== undefined && { since }), ...(what !== undefined && { what }) });
