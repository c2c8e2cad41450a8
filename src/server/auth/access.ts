import { unknownConversation } from '../../engine/continue/continue-record.ts';
import type { Engine } from '../../engine/engine.ts';
import { type Hidden, type Library, NO_LIBRARY } from '../../index/session-index.ts';
import { type Command, type HouseCommand, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { SessionLists } from '../http/route.ts';
import type { Identity } from './tokens.ts';

/** Who may see and steer a session: everybody, unless it is closed; then the token that made it, and the role owner. */
export const mayReach = (session: Pick<Session, 'closed' | 'ownerId'>, { id, role }: Pick<Identity, 'id' | 'role'>): boolean =>
  session.closed !== true || role === 'owner' || session.ownerId === id;

/**
 * The engine as one person may use it: a session that is closed to them is not there. Every door works with this one only. Each verb is
 * written out, so that a new one does not compile until somebody has thought about it here.
 */
export function engineFor(engine: Engine, identity: () => Pick<Identity, 'id' | 'role'>, library: Pick<Library, 'pastIds'> = NO_LIBRARY): Engine {
  const sees = (session: Session | undefined): boolean => session === undefined || mayReach(session, identity());
  const seesId = (id: SessionId): boolean => sees(engine.session(id));
  const isThere = (id: SessionId): boolean => engine.session(id) !== undefined && seesId(id);
  return {
    submit: async (command, actor) => refusalOf(engine, library, command, identity()) ?? engine.submit(command, actor),
    house: async (command, actor) => houseRefusal(command, seesId) ?? engine.house(command, actor),
    rules: () => engine.rules().filter(({ scope }) => scope.kind !== 'session' || seesId(scope.sessionId)),
    tryRule: async (body) => {
      const outcome = await engine.tryRule(body);
      return isRefusal(outcome) ? outcome : { ...outcome, examples: outcome.examples.filter((example) => seesId(example.sessionId)) };
    },
    proposals: (requestId) => {
      const id = engine.sessionOfRequest(requestId);
      return id !== undefined && isThere(id) ? engine.proposals(requestId) : { refused: 'not-found', message: `There is no request ${requestId}` };
    },
    session: (id) => (seesId(id) ? engine.session(id) : undefined),
    sessions: () => engine.sessions().filter(sees),
    sessionOfRequest: (requestId) => {
      const id = engine.sessionOfRequest(requestId);
      return id !== undefined && isThere(id) ? id : undefined;
    },
    events: (id, page) => (seesId(id) ? engine.events(id, page) : []),
    partial: (id) => (seesId(id) ? engine.partial(id) : []),
    permissions: (session) => engine.permissions(session).filter((waiting) => isThere(waiting.sessionId)),
    // How many sessions an agent has, and where folders lie, says nothing of what is in them.
    agents: (anew) => engine.agents(anew),
    folders: (path) => engine.folders(path),
    past: async (agent, query) => {
      const list = await engine.past(agent, query);
      return isRefusal(list) ? list : { ...list, conversations: list.conversations.filter((one) => seesPast(engine, one.agentSessionId, identity())) };
    },
    ownersOfClosed: (agentSessionId) => engine.ownersOfClosed(agentSessionId),
    closedConversations: () => engine.closedConversations(),
    backup: () => engine.backup(),
    // A blob's name is the hash of its content: only who has seen an event that speaks of it can ask for it.
    blob: (sha256) => engine.blob(sha256),
    audit: (filter) => (identity().role === 'owner' ? engine.audit(filter) : engine.audit({ ...filter, seenBy: seenBy(engine, identity()) })),
    isAuditWhole: () => engine.isAuditWhole(),
    watch: (session, listener) => engine.watch(session, (news) => (!('sessionId' in news) || seesId(news.sessionId) ? listener(news) : undefined)),
    stats: () => engine.stats(),
    machine: () => engine.machine(),
    problems: () => engine.problems(),
    drain: () => engine.drain(),
    close: (options) => engine.close(options),
  };
}

function houseRefusal(command: HouseCommand, seesId: (id: SessionId) => boolean): Refusal | undefined {
  const scope = command.type === 'rule.create' ? command.rule.scope : undefined;
  if (scope?.kind !== 'session' || seesId(scope.sessionId)) return undefined;
  return { refused: 'not-found', message: `There is no session ${scope.sessionId}.` };
}

/** Lists as one person may see them. A page that lost some is filled up from the next, so that no page is short but the last. */
export function listsFor(views: SessionLists, engine: Engine, identity: () => Pick<Identity, 'id' | 'role'>): SessionLists {
  // What the engine says of a session is newer than any list.
  const sees = (session: Session): boolean => mayReach(engine.session(session.id) ?? session, identity()) && seesRecord(engine, session, identity());
  return {
    list: async (query) => {
      const sessions: Session[] = [];
      let page = await views.list(query);
      for (;;) {
        sessions.push(...page.sessions.filter(sees));
        const missing = page.sessions.length === 0 ? 0 : (query.limit ?? page.sessions.length) - sessions.length;
        if (page.nextCursor === undefined || missing <= 0) return { sessions, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
        page = await views.list({ ...query, cursor: page.nextCursor, limit: missing });
      }
    },
  };
}

/** A past session whose conversation was closed here stays closed. */
export const seesRecord = (engine: Engine, session: Session, identity: Pick<Identity, 'id' | 'role'>): boolean =>
  identity.role === 'owner' || session.past === undefined || session.agentSessionId === undefined || seesPast(engine, session.agentSessionId, identity);

/** Past sessions as one person may see them. What a search finds is judged where it looks, by what is hidden. */
export function libraryFor(library: Library, engine: Engine, identity: () => Pick<Identity, 'id' | 'role'>): Library {
  const sees = async (id: SessionId): Promise<boolean> => {
    const own = engine.session(id);
    if (own !== undefined) return mayReach(own, identity());
    const past = await library.session(id);
    return past === undefined || seesRecord(engine, past, identity());
  };
  return {
    ...library,
    session: async (id) => ((await sees(id)) ? library.session(id) : undefined),
    events: async (id, page) => ((await sees(id)) ? library.events(id, page) : []),
    branches: async (id) => ((await sees(id)) ? library.branches(id) : []),
    raw: async (id, page) => ((await sees(id)) ? library.raw(id, page) : []),
    health: async (id) => ((await sees(id)) ? library.health(id) : undefined),
    restore: async (id) => ((await sees(id)) ? library.restore(id) : { refused: 'not-found', message: `There is no session ${id}` }),
  };
}

export const hiddenFrom = (engine: Engine, identity: Pick<Identity, 'id' | 'role'>): Hidden => ({
  sessions: engine.sessions().flatMap((session) => (mayReach(session, identity) ? [] : [session.id])),
  conversations: engine.closedConversations().filter((conversation) => !seesPast(engine, conversation, identity)),
});

/** Why a command goes no further. What is closed to somebody answers as if it were not there; only its name is taken. */
function refusalOf(engine: Engine, library: Pick<Library, 'pastIds'>, command: Command, identity: Pick<Identity, 'id' | 'role'>): Refusal | undefined {
  const session = engine.session(command.sessionId);
  if (session === undefined && library.pastIds(hiddenFrom(engine, identity).conversations).includes(command.sessionId)) {
    return { refused: 'not-found', message: `There is no session ${command.sessionId}.` };
  }
  if (session !== undefined && !mayReach(session, identity)) {
    return command.type === 'session.create'
      ? { refused: 'conflict', message: `There is a session ${command.sessionId} already` }
      : { refused: 'not-found', message: `There is no session ${command.sessionId}.` };
  }
  if (command.type === 'session.create') return originRefusal(engine, command, identity);
  if (command.type !== 'session.describe' || command.closed === undefined) return undefined;
  // One that nobody here has taken up yet is nobody's but the owner's of this server.
  if (identity.role === 'owner' || session?.ownerId === identity.id) return undefined;
  return { refused: 'not-permitted', message: 'Only its owner may close a session to others, or open it again' };
}

/** Nobody may go on from a conversation that is closed to them, by whatever name they know it. */
function originRefusal(engine: Engine, command: Extract<Command, { type: 'session.create' }>, identity: Pick<Identity, 'id' | 'role'>): Refusal | undefined {
  const { parent, origin, goOn } = command;
  if (parent === undefined && origin === undefined && goOn === undefined) return undefined;
  const fromSession = goOn?.sessionId ?? parent?.sessionId;
  const conversation = goOn?.agentSessionId ?? origin?.agentSessionId;
  const closed = engine.sessions().filter((session) => !mayReach(session, identity));
  if (closed.some((session) => session.id === fromSession)) return { refused: 'not-found', message: `There is no session ${fromSession}.` };
  return conversation === undefined || seesPast(engine, conversation, identity) ? undefined : unknownConversation(conversation);
}

const seesPast = (engine: Engine, agentSessionId: string, identity: Pick<Identity, 'id' | 'role'>): boolean =>
  engine.ownersOfClosed(agentSessionId).every((ownerId) => mayReach({ closed: true, ownerId }, identity));

const seenBy = (engine: Engine, identity: Pick<Identity, 'id' | 'role'>) => ({
  actorId: identity.id,
  sessions: engine.sessions().flatMap((session) => (mayReach(session, identity) ? [session.id] : [])),
});
