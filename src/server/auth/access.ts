import { unknownConversation } from '../../engine/continue/continue-record.ts';
import type { Engine } from '../../engine/engine.ts';
import { EMPTY_INDEX, type Hidden, type SessionIndex } from '../../index/session-index.ts';
import { type Command, isRefusal, type Refusal, type WorkspaceCommand } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { SessionLists } from '../http/route.ts';
import type { Identity } from './tokens.ts';

/** Who can see and steer a session: everyone, or, when it is private (`closed`), the token that created it and owners. */
export const mayReach = (session: Pick<Session, 'closed' | 'ownerId'>, { id, role }: Pick<Identity, 'id' | 'role'>): boolean =>
  session.closed !== true || role === 'owner' || session.ownerId === id;

/**
 * The engine as one person may use it: other people's private sessions don't exist. HTTP and sockets only use this one. Each verb is
 * written out, so that a new one does not compile until someone has thought about it here.
 */
export function engineFor(engine: Engine, identity: () => Pick<Identity, 'id' | 'role'>, sessionIndex: Pick<SessionIndex, 'pastIds'> = EMPTY_INDEX): Engine {
  const sees = (session: Session | undefined): boolean => session === undefined || mayReach(session, identity());
  const seesId = (id: SessionId): boolean => sees(engine.session(id));
  const isThere = (id: SessionId): boolean => engine.session(id) !== undefined && seesId(id);
  return {
    submit: async (command, actor) => refusalOf(engine, sessionIndex, command, identity()) ?? engine.submit(command, actor),
    workspace: async (command, actor) => workspaceRefusal(command, seesId) ?? engine.workspace(command, actor),
    rules: () => engine.rules().filter(({ scope }) => scope.kind !== 'session' || seesId(scope.sessionId)),
    outside: () => {
      const { webhooks, shares } = engine.outside();
      return { webhooks: identity().role === 'owner' ? webhooks : [], shares: shares.filter(({ sessionId }) => seesId(sessionId)) };
    },
    resetPreferences: () => engine.resetPreferences().filter(({ scope }) => scope.kind !== 'session' || seesId(scope.sessionId)),
    tryRule: async (body) => {
      const outcome = await engine.tryRule(body);
      return isRefusal(outcome) ? outcome : { ...outcome, examples: outcome.examples.filter((example) => seesId(example.sessionId)) };
    },
    proposals: (requestId) => {
      const id = engine.sessionOfRequest(requestId);
      return id !== undefined && isThere(id) ? engine.proposals(requestId) : { refused: 'not-found', message: `There is no request ${requestId}` };
    },
    // Routes decide what runs; only they know what the person may do.
    runScript: async (parent, script) =>
      isThere(parent) ? engine.runScript(parent, script) : { refused: 'not-found', message: `There is no session ${parent}.` },
    // A worktree is as private as its session. Others are git's own list.
    worktrees: async () => (await engine.worktrees()).filter(({ session }) => session === undefined || seesId(session.id)),
    previewWorktree: async (cwd, base) => {
      const preview = await engine.previewWorktree(cwd, base);
      return isRefusal(preview) ? preview : { ...preview, others: preview.others.filter(({ id }) => seesId(id)) };
    },
    actOnWorktree: async (id, act, actor) =>
      isThere(id) ? engine.actOnWorktree(id, act, actor) : { refused: 'not-found', message: `There is no session ${id}.` },
    session: (id) => (seesId(id) ? engine.session(id) : undefined),
    finish: (id) => (seesId(id) ? engine.finish(id) : undefined),
    sessions: () => engine.sessions().filter(sees),
    sessionOfRequest: (requestId) => {
      const id = engine.sessionOfRequest(requestId);
      return id !== undefined && isThere(id) ? id : undefined;
    },
    // Only the gate asks, about the run that a token belongs to.
    sessionOfRun: () => undefined,
    // Only the part that runs the tools asks; it has the engine itself.
    toolCalls: () => [],
    hasTools: () => false,
    holdToolCall: () => () => undefined,
    // Only the parts that serve hooks and polling programs use them; they have the engine itself.
    terminals: NO_TERMINALS,
    events: (id, page) => (seesId(id) ? engine.events(id, page) : []),
    partial: (id) => (seesId(id) ? engine.partial(id) : []),
    permissions: (session) => engine.permissions(session).filter((waiting) => isThere(waiting.sessionId)),
    // The number of an agent's sessions and the folder names reveal nothing about what is in a session.
    agents: (rescan) => engine.agents(rescan),
    folders: (path) => engine.folders(path),
    past: async (agent, query) => {
      const list = await engine.past(agent, query);
      return isRefusal(list) ? list : { ...list, conversations: list.conversations.filter((one) => seesPast(engine, one.agentSessionId, identity())) };
    },
    ownersOfPrivate: (agentSessionId) => engine.ownersOfPrivate(agentSessionId),
    privateConversations: () => engine.privateConversations(),
    backup: () => engine.backup(),
    secretValues: async (id) => (isThere(id) ? engine.secretValues(id) : []),
    // A blob's name is the hash of its content: only somebody who has seen an event with it can ask for it.
    blob: (sha256) => engine.blob(sha256),
    checkpoints: async (id) => (seesId(id) ? engine.checkpoints(id) : undefined),
    previewRevert: async (id, wanted) => {
      if (!isThere(id)) return { refused: 'not-found', message: `There is no session ${id}.` };
      const preview = await engine.previewRevert(id, wanted);
      return isRefusal(preview) || preview.sharedWith === undefined ? preview : { ...preview, sharedWith: preview.sharedWith.filter(seesId) };
    },
    // Texts of files and of private turns: only the part that decides what may be named asks, and it has the engine itself.
    fileHistory: async () => ({ versions: [], turns: [] }),
    turnDiff: async (id, turnId, path) => (isThere(id) ? engine.turnDiff(id, turnId, path) : { refused: 'not-found', message: `There is no session ${id}.` }),
    takeCheckpoint: async (id, when, options) =>
      isThere(id) ? engine.takeCheckpoint(id, when, options) : { refused: 'not-found', message: `There is no session ${id}.` },
    audit: (filter) => (identity().role === 'owner' ? engine.audit(filter) : engine.audit({ ...filter, seenBy: seenBy(engine, identity()) })),
    isAuditComplete: () => engine.isAuditComplete(),
    watch: (session, listener) => engine.watch(session, (news) => (!('sessionId' in news) || seesId(news.sessionId) ? listener(news) : undefined)),
    // Names recipients; the caller reads each of them through this engine again.
    review: (reviewId) => engine.review(reviewId),
    annotated: () => engine.annotated().filter(seesId),
    stats: () => engine.stats(),
    machine: () => engine.machine(),
    problems: () => engine.problems(),
    drain: () => engine.drain(),
    close: (options) => engine.close(options),
  };
}

/** Nobody’s terminals. */
export const NO_TERMINALS: Engine['terminals'] = {
  report: async () => ({ refused: 'not-permitted', message: 'Only hooks report what agents in terminals do.' }),
  isReported: () => false,
  asks: () => [],
  ask: () => undefined,
  settle: async () => undefined,
  poll: () => 'empty',
  lent: () => undefined,
  holdPoll: () => () => undefined,
};

function workspaceRefusal(command: WorkspaceCommand, seesId: (id: SessionId) => boolean): Refusal | undefined {
  const hidden = sessionsNamedIn(command).find((id) => !seesId(id));
  return hidden === undefined ? undefined : { refused: 'not-found', message: `There is no session ${hidden}.` };
}

function sessionsNamedIn(command: WorkspaceCommand): readonly SessionId[] {
  if (command.type === 'share.create') return [command.sharedSession];
  if (command.type === 'review.request') return command.to.flatMap(({ sessionId, items }) => [sessionId, ...items.map((item) => item.sessionId)]);
  const scope = command.type === 'rule.create' ? command.rule.scope : command.type === 'continuation.prefer' ? command.scope : undefined;
  return scope?.kind === 'session' ? [scope.sessionId] : [];
}

/** Lists, limited to what one person may see. A page that loses entries is filled up from the next, so only the last page can be short. */
export function listsFor(sessionList: SessionLists, engine: Engine, identity: () => Pick<Identity, 'id' | 'role'>): SessionLists {
  // The engine's state of a session is newer than any list.
  const sees = (session: Session): boolean => mayReach(engine.session(session.id) ?? session, identity()) && seesRecord(engine, session, identity());
  return {
    list: async (query) => {
      const sessions: Session[] = [];
      let page = await sessionList.list(query);
      for (;;) {
        sessions.push(...page.sessions.filter(sees));
        const missing = page.sessions.length === 0 ? 0 : (query.limit ?? page.sessions.length) - sessions.length;
        if (page.nextCursor === undefined || missing <= 0) return { sessions, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
        page = await sessionList.list({ ...query, cursor: page.nextCursor, limit: missing });
      }
    },
  };
}

/** A past session whose conversation was made private here stays private. */
export const seesRecord = (engine: Engine, session: Session, identity: Pick<Identity, 'id' | 'role'>): boolean =>
  identity.role === 'owner' || session.past === undefined || session.agentSessionId === undefined || seesPast(engine, session.agentSessionId, identity);

/** Past sessions, limited to what one person may see. Search results are not filtered here: the search itself excludes what is hidden. */
export function indexFor(sessionIndex: SessionIndex, engine: Engine, identity: () => Pick<Identity, 'id' | 'role'>): SessionIndex {
  const sees = async (id: SessionId): Promise<boolean> => {
    const own = engine.session(id);
    if (own !== undefined) return mayReach(own, identity());
    const past = await sessionIndex.session(id);
    return past === undefined || seesRecord(engine, past, identity());
  };
  return {
    ...sessionIndex,
    session: async (id) => ((await sees(id)) ? sessionIndex.session(id) : undefined),
    events: async (id, page) => ((await sees(id)) ? sessionIndex.events(id, page) : []),
    branches: async (id) => ((await sees(id)) ? sessionIndex.branches(id) : []),
    raw: async (id, page) => ((await sees(id)) ? sessionIndex.raw(id, page) : []),
    health: async (id) => ((await sees(id)) ? sessionIndex.health(id) : undefined),
    restore: async (id) => ((await sees(id)) ? sessionIndex.restore(id) : { refused: 'not-found', message: `There is no session ${id}` }),
  };
}

export const hiddenFrom = (engine: Engine, identity: Pick<Identity, 'id' | 'role'>): Hidden => ({
  sessions: engine.sessions().flatMap((session) => (mayReach(session, identity) ? [] : [session.id])),
  conversations: engine.privateConversations().filter((conversation) => !seesPast(engine, conversation, identity)),
});

/** Why a command is refused. A private session looks as if it didn't exist, except that its id is taken. */
function refusalOf(
  engine: Engine,
  sessionIndex: Pick<SessionIndex, 'pastIds'>,
  command: Command,
  identity: Pick<Identity, 'id' | 'role'>,
): Refusal | undefined {
  const session = engine.session(command.sessionId);
  if (session === undefined && sessionIndex.pastIds(hiddenFrom(engine, identity).conversations).includes(command.sessionId)) {
    return { refused: 'not-found', message: `There is no session ${command.sessionId}.` };
  }
  if (session !== undefined && !mayReach(session, identity)) {
    return command.type === 'session.create'
      ? { refused: 'conflict', message: `There is already a session ${command.sessionId}` }
      : { refused: 'not-found', message: `There is no session ${command.sessionId}.` };
  }
  if (command.type === 'session.create') return originRefusal(engine, command, identity);
  if (command.type !== 'session.describe' || command.closed === undefined) return undefined;
  // A past session that nobody has adopted belongs to the owner of the server.
  if (identity.role === 'owner' || session?.ownerId === identity.id) return undefined;
  return { refused: 'not-permitted', message: 'Only the session’s owner can make it private or public.' };
}

/** Nobody can continue a conversation that is private to somebody else, by any id they know. */
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
  engine.ownersOfPrivate(agentSessionId).every((ownerId) => mayReach({ closed: true, ownerId }, identity));

const seenBy = (engine: Engine, identity: Pick<Identity, 'id' | 'role'>) => ({
  actorId: identity.id,
  sessions: engine.sessions().flatMap((session) => (mayReach(session, identity) ? [session.id] : [])),
});
