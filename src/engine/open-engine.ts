import { NO_FINISH } from '../domain/finish/finish-state.ts';
import type { PreparedCommand } from '../domain/session/commands.ts';
import { messageIdOf } from '../domain/session/conversation.ts';
import { isTrustRequest } from '../domain/worktree/trust-request.ts';
import { listFolders } from '../folders/allowed-roots.ts';
import { JournalUnwritable } from '../journal/journal-errors.ts';
import type { Actor } from '../protocol/actor.ts';
import { type Command, type CommandOf, isRefusal, type Receipt, type Refusal } from '../protocol/command.ts';
import { type AgentId, isScriptSession, type SessionId } from '../protocol/ids.ts';
import { admit, modeIn, refusedMode } from './admission.ts';
import { BackgroundTasks } from './background-tasks.ts';
import { backup } from './backup.ts';
import { CheckpointWork } from './checkpoints/checkpoint-work.ts';
import { checkpointEngine } from './checkpoints/read-checkpoints.ts';
import { revertGround } from './checkpoints/revert-files.ts';
import { createAuditCompletion } from './complete-audit.ts';
import { type Adoption, adoptPast, newSession, refusedContinuation } from './continue/adopt.ts';
import { findContinuation, pastSessionToAdopt } from './continue/continue-session.ts';
import { KnownLinesCache } from './continue/known-lines.ts';
import { listPast } from './continue/list-conversations.ts';
import { recordGrown } from './continue/merge-record.ts';
import type { Engine } from './engine.ts';
import { type ExternalHolder, OpenElsewhere } from './external/open-elsewhere.ts';
import { resumeTakeovers, watchDrivers } from './external/sweep-external.ts';
import { describeAgents } from './list-agents.ts';
import { areToolsOn } from './loop/agent-tools.ts';
import { type EngineContext, liveCount } from './loop/engine-context.ts';
import type { EngineDeps } from './loop/engine-deps.ts';
import { afterReconcile, explainRefusal, sessionOfRequest, sessionOfRun } from './loop/find-request.ts';
import { KeyedQueues } from './loop/keyed-queues.ts';
import { ownersOfPrivate, privateConversations } from './loop/private-sessions.ts';
import { loadSessions, reconcileRuns } from './loop/reconcile.ts';
import { contentOf, repeated } from './loop/repeated-command.ts';
import type { SessionActor } from './loop/session-actor.ts';
import { waitingIn } from './loop/session-summary.ts';
import { closeEngine, drainAll } from './loop/shutdown.ts';
import { prepareMessage } from './loop/store-blobs.ts';
import { diskChanged } from './low-disk.ts';
import { machineLoad } from './machine-load.ts';
import { applyRules } from './rules/apply-rules.ts';
import { proposalsFor } from './rules/call-of-request.ts';
import { remember } from './rules/remember.ts';
import { openRuleTests } from './rules/try-rule.ts';
import { refusedForPeople } from './scripts/refused-for-people.ts';
import { runScript } from './scripts/run-script.ts';
import { sleepIdle, startWaitingSessions } from './slots/live-slots.ts';
import { measureMemory } from './slots/measure-process-memory.ts';
import { watchPorts } from './slots/watch-ports.ts';
import { Subscribers } from './subscribers.ts';
import { openTerminals } from './terminal/terminals.ts';
import { holdToolCall, toolCallsOf } from './tool-calls.ts';
import { Workspace } from './workspace.ts';
import { commandWorkspace } from './workspace-commands.ts';
import { actOnWorktree, type WorktreeAnswer } from './worktrees/act.ts';
import { previewWorktree, WorktreeLister } from './worktrees/list.ts';
import { planWorktree } from './worktrees/plan.ts';
import { rememberScripts } from './worktrees/trust.ts';

/** How often sessions are checked for having been idle long enough to sleep. */
const SLEEP_CHECK_MS = 5_000;

export interface OpenEngine extends Engine {
  /** The host reports that the disk is nearly full, or that it has space again. */
  diskChanged(low: boolean): void;
  /** A conversation's record was written to. The session that has it merges what another program did, once none of our processes writes the record. */
  recordGrown(agent: AgentId, agentSessionId: string): void;
  /** Other programs that have conversations open now, for all agents. Reads the registries at most every few seconds. */
  holders(): Promise<readonly ExternalHolder[]>;
}

/** Loads all sessions, finds their running agents, and is ready for commands. */
export function openEngine(deps: EngineDeps): OpenEngine {
  const context = makeContext(deps);
  loadSessions(context);
  reconcileRuns(context);
  resumeTakeovers(context);
  const tasks = new BackgroundTasks(context, (command, actor) => submit(context, command, actor));
  tasks.resume();
  const timer = deps.problems.every('put idle agents to sleep', SLEEP_CHECK_MS, () => sleepIdle(context));
  timer.unref();
  const unwatch = deps.problems.watch(() => context.subscribers.publishToAll({ kind: 'problems', problems: deps.problems.current() }));
  const stops = [unwatch, () => clearInterval(timer), watchDrivers(context), measureMemory(context), watchPorts(context), () => context.audit.stop()];
  context.audit.start();
  return engineFor(context, tasks, () => {
    for (const stop of stops) stop();
  });
}

function makeContext(deps: EngineDeps): EngineContext {
  const context: EngineContext = {
    deps,
    subscribers: new Subscribers(deps.log),
    sessions: new Map(),
    counters: { eventsAppended: 0, linesRead: 0 },
    diskLow: deps.host.stats().diskLow,
    closing: false,
    workspace: new Workspace(deps),
    audit: createAuditCompletion(deps),
    lines: new KnownLinesCache(),
    openElsewhere: new OpenElsewhere(deps),
    checkpointWork: new CheckpointWork(deps.journal, deps.openCheckpoints),
    creations: new KeyedQueues(),
    worktreeActs: new KeyedQueues(),
    submitOwn: (command, actor) => submit(context, command, actor, true),
    toolCalls: new Map(),
    pollers: new Map(),
    shownPlaces: new Map(),
    slotsChanged: onceSoon((done) =>
      deps.problems.soonWithRetry('start sessions that wait', () => {
        startWaitingSessions(context);
        done();
      }),
    ),
  };
  return context;
}

/** Calls `run` once for all calls until it is done. */
function onceSoon(run: (done: () => void) => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    run(() => {
      isDue = false;
    });
  };
}

function engineFor(context: EngineContext, tasks: BackgroundTasks, stopTimers: () => void): OpenEngine {
  const { deps, sessions } = context;
  const worktrees = new WorktreeLister(context);
  return {
    submit: async (command, actor) => refusedForPeople(context, command) ?? submit(context, command, actor),
    runScript: (parent, script) => runScript(context, parent, script),
    worktrees: () => worktrees.list(),
    previewWorktree: (cwd, base) => previewWorktree(context, cwd, base),
    actOnWorktree: (sessionId, act, actor) => durableAct(context, () => actOnWorktree(context, sessionId, act, actor)),
    workspace: async (command, actor) => {
      const answer = await durable(context, () => commandWorkspace(context, command, actor));
      tasks.resume();
      return answer;
    },
    review: (reviewId) => context.workspace.review(reviewId),
    annotated: () => [...sessions.values()].flatMap(({ state }) => (state.deleted || state.annotations === undefined ? [] : [state.id])),
    rules: () => context.workspace.rules(),
    outside: () => context.workspace.state.outside,
    resetPreferences: () => context.workspace.state.atReset,
    tryRule: openRuleTests(context),
    proposals: (requestId) => proposalsFor(context, requestId),
    session: (id) => existingSession(context, id)?.summary(),
    sessions: () => [...sessions.values()].flatMap((session) => (session.state.deleted || isScriptSession(session.state.id) ? [] : (session.summary() ?? []))),
    finish: (id) => {
      const session = existingSession(context, id);
      return session === undefined ? undefined : (session.state.finish ?? NO_FINISH);
    },
    sessionOfRequest: (requestId) => sessionOfRequest(context, requestId),
    sessionOfRun: (run) => sessionOfRun(context, run),
    events: (id, page) => {
      if (existingSession(context, id) === undefined) return [];
      if (page.after !== undefined) return deps.journal.after(id, page.after, page.limit);
      return deps.journal.before(id, page.before ?? Number.MAX_SAFE_INTEGER, page.limit);
    },
    toolCalls: (id) => toolCallsOf(context, id),
    hasTools: (id) => areToolsOn(deps, sessions.get(id)?.state ?? { born: null }),
    holdToolCall: (askId) => holdToolCall(context, askId),
    terminals: openTerminals(context, (command, actor) => submit(context, command, actor)),
    partial: (id) => sessions.get(id)?.run?.partial.full() ?? [],
    permissions: (sessionId) =>
      [...sessions.values()]
        .filter((session) => sessionId === undefined || session.state.id === sessionId)
        .flatMap(waitingIn)
        .sort((a, b) => a.at.localeCompare(b.at)),
    agents: (rescan) =>
      describeAgents({
        adapters: deps.adapters.values(),
        locator: deps.locator,
        sessions: [...sessions.values()],
        ...(rescan && { rescan }),
      }),
    past: (agent, query) => listPast(context, agent, query),
    recordGrown: (agent, agentSessionId) => recordGrown(context, agent, agentSessionId),
    holders: () => context.openElsewhere.all(context),
    ownersOfPrivate: (agentSessionId) => ownersOfPrivate(context, agentSessionId),
    privateConversations: () => privateConversations(context),
    folders: (path) => listFolders(deps.settings, path),
    backup: () => backup(deps),
    blob: (sha256) => deps.journal.blob(sha256),
    secretValues: async (id) => Object.values(await deps.secrets.get(id)),
    ...checkpointEngine(
      (id) => existingSession(context, id),
      () => [...context.sessions.values()],
    ),
    audit: (filter) => deps.journal.audit(filter),
    isAuditComplete: () => deps.journal.isAudited(),
    watch: (session, listener) => context.subscribers.add(session, listener),
    stats: () => ({ live: liveCount(context), sessions: sessions.size, ...context.counters, diskLow: context.diskLow }),
    machine: () => machineLoad(context),
    problems: () => deps.problems.current(),
    drain: () => drainAll(context),
    diskChanged: (low) => diskChanged(context, low),
    close: (options) => {
      stopTimers();
      return closeEngine(context, options?.stopAgents ?? false);
    },
  };
}

/** A deleted session is gone at once, even while its agent is still being stopped. */
function existingSession(context: EngineContext, id: SessionId): SessionActor | undefined {
  const session = context.sessions.get(id);
  return session?.state.deleted ? undefined : session;
}

async function submit(context: EngineContext, command: Command, actor: Actor, isOwn = false): Promise<Receipt | Refusal> {
  const content = contentOf(command);
  const work = async () => repeated(context.deps.journal, command, content) ?? execute(context, command, actor, content, isOwn);
  return durable(context, async () => {
    if (command.type === 'session.create') return create(context, (await pastSessionToAdopt(context, command)) ?? command.sessionId, work);
    // The second of two concurrent commands finds the session that the first one adopted.
    return context.sessions.has(command.sessionId) ? work() : context.creations.run(command.sessionId, work);
  });
}

/** One at a time per session, so a refused creation never touches the secrets of the one that succeeded. */
function create(context: EngineContext, sessionId: SessionId, work: () => Promise<Receipt | Refusal>): Promise<Receipt | Refusal> {
  return context.creations.run(sessionId, async () => {
    try {
      return await work();
    } finally {
      if (!context.sessions.has(sessionId)) await context.deps.secrets.forget(sessionId);
    }
  });
}

/** The same for what is done with a worktree. */
async function durableAct(context: EngineContext, work: () => Promise<WorktreeAnswer | Refusal>): Promise<WorktreeAnswer | Refusal> {
  try {
    const answer = await work();
    await context.deps.journal.sync();
    return answer;
  } catch (error) {
    if (!(error instanceof JournalUnwritable)) throw error;
    return { refused: 'disk-low', message: error.message };
  }
}

/** Returns a receipt only once it is on disk. */
async function durable(context: EngineContext, work: () => Promise<Receipt | Refusal>): Promise<Receipt | Refusal> {
  try {
    const answer = await work();
    if (!isRefusal(answer)) await context.deps.journal.sync();
    return answer;
  } catch (error) {
    if (!(error instanceof JournalUnwritable)) throw error;
    context.deps.log.error({ error }, 'a command could not be stored');
    return { refused: 'disk-low', message: error.message };
  }
}

async function execute(context: EngineContext, command: Command, actor: Actor, content: string, isOwn: boolean): Promise<Receipt | Refusal> {
  if (context.closing) return { refused: 'shutting-down', message: 'Signalbox is shutting down. Send this again in a moment.' };
  const checked = command.type === 'session.create' && !isOwn ? await admit(context.deps, command, context.sessions.values()) : command;
  if (isRefusal(checked)) return checked;
  const planned = checked.type === 'session.create' ? await planWorktree(context, checked) : undefined;
  if (planned !== undefined && isRefusal(planned)) return planned;
  const admitted = checked.type === 'session.create' && planned !== undefined ? { ...checked, cwd: planned.cwd } : checked;
  const origin = await originOf(context, admitted);
  if (isRefusal(origin)) return origin;
  const { command: found, ...past } = origin;
  if (found.type === 'permission.answer' || (found.type === 'review.send' && found.answer !== undefined))
    await afterReconcile(context.sessions.get(found.sessionId));
  const messageId = found.type === 'files.rewind' ? await messageIdAt(context, found) : undefined;
  const open = await storeSecrets(context.deps, found, context.sessions.has(found.sessionId));
  const earlier = repeated(context.deps.journal, command, content);
  if (earlier !== undefined) return earlier;
  const { sessions, deps } = context;
  const session = sessions.get(open.sessionId) ?? newSession(context, open.sessionId, past.past);
  const mode = session.state.born === null && past.past === undefined ? undefined : modeIn(open);
  const modeRefusal = mode === undefined ? undefined : refusedMode(deps, session.adapter, mode);
  if (modeRefusal !== undefined) return modeRefusal;
  const message = messageOf(deps, open);
  const starter = starterOf(context, open);
  if (starter !== undefined && isRefusal(starter)) return starter;
  const file = open.type === 'annotation.make' && open.fileText !== undefined ? deps.journal.putBlob(Buffer.from(open.fileText)) : undefined;
  const worktree = planned === undefined ? {} : { worktree: planned.plan };
  const revert = open.type === 'files.revert' ? { revert: revertGround(session, open.to) } : {};
  const asked = {
    ...past,
    ...worktree,
    ...revert,
    command: open,
    node: deps.machine.node,
    ...(message !== undefined && { message }),
    ...(messageId !== undefined && { messageId }),
    ...(file !== undefined && { file }),
    ...starter,
    ...(continuesPrivate(context, open) && { closed: true }),
  };
  const remembered = open.type === 'permission.answer' ? rememberAnswer(session, asked, open, actor) : undefined;
  if (remembered !== undefined && isRefusal(remembered)) return remembered;
  const answer = session.command(asked, actor, content);
  if (isRefusal(answer)) return open.type === 'permission.answer' ? explainRefusal(context, open, answer) : answer;
  sessions.set(open.sessionId, session);
  if (remembered !== undefined) applyRules(context, sessions.values());
  context.slotsChanged();
  return answer;
}

/** A session that an agent starts belongs to that agent's person, and is private if its starter is. */
function starterOf({ sessions }: EngineContext, command: Command): Pick<PreparedCommand, 'starter' | 'closed'> | Refusal | undefined {
  if (command.type !== 'session.create' || command.startedBy === undefined) return undefined;
  const state = sessions.get(command.startedBy)?.state;
  if (state?.born === null || state === undefined || state.deleted) return { refused: 'not-found', message: 'The session that starts this one is gone.' };
  const { owner, ownerId = owner } = state.born;
  return { starter: { sessionId: state.id, owner, ownerId }, ...(state.meta.closed && { closed: true }) };
}

/** A copy of a private session is private too: it begins with the same messages. */
function continuesPrivate({ sessions }: EngineContext, command: Command): boolean {
  const from = command.type === 'session.create' ? command.goOn?.sessionId : undefined;
  return from !== undefined && sessions.get(from)?.state.meta.closed === true;
}

/** A script is remembered for its repository, anything else as a rule. */
function rememberAnswer(session: SessionActor, asked: PreparedCommand, command: CommandOf<'permission.answer'>, actor: Actor): Receipt | Refusal | undefined {
  return isTrustRequest(command.requestId) ? rememberScripts(session, asked, command, actor) : remember(session, asked, command, actor);
}

/** What the command continues: nothing, a conversation, or a past session that it adopts. */
async function originOf(context: EngineContext, command: Command): Promise<Adoption | Refusal> {
  if (context.sessions.has(command.sessionId)) return (await refusedContinuation(context, command)) ?? { command };
  if (command.type !== 'session.create') return adoptPast(context, command);
  const past = await context.deps.past?.find(command.sessionId);
  return past === undefined
    ? findContinuation(context, command)
    : { refused: 'conflict', message: `${command.sessionId} is the id of a past session. Choose another id.` };
}

/** Values of environment variables can be secrets, so events contain only their names. */
async function storeSecrets(deps: EngineDeps, command: Command, isKnown: boolean): Promise<Command> {
  if (command.type !== 'session.create') return command;
  const { env } = command.options;
  // A server that was killed before it stored the session may have left secrets under this id.
  if (!isKnown) await (env === undefined ? deps.secrets.forget(command.sessionId) : deps.secrets.put(command.sessionId, env));
  if (env === undefined) return command;
  const names = Object.fromEntries(Object.keys(env).map((name) => [name, '']));
  return { ...command, options: { ...command.options, env: names } };
}

/** The agent's own id of the person's message that the command names. */
async function messageIdAt({ deps, sessions }: EngineContext, { sessionId, seq }: CommandOf<'files.rewind'>): Promise<string | undefined> {
  const isPast = seq <= (sessions.get(sessionId)?.state.base ?? Number.POSITIVE_INFINITY);
  const page = isPast ? await deps.past?.events(sessionId, { after: seq - 1, limit: 1 }) : deps.journal.after(sessionId, seq - 1, 1);
  const event = page?.[0];
  return event?.type === 'user.message' && event.seq === seq ? messageIdOf(event) : undefined;
}

function messageOf(deps: EngineDeps, command: Command) {
  if (command.type === 'review.send') return prepareMessage(deps.journal, command.text, []);
  if (command.type === 'input.send') return prepareMessage(deps.journal, command.text, command.images ?? []);
  if (command.type === 'input.edit') return prepareMessage(deps.journal, command.text, []);
  if (command.type === 'session.create' && command.prompt !== undefined) return prepareMessage(deps.journal, command.prompt, command.images ?? []);
  return undefined;
}
