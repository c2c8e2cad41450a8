import { createHash } from 'node:crypto';
import { auditLine } from '../../../src/domain/audit/audit.ts';
import { unborn } from '../../../src/domain/session/state.ts';
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
import { createMemoryHouse } from './in-memory-workspace.ts';

/** An engine over plain arrays, with no agent behind it: a test plays the agent through `observe` and `stream`. */
export interface MemoryEngine extends Engine {
  /** What an agent would have made happen. */
  observe(id: SessionId, ...bodies: readonly EventBody[]): readonly Event[];
  stream(id: SessionId, ...deltas: readonly Delta[]): void;
  drop(id: SessionId, itemId: string): void;
  notice(text: string): void;
  /** What doesn't work now. */
  have(...problems: readonly Problem[]): void;
  putBlob(bytes: Uint8Array): string;
  /** Refuses whatever `why` names, as a real engine would for its own reasons. */
  refuseWith(why: ((command: Command) => Refusal | undefined) | undefined): void;
  /** A conversation of a closed session that is gone. */
  closeConversation(agentSessionId: string, ownerId: string): void;
  /** As after an upgrade, while lines of earlier events are still being made. */
  leaveAuditIncomplete(): void;
  /** Every actor that commanded something, in order. */
  readonly actors: readonly Actor[];
}

export interface Room {
  session: Session;
  readonly events: Event[];
  readonly partial: Map<string, Delta>;
}

interface House {
  readonly rooms: Map<SessionId, Room>;
  readonly receipts: Map<CommandId, { readonly content: string; readonly receipt: Receipt }>;
  readonly blobs: Map<string, Uint8Array>;
  readonly listeners: Set<{ readonly of: SessionId | '*'; readonly call: (news: News) => void }>;
  readonly actors: Actor[];
  readonly audit: AuditEntry[];
  isAuditWhole: boolean;
  appended: number;
  problems: readonly Problem[];
  why: ((command: Command) => Refusal | undefined) | undefined;
}

export function createMemoryEngine(): MemoryEngine {
  const house: House = {
    rooms: new Map(),
    receipts: new Map(),
    blobs: new Map(),
    listeners: new Set(),
    actors: [],
    audit: [],
    isAuditWhole: true,
    appended: 0,
    problems: [],
    why: undefined,
  };
  const room = (id: SessionId) => house.rooms.get(id);
  const waiting = () => [...house.rooms.values()].flatMap(waitingIn);
  const gone = new Map<string, string>();
  return {
    ...createMemoryHouse((requestId) => waiting().some((each) => each.requestId === requestId)),
    actors: house.actors,
    submit: async (command, actor) => submit(house, command, actor),
    session: (id) => room(id)?.session,
    sessions: () => [...house.rooms.values()].map((each) => each.session),
    sessionOfRequest: (requestId) => [...house.rooms.values()].find((each) => requestIn(each, requestId) !== undefined)?.session.id,
    events: (id, { after, before, limit }) => page(room(id)?.events ?? [], after, before, limit),
    partial: (id) => [...(room(id)?.partial.values() ?? [])],
    permissions: (id) => [...house.rooms.values()].filter((each) => id === undefined || each.session.id === id).flatMap(waitingIn),
    agents: async () => [STAND_IN],
    backup: async () => '/data/backups/journal.db',
    closedConversations: () => [...gone.keys()],
    closeConversation: (id, ownerId) => gone.set(id, ownerId),
    ownersOfClosed: (id) => [
      ...[...house.rooms.values()].flatMap((each) => (each.session.closed === true && hadMind(each, id) ? [each.session.ownerId ?? ''] : [])),
      ...(gone.has(id) ? [gone.get(id) ?? ''] : []),
    ],
    past: async () => ({ conversations: [], more: false }),
    folders: async () => ({ folders: [{ name: 'home', path: '/home', isRepository: false }] }),
    blob: (sha256) => house.blobs.get(sha256),
    audit: (filter) => auditPage(house.audit, filter),
    isAuditWhole: () => house.isAuditWhole,
    leaveAuditIncomplete: () => {
      house.isAuditWhole = false;
    },
    watch: (of, call) => {
      const entry = { of, call };
      house.listeners.add(entry);
      return () => house.listeners.delete(entry);
    },
    machine: () => ({ live: house.rooms.size, maxLive: 5, memory: { usedBytes: 0 }, freeDiskBytes: 0, problems: [...house.problems] }),
    problems: () => house.problems,
    stats: () => ({ live: house.rooms.size, sessions: house.rooms.size, eventsAppended: house.appended, linesRead: 0, diskLow: false }),
    drain: async () => {},
    close: async () => {},
    observe: (id, ...bodies) => append(house, roomOf(house, id), bodies),
    stream: (id, ...deltas) => stream(house, roomOf(house, id), deltas),
    drop: (id, itemId) => {
      roomOf(house, id).partial.delete(itemId);
      tell(house, { kind: 'dropped', sessionId: id, itemId });
    },
    notice: (text) => tell(house, { kind: 'notice', level: 'warning', code: 'test', text }),
    have: (...problems) => {
      house.problems = problems;
      tell(house, { kind: 'problems', problems });
    },
    putBlob: (bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      house.blobs.set(sha256, bytes);
      return sha256;
    },
    refuseWith: (why) => {
      house.why = why;
    },
  };
}

function submit(house: House, command: Command, actor: Actor): Receipt | Refusal {
  const { commandId, ...rest } = command;
  const content = JSON.stringify(rest);
  const known = house.receipts.get(commandId);
  if (known !== undefined) {
    return known.content === content ? known.receipt : { refused: 'conflict', message: `Command ${commandId} was used for something else` };
  }
  const refusal = house.why?.(command);
  if (refusal !== undefined) return refusal;
  const found = house.rooms.get(command.sessionId) ?? (command.type === 'session.create' ? openRoom(house, command.sessionId) : undefined);
  const decided = eventsOf(found, command, actor);
  if ('refused' in decided) return decided;
  house.actors.push(actor);
  const stored = found === undefined ? [] : append(house, found, decided);
  const receipt = { commandId, sessionId: command.sessionId, seq: stored[0]?.seq ?? found?.session.lastSeq ?? 0, queued: found?.session.status === 'busy' };
  house.receipts.set(commandId, { content, receipt });
  if (command.type === 'session.delete') forget(house, command.sessionId);
  return receipt;
}

function openRoom(house: House, id: SessionId): Room {
  const room: Room = { session: newSession(id), events: [], partial: new Map() };
  house.rooms.set(id, room);
  return room;
}

function roomOf(house: House, id: SessionId): Room {
  const room = house.rooms.get(id);
  if (room === undefined) throw new Error(`no session ${id}`);
  return room;
}

function append(house: House, room: Room, bodies: readonly EventBody[]): readonly Event[] {
  const first = room.events.length + 1;
  const at = new Date().toISOString();
  const stored = bodies.map((body, index): Event => ({ ...body, seq: first + index, at }));
  room.events.push(...stored);
  for (const event of stored) {
    room.session = withEvent(room.session, event);
    if (event.itemId !== undefined) room.partial.delete(event.itemId);
  }
  for (const event of stored) {
    for (const line of auditLine(unborn(room.session.id), event)) house.audit.push({ ...line, id: house.audit.length + 1 });
  }
  house.appended += stored.length;
  if (stored.length === 0) return stored;
  tell(house, { kind: 'events', sessionId: room.session.id, events: stored });
  tell(house, { kind: 'session', sessionId: room.session.id, session: room.session });
  return stored;
}

function stream(house: House, room: Room, deltas: readonly Delta[]): void {
  for (const delta of deltas) {
    const before = room.partial.get(delta.itemId);
    room.partial.set(delta.itemId, before === undefined ? delta : { ...before, text: before.text + delta.text });
  }
  tell(house, { kind: 'deltas', sessionId: room.session.id, deltas });
}

function forget(house: House, id: SessionId): void {
  house.rooms.delete(id);
  tell(house, { kind: 'deleted', sessionId: id });
}

function tell(house: House, news: News): void {
  for (const { of, call } of house.listeners) {
    if (of === '*' || ('sessionId' in news && news.sessionId === of)) call(news);
  }
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
