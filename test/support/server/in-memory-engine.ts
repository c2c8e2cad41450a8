import { createHash } from 'node:crypto';
import { auditLine } from '../../../src/domain/audit/audit.ts';
import { type FinishState, finished, isFinishEvent, NO_FINISH } from '../../../src/domain/finish/finish-state.ts';
import { newSessionState } from '../../../src/domain/session/state.ts';
import type { Engine, News } from '../../../src/engine/engine.ts';
import type { Actor } from '../../../src/protocol/actor.ts';
import type { AuditEntry, AuditFilter } from '../../../src/protocol/api/audit.ts';
import type { Problem } from '../../../src/protocol/api/problem.ts';
import type { Command, Receipt, Refusal } from '../../../src/protocol/command.ts';
import type { Event, EventBody } from '../../../src/protocol/event.ts';
import type { Delta } from '../../../src/protocol/frame.ts';
import type { AgentDescription, WaitingPermission } from '../../../src/protocol/http.ts';
import type { AgentId, CommandId, RequestId, RunId, SessionId } from '../../../src/protocol/ids.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { NO_TERMINALS } from '../../../src/server/auth/access.ts';
import { eventsOf } from './in-memory-decide.ts';
import { newSession, withEvent } from './in-memory-session.ts';
import { createInMemoryWorkspace } from './in-memory-workspace.ts';

/** An engine over plain arrays without an agent: a test plays the agent through `observe` and `stream`. */
export interface InMemoryEngine extends Engine {
  /** Records events as if an agent had caused them. */
  observe(id: SessionId, ...bodies: readonly EventBody[]): readonly Event[];
  stream(id: SessionId, ...deltas: readonly Delta[]): void;
  drop(id: SessionId, itemId: string): void;
  notice(text: string): void;
  /** What doesn't work at the moment. */
  have(...problems: readonly Problem[]): void;
  putBlob(bytes: Uint8Array): string;
  /** Makes it refuse commands for which `refuse` returns a refusal, as a real engine would for its own reasons. */
  refuseWith(refuse: ((command: Command) => Refusal | undefined) | undefined): void;
  /** A conversation of a private session that was deleted. */
  closeConversation(agentSessionId: string, ownerId: string): void;
  /** As after an upgrade, while audit entries of earlier events are still being written. */
  leaveAuditIncomplete(): void;
  /** The actor of every command, in order. */
  readonly actors: readonly Actor[];
  /** Runs of agents that are running now. */
  readonly runs: Map<RunId, SessionId>;
}

export interface StoredSession {
  session: Session;
  readonly events: Event[];
  readonly partial: Map<string, Delta>;
}

interface EngineState {
  readonly sessions: Map<SessionId, StoredSession>;
  readonly receipts: Map<CommandId, { readonly content: string; readonly receipt: Receipt }>;
  readonly blobs: Map<string, Uint8Array>;
  readonly listeners: Set<{ readonly of: SessionId | '*'; readonly call: (news: News) => void }>;
  readonly actors: Actor[];
  /** Runs of agents that are running now. */
  readonly runs: Map<RunId, SessionId>;
  readonly audit: AuditEntry[];
  isAuditComplete: boolean;
  appended: number;
  problems: readonly Problem[];
  refuse: ((command: Command) => Refusal | undefined) | undefined;
}

const NONE: Refusal = { refused: 'not-supported', message: 'This server makes no checkpoints.' };

const NO_CHECKPOINTS = {
  checkpoints: async () => ({ checkpoints: [], turns: [], reverts: [] }),
  previewRevert: async () => NONE,
  turnDiff: async () => NONE,
  takeCheckpoint: async () => NONE,
  fileHistory: async () => ({ versions: [], turns: [] }),
};

export function createInMemoryEngine(): InMemoryEngine {
  const state: EngineState = {
    sessions: new Map(),
    receipts: new Map(),
    blobs: new Map(),
    listeners: new Set(),
    actors: [],
    runs: new Map(),
    audit: [],
    isAuditComplete: true,
    appended: 0,
    problems: [],
    refuse: undefined,
  };
  const stored = (id: SessionId) => state.sessions.get(id);
  const waiting = () => [...state.sessions.values()].flatMap(waitingIn);
  const closedOwners = new Map<string, string>();
  return {
    ...createInMemoryWorkspace((requestId) => waiting().some((each) => each.requestId === requestId)),
    actors: state.actors,
    ...NO_CHECKPOINTS,
    runs: state.runs,
    submit: async (command, actor) => submit(state, command, actor),
    worktrees: async () => [],
    previewWorktree: async () => ({ refused: 'conflict', message: 'This engine has no worktrees.' }),
    actOnWorktree: async () => ({ refused: 'not-found', message: 'This engine has no worktrees.' }),
    runScript: async () => ({ refused: 'not-supported', message: 'This engine runs no scripts.' }),
    session: (id) => stored(id)?.session,
    finish: (id) => stored(id)?.events.reduce<FinishState>((finish, event) => (isFinishEvent(event) ? finished(finish, event) : finish), NO_FINISH),
    sessions: () => [...state.sessions.values()].map((each) => each.session),
    sessionOfRequest: (requestId) => [...state.sessions.values()].find((each) => requestIn(each, requestId) !== undefined)?.session.id,
    sessionOfRun: (run) => state.runs.get(run),
    review: () => undefined,
    annotated: () => [],
    toolCalls: () => [],
    hasTools: () => true,
    secretValues: async () => [],
    holdToolCall: () => () => undefined,
    terminals: NO_TERMINALS,
    outside: () => ({ webhooks: [], shares: [] }),
    events: (id, { after, before, limit }) => page(stored(id)?.events ?? [], after, before, limit),
    partial: (id) => [...(stored(id)?.partial.values() ?? [])],
    permissions: (id) => [...state.sessions.values()].filter((each) => id === undefined || each.session.id === id).flatMap(waitingIn),
    agents: async () => [STAND_IN],
    backup: async () => '/data/backups/journal.db',
    privateConversations: () => [...closedOwners.keys()],
    closeConversation: (id, ownerId) => closedOwners.set(id, ownerId),
    ownersOfPrivate: (id) => [
      ...[...state.sessions.values()].flatMap((each) => (each.session.closed === true && hadConversation(each, id) ? [each.session.ownerId ?? ''] : [])),
      ...(closedOwners.has(id) ? [closedOwners.get(id) ?? ''] : []),
    ],
    past: async () => ({ conversations: [], more: false }),
    folders: async () => ({ folders: [{ name: 'home', path: '/home', isRepository: false }] }),
    blob: (sha256) => state.blobs.get(sha256),
    audit: (filter) => auditPage(state.audit, filter),
    isAuditComplete: () => state.isAuditComplete,
    leaveAuditIncomplete: () => {
      state.isAuditComplete = false;
    },
    watch: (of, call) => {
      const entry = { of, call };
      state.listeners.add(entry);
      return () => state.listeners.delete(entry);
    },
    machine: () => ({ live: state.sessions.size, maxLive: 5, memory: { usedBytes: 0 }, freeDiskBytes: 0, problems: [...state.problems] }),
    problems: () => state.problems,
    stats: () => ({ live: state.sessions.size, sessions: state.sessions.size, eventsAppended: state.appended, linesRead: 0, diskLow: false }),
    drain: async () => {},
    close: async () => {},
    observe: (id, ...bodies) => append(state, storedSession(state, id), bodies),
    stream: (id, ...deltas) => stream(state, storedSession(state, id), deltas),
    drop: (id, itemId) => {
      storedSession(state, id).partial.delete(itemId);
      publish(state, { kind: 'dropped', sessionId: id, itemId });
    },
    notice: (text) => publish(state, { kind: 'notice', level: 'warning', code: 'test', text }),
    have: (...problems) => {
      state.problems = problems;
      publish(state, { kind: 'problems', problems });
    },
    putBlob: (bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      state.blobs.set(sha256, bytes);
      return sha256;
    },
    refuseWith: (refuse) => {
      state.refuse = refuse;
    },
  };
}

function submit(state: EngineState, command: Command, actor: Actor): Receipt | Refusal {
  const { commandId, ...rest } = command;
  const content = JSON.stringify(rest);
  const known = state.receipts.get(commandId);
  if (known !== undefined) {
    return known.content === content ? known.receipt : { refused: 'conflict', message: `Command ${commandId} was used for something else` };
  }
  const refusal = state.refuse?.(command);
  if (refusal !== undefined) return refusal;
  const found = state.sessions.get(command.sessionId) ?? (command.type === 'session.create' ? addSession(state, command.sessionId) : undefined);
  const decided = eventsOf(found, command, actor);
  if ('refused' in decided) return decided;
  state.actors.push(actor);
  const added = found === undefined ? [] : append(state, found, decided);
  const receipt = { commandId, sessionId: command.sessionId, seq: added[0]?.seq ?? found?.session.lastSeq ?? 0, queued: found?.session.status === 'busy' };
  state.receipts.set(commandId, { content, receipt });
  if (command.type === 'session.delete') forget(state, command.sessionId);
  return receipt;
}

function addSession(state: EngineState, id: SessionId): StoredSession {
  const stored: StoredSession = { session: newSession(id), events: [], partial: new Map() };
  state.sessions.set(id, stored);
  return stored;
}

function storedSession(state: EngineState, id: SessionId): StoredSession {
  const stored = state.sessions.get(id);
  if (stored === undefined) throw new Error(`no session ${id}`);
  return stored;
}

function append(state: EngineState, stored: StoredSession, bodies: readonly EventBody[]): readonly Event[] {
  const first = stored.events.length + 1;
  const at = new Date().toISOString();
  const added = bodies.map((body, index): Event => ({ ...body, seq: first + index, at }));
  stored.events.push(...added);
  for (const event of added) {
    stored.session = withEvent(stored.session, event);
    if (event.itemId !== undefined) stored.partial.delete(event.itemId);
  }
  for (const event of added) {
    for (const line of auditLine(newSessionState(stored.session.id), event)) state.audit.push({ ...line, id: state.audit.length + 1 });
  }
  state.appended += added.length;
  if (added.length === 0) return added;
  publish(state, { kind: 'events', sessionId: stored.session.id, events: added });
  publish(state, { kind: 'session', sessionId: stored.session.id, session: stored.session });
  return added;
}

function stream(state: EngineState, stored: StoredSession, deltas: readonly Delta[]): void {
  for (const delta of deltas) {
    const before = stored.partial.get(delta.itemId);
    stored.partial.set(delta.itemId, before === undefined ? delta : { ...before, text: before.text + delta.text });
  }
  publish(state, { kind: 'deltas', sessionId: stored.session.id, deltas });
}

function forget(state: EngineState, id: SessionId): void {
  state.sessions.delete(id);
  publish(state, { kind: 'deleted', sessionId: id });
}

function publish(state: EngineState, news: News): void {
  // Watchers of the session come before watchers of all sessions, as in the real engine.
  for (const { of, call } of state.listeners) if ('sessionId' in news && news.sessionId === of) call(news);
  for (const { of, call } of state.listeners) if (of === '*') call(news);
}

function page(events: readonly Event[], after: number | undefined, before: number | undefined, limit: number): readonly Event[] {
  if (before === undefined) return events.slice(after ?? 0, (after ?? 0) + limit);
  return events.slice(Math.max(0, Math.min(before - 1, events.length) - limit), Math.max(0, before - 1));
}

function auditPage(entries: readonly AuditEntry[], { session, actor, cursor, seenBy, limit }: AuditFilter): readonly AuditEntry[] {
  const matches = (entry: AuditEntry): boolean =>
    (session === undefined || entry.sessionId === session) &&
    (actor === undefined || entry.actor.id === actor || entry.actor.name === actor) &&
    (cursor === undefined || entry.id < cursor) &&
    (seenBy === undefined || entry.actor.id === seenBy.actorId || seenBy.sessions.includes(entry.sessionId ?? ''));
  return [...entries].reverse().filter(matches).slice(0, limit);
}

const hadConversation = (stored: StoredSession, id: string): boolean =>
  stored.events.some((event) => event.type === 'session.started' && event.agentSessionId === id);

const requestIn = (stored: StoredSession, requestId: RequestId) =>
  stored.events.find((event) => event.type === 'permission.requested' && event.requestId === requestId);

function waitingIn(stored: StoredSession): readonly WaitingPermission[] {
  const resolved = new Set(stored.events.flatMap((event) => (event.type === 'permission.resolved' ? [event.requestId] : [])));
  return stored.events.flatMap((event) => {
    if (event.type !== 'permission.requested' || resolved.has(event.requestId)) return [];
    const { type: _, agentRequestId: __, ...shown } = event;
    return [{ ...shown, sessionId: stored.session.id, sessionTitle: stored.session.title, agent: stored.session.agent, cwd: stored.session.cwd }];
  });
}

const STAND_IN: AgentDescription = {
  id: 'stand-in' as AgentId,
  title: 'Stand-in',
  icon: 'stand-in',
  available: true,
  verifiedWith: [],
  capabilities: {
    streaming: true,
    permissions: true,
    resume: true,
    fork: false,
    interrupt: true,
    steer: false,
    images: true,
    thinking: true,
    cost: false,
    subagents: false,
    modes: [],
    setModel: false,
    setThinking: false,
    forkAt: false,
    rewind: false,
    editInput: true,
    tools: 'bus',
  },
  sessions: 0,
};
