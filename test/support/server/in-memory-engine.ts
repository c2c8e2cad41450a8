import { createHash } from 'node:crypto';
import { auditLine } from '../../../src/domain/audit/audit.ts';
import { newSessionState } from '../../../src/domain/session/state.ts';
import type { Engine, News } from '../../../src/engine/engine.ts';
import type { Actor } from '../../../src/protocol/actor.ts';
import type { AuditEntry, AuditFilter } from '../../../src/protocol/api/audit.ts';
import type { Problem } from '../../../src/protocol/api/problem.ts';
import type { Command, Receipt, Refusal } from '../../../src/protocol/command.ts';
import type { Event, EventBody } from '../../../src/protocol/event.ts';
import type { Delta } from '../../../src/protocol/frame.ts';
import type { AgentDescription, WaitingPermission } from '../../../src/protocol/http.ts';
import type { AgentId, CommandId, RequestId, SessionId } from '../../../src/protocol/ids.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { eventsOf } from './in-memory-decide.ts';
import { newSession, withEvent } from './in-memory-session.ts';
import { createMemoryWorkspace } from './in-memory-workspace.ts';

/** An engine over plain arrays without an agent: a test plays the agent through `observe` and `stream`. */
export interface MemoryEngine extends Engine {
  /** Records events as if an agent had caused them. */
  observe(id: SessionId, ...bodies: readonly EventBody[]): readonly Event[];
  stream(id: SessionId, ...deltas: readonly Delta[]): void;
  drop(id: SessionId, itemId: string): void;
  notice(text: string): void;
  /** What doesn't work at the moment. */
  have(...problems: readonly Problem[]): void;
  putBlob(bytes: Uint8Array): string;
  /** Refuses what `why` names, as a real engine would for its own reasons. */
  refuseWith(why: ((command: Command) => Refusal | undefined) | undefined): void;
  /** A conversation of a private session that was deleted. */
  closeConversation(agentSessionId: string, ownerId: string): void;
  /** As after an upgrade, while audit entries of earlier events are still being written. */
  leaveAuditIncomplete(): void;
  /** The actor of every command, in order. */
  readonly actors: readonly Actor[];
}

export interface Room {
  session: Session;
  readonly events: Event[];
  readonly partial: Map<string, Delta>;
}

interface Workspace {
  readonly rooms: Map<SessionId, Room>;
  readonly receipts: Map<CommandId, { readonly content: string; readonly receipt: Receipt }>;
  readonly blobs: Map<string, Uint8Array>;
  readonly listeners: Set<{ readonly of: SessionId | '*'; readonly call: (news: News) => void }>;
  readonly actors: Actor[];
  readonly audit: AuditEntry[];
  isAuditComplete: boolean;
  appended: number;
  problems: readonly Problem[];
  why: ((command: Command) => Refusal | undefined) | undefined;
}

export function createMemoryEngine(): MemoryEngine {
  const workspace: Workspace = {
    rooms: new Map(),
    receipts: new Map(),
    blobs: new Map(),
    listeners: new Set(),
    actors: [],
    audit: [],
    isAuditComplete: true,
    appended: 0,
    problems: [],
    why: undefined,
  };
  const room = (id: SessionId) => workspace.rooms.get(id);
  const waiting = () => [...workspace.rooms.values()].flatMap(waitingIn);
  const gone = new Map<string, string>();
  return {
    ...createMemoryWorkspace((requestId) => waiting().some((each) => each.requestId === requestId)),
    actors: workspace.actors,
    submit: async (command, actor) => submit(workspace, command, actor),
    session: (id) => room(id)?.session,
    sessions: () => [...workspace.rooms.values()].map((each) => each.session),
    sessionOfRequest: (requestId) => [...workspace.rooms.values()].find((each) => requestIn(each, requestId) !== undefined)?.session.id,
    events: (id, { after, before, limit }) => page(room(id)?.events ?? [], after, before, limit),
    partial: (id) => [...(room(id)?.partial.values() ?? [])],
    permissions: (id) => [...workspace.rooms.values()].filter((each) => id === undefined || each.session.id === id).flatMap(waitingIn),
    agents: async () => [STAND_IN],
    backup: async () => '/data/backups/journal.db',
    closedConversations: () => [...gone.keys()],
    closeConversation: (id, ownerId) => gone.set(id, ownerId),
    ownersOfClosed: (id) => [
      ...[...workspace.rooms.values()].flatMap((each) => (each.session.closed === true && hadMind(each, id) ? [each.session.ownerId ?? ''] : [])),
      ...(gone.has(id) ? [gone.get(id) ?? ''] : []),
    ],
    past: async () => ({ conversations: [], more: false }),
    folders: async () => ({ folders: [{ name: 'home', path: '/home', isRepository: false }] }),
    blob: (sha256) => workspace.blobs.get(sha256),
    audit: (filter) => auditPage(workspace.audit, filter),
    isAuditComplete: () => workspace.isAuditComplete,
    leaveAuditIncomplete: () => {
      workspace.isAuditComplete = false;
    },
    watch: (of, call) => {
      const entry = { of, call };
      workspace.listeners.add(entry);
      return () => workspace.listeners.delete(entry);
    },
    machine: () => ({ live: workspace.rooms.size, maxLive: 5, memory: { usedBytes: 0 }, freeDiskBytes: 0, problems: [...workspace.problems] }),
    problems: () => workspace.problems,
    stats: () => ({ live: workspace.rooms.size, sessions: workspace.rooms.size, eventsAppended: workspace.appended, linesRead: 0, diskLow: false }),
    drain: async () => {},
    close: async () => {},
    observe: (id, ...bodies) => append(workspace, roomOf(workspace, id), bodies),
    stream: (id, ...deltas) => stream(workspace, roomOf(workspace, id), deltas),
    drop: (id, itemId) => {
      roomOf(workspace, id).partial.delete(itemId);
      tell(workspace, { kind: 'dropped', sessionId: id, itemId });
    },
    notice: (text) => tell(workspace, { kind: 'notice', level: 'warning', code: 'test', text }),
    have: (...problems) => {
      workspace.problems = problems;
      tell(workspace, { kind: 'problems', problems });
    },
    putBlob: (bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      workspace.blobs.set(sha256, bytes);
      return sha256;
    },
    refuseWith: (why) => {
      workspace.why = why;
    },
  };
}

function submit(workspace: Workspace, command: Command, actor: Actor): Receipt | Refusal {
  const { commandId, ...rest } = command;
  const content = JSON.stringify(rest);
  const known = workspace.receipts.get(commandId);
  if (known !== undefined) {
    return known.content === content ? known.receipt : { refused: 'conflict', message: `Command ${commandId} was used for something else` };
  }
  const refusal = workspace.why?.(command);
  if (refusal !== undefined) return refusal;
  const found = workspace.rooms.get(command.sessionId) ?? (command.type === 'session.create' ? openRoom(workspace, command.sessionId) : undefined);
  const decided = eventsOf(found, command, actor);
  if ('refused' in decided) return decided;
  workspace.actors.push(actor);
  const stored = found === undefined ? [] : append(workspace, found, decided);
  const receipt = { commandId, sessionId: command.sessionId, seq: stored[0]?.seq ?? found?.session.lastSeq ?? 0, queued: found?.session.status === 'busy' };
  workspace.receipts.set(commandId, { content, receipt });
  if (command.type === 'session.delete') forget(workspace, command.sessionId);
  return receipt;
}

function openRoom(workspace: Workspace, id: SessionId): Room {
  const room: Room = { session: newSession(id), events: [], partial: new Map() };
  workspace.rooms.set(id, room);
  return room;
}

function roomOf(workspace: Workspace, id: SessionId): Room {
  const room = workspace.rooms.get(id);
  if (room === undefined) throw new Error(`no session ${id}`);
  return room;
}

function append(workspace: Workspace, room: Room, bodies: readonly EventBody[]): readonly Event[] {
  const first = room.events.length + 1;
  const at = new Date().toISOString();
  const stored = bodies.map((body, index): Event => ({ ...body, seq: first + index, at }));
  room.events.push(...stored);
  for (const event of stored) {
    room.session = withEvent(room.session, event);
    if (event.itemId !== undefined) room.partial.delete(event.itemId);
  }
  for (const event of stored) {
    for (const line of auditLine(newSessionState(room.session.id), event)) workspace.audit.push({ ...line, id: workspace.audit.length + 1 });
  }
  workspace.appended += stored.length;
  if (stored.length === 0) return stored;
  tell(workspace, { kind: 'events', sessionId: room.session.id, events: stored });
  tell(workspace, { kind: 'session', sessionId: room.session.id, session: room.session });
  return stored;
}

function stream(workspace: Workspace, room: Room, deltas: readonly Delta[]): void {
  for (const delta of deltas) {
    const before = room.partial.get(delta.itemId);
    room.partial.set(delta.itemId, before === undefined ? delta : { ...before, text: before.text + delta.text });
  }
  tell(workspace, { kind: 'deltas', sessionId: room.session.id, deltas });
}

function forget(workspace: Workspace, id: SessionId): void {
  workspace.rooms.delete(id);
  tell(workspace, { kind: 'deleted', sessionId: id });
}

function tell(workspace: Workspace, news: News): void {
  // Watchers of the session come before watchers of all sessions, as in the real engine.
  for (const { of, call } of workspace.listeners) if ('sessionId' in news && news.sessionId === of) call(news);
  for (const { of, call } of workspace.listeners) if (of === '*') call(news);
}

function page(events: readonly Event[], after: number | undefined, before: number | undefined, limit: number): readonly Event[] {
  if (before === undefined) return events.slice(after ?? 0, (after ?? 0) + limit);
  return events.slice(Math.max(0, Math.min(before - 1, events.length) - limit), Math.max(0, before - 1));
}

function auditPage(entries: readonly AuditEntry[], { session, actor, cursor, seenBy, limit }: AuditFilter): readonly AuditEntry[] {
  const fits = (entry: AuditEntry): boolean =>
    (session === undefined || entry.sessionId === session) &&
    (actor === undefined || entry.actor.id === actor || entry.actor.name === actor) &&
    (cursor === undefined || entry.id < cursor) &&
    (seenBy === undefined || entry.actor.id === seenBy.actorId || seenBy.sessions.includes(entry.sessionId ?? ''));
  return [...entries].reverse().filter(fits).slice(0, limit);
}

const hadMind = (room: Room, id: string): boolean => room.events.some((event) => event.type === 'session.started' && event.agentSessionId === id);

const requestIn = (room: Room, requestId: RequestId) => room.events.find((event) => event.type === 'permission.requested' && event.requestId === requestId);

function waitingIn(room: Room): readonly WaitingPermission[] {
  const resolved = new Set(room.events.flatMap((event) => (event.type === 'permission.resolved' ? [event.requestId] : [])));
  return room.events.flatMap((event) => {
    if (event.type !== 'permission.requested' || resolved.has(event.requestId)) return [];
    const { type: _, agentRequestId: __, ...shown } = event;
    return [{ ...shown, sessionId: room.session.id, sessionTitle: room.session.title, agent: room.session.agent, cwd: room.session.cwd }];
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
  },
  sessions: 0,
};
