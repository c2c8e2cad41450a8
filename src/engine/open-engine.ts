import { messageIdOf } from '../domain/session/spoken.ts';
import { listFolders } from '../folders/allowed-roots.ts';
import { JournalUnwritable } from '../journal/faults.ts';
import type { Actor } from '../protocol/actor.ts';
import { type Command, type CommandOf, isRefusal, type Receipt, type Refusal } from '../protocol/command.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { admit, modeIn, refusedMode } from './admission.ts';
import { backup } from './backup.ts';
import { createAuditCompletion } from './complete-audit.ts';
import { cannotGoOn, newBox, type Taking, takingUp } from './continue/adopt.ts';
import { goOn, takenUpBy } from './continue/continue-session.ts';
import { LinesOfSessions } from './continue/known-lines.ts';
import { listPast } from './continue/list-conversations.ts';
import { recordGrown } from './continue/merge-record.ts';
import type { EngineDeps } from './deps.ts';
import type { Engine } from './engine.ts';
import { liveCount, type World } from './engine-context.ts';
import { type ForeignHolder, HeldNow } from './external/open-elsewhere.ts';
import { resumeTakeovers, watchDrivers } from './external/sweep-external.ts';
import { describeAgents } from './list-agents.ts';
import { inWords, sessionOfRequest, whenFound } from './loop/find-request.ts';
import { Lanes } from './loop/keyed-queues.ts';
import { diskChanged } from './loop/low-disk.ts';
import { loadSessions, reconcileRuns } from './loop/reconcile.ts';
import { contentOf, repeated } from './loop/repeated-command.ts';
import type { SessionBox } from './loop/session-actor.ts';
import { prepareMessage } from './loop/store-blobs.ts';
import { waitingIn } from './loop/summary.ts';
import { machineNow } from './machine-load.ts';
import { closedConversations, ownersOfClosed } from './private-sessions.ts';
import { speakAbout } from './rules/apply.ts';
import { proposalsFor } from './rules/call.ts';
import { remember } from './rules/remember.ts';
import { openRuleTests } from './rules/trial.ts';
import { closeEngine, drainAll } from './shutdown.ts';
import { givePlaces, sleepIdle } from './slots/live-slots.ts';
import { measureMemory } from './slots/measure-process-memory.ts';
import { Subscribers } from './subscribers.ts';
import { House } from './workspace.ts';
import { commandHouse } from './workspace-commands.ts';

/** How often it is looked whether somebody has been idle long enough to sleep. */
const SLEEP_CHECK_MS = 5_000;

export interface OpenEngine extends Engine {
  /** The host says that the disk is nearly full, or that it has room again. */
  diskChanged(low: boolean): void;
  /** The record of a conversation was written to: what another program did in it is taken in by the session that has it, once no process of ours writes it. */
  recordGrown(agent: AgentId, agentSessionId: string): void;
  /** Other programs that hold conversations now, of all agents; read at most every few seconds, however often it is asked. */
  holders(): Promise<readonly ForeignHolder[]>;
}

/** Brings back all sessions, finds their agents again, and is ready for commands. */
export function openEngine(deps: EngineDeps): OpenEngine {
  const world = makeWorld(deps);
  loadSessions(world);
  reconcileRuns(world);
  resumeTakeovers(world);
  const timer = deps.problems.every('put idle agents to sleep', SLEEP_CHECK_MS, () => sleepIdle(world));
  timer.unref();
  const unwatch = deps.problems.watch(() => world.subscribers.tellAll({ kind: 'problems', problems: deps.problems.current() }));
  const stops = [unwatch, () => clearInterval(timer), watchDrivers(world), measureMemory(world), () => world.audit.stop()];
  world.audit.begin();
  return engineOver(world, () => {
    for (const stop of stops) stop();
  });
}

function makeWorld(deps: EngineDeps): World {
  const world: World = {
    deps,
    subscribers: new Subscribers(deps.log),
    boxes: new Map(),
    counters: { eventsAppended: 0, linesRead: 0 },
    diskLow: deps.host.stats().diskLow,
    closing: false,
    house: new House(deps),
    audit: createAuditCompletion(deps),
    lines: new LinesOfSessions(),
    held: new HeldNow(deps),
    creations: new Lanes(),
    placesChanged: () => deps.problems.soonOrLater('start sessions that wait', () => givePlaces(world)),
  };
  return world;
}

function engineOver(world: World, stopTimers: () => void): OpenEngine {
  const { deps, boxes } = world;
  return {
    submit: (command, actor) => submit(world, command, actor),
    house: (command, actor) => durable(world, () => commandHouse(world, command, actor)),
    rules: () => world.house.rules(),
    tryRule: openRuleTests(world),
    proposals: (requestId) => proposalsFor(world, requestId),
    session: (id) => presentBox(world, id)?.summary(),
    sessions: () => [...boxes.values()].flatMap((box) => (box.state.deleted ? [] : (box.summary() ?? []))),
    sessionOfRequest: (requestId) => sessionOfRequest(world, requestId),
    events: (id, page) => {
      if (presentBox(world, id) === undefined) return [];
      if (page.after !== undefined) return deps.journal.after(id, page.after, page.limit);
      return deps.journal.before(id, page.before ?? Number.MAX_SAFE_INTEGER, page.limit);
    },
    partial: (id) => boxes.get(id)?.run?.partial.whole() ?? [],
    permissions: (session) =>
      [...boxes.values()]
        .filter((box) => session === undefined || box.state.id === session)
        .flatMap(waitingIn)
        .sort((a, b) => a.at.localeCompare(b.at)),
    agents: (anew) =>
      describeAgents({
        adapters: deps.adapters.values(),
        locator: deps.locator,
        boxes: [...boxes.values()],
        ...(anew && { anew }),
      }),
    past: (agent, query) => listPast(world, agent, query),
    recordGrown: (agent, agentSessionId) => recordGrown(world, agent, agentSessionId),
    holders: () => world.held.all(world),
    ownersOfClosed: (agentSessionId) => ownersOfClosed(world, agentSessionId),
    closedConversations: () => closedConversations(world),
    folders: (path) => listFolders(deps.settings, path),
    backup: () => backup(deps),
    blob: (sha256) => deps.journal.blob(sha256),
    audit: (filter) => deps.journal.audit(filter),
    isAuditWhole: () => deps.journal.isAudited(),
    watch: (session, listener) => world.subscribers.add(session, listener),
    stats: () => ({ live: liveCount(world), sessions: boxes.size, ...world.counters, diskLow: world.diskLow }),
    machine: () => machineNow(world),
    problems: () => deps.problems.current(),
    drain: () => drainAll(world),
    diskChanged: (low) => diskChanged(world, low),
    close: (options) => {
      stopTimers();
      return closeEngine(world, options?.stopAgents ?? false);
    },
  };
}

/** A deleted session is gone for everybody at once, also while its agent is still being ended. */
function presentBox(world: World, id: SessionId): SessionBox | undefined {
  const box = world.boxes.get(id);
  return box?.state.deleted ? undefined : box;
}

async function submit(world: World, command: Command, actor: Actor): Promise<Receipt | Refusal> {
  const content = contentOf(command);
  const work = async () => repeated(world.deps.journal, command, content) ?? carryOut(world, command, actor, content);
  return durable(world, async () => {
    if (command.type === 'session.create') return create(world, (await takenUpBy(world, command)) ?? command.sessionId, work);
    // Whoever comes second finds the session that the first has taken up.
    return world.boxes.has(command.sessionId) ? work() : world.creations.run(command.sessionId, work);
  });
}

/** One after the other for each session, so that one that is refused never touches the secrets of the one that was made. */
function create(world: World, sessionId: SessionId, work: () => Promise<Receipt | Refusal>): Promise<Receipt | Refusal> {
  return world.creations.run(sessionId, async () => {
    try {
      return await work();
    } finally {
      if (!world.boxes.has(sessionId)) await world.deps.secrets.forget(sessionId);
    }
  });
}

/** What is answered with a receipt is on the disk. */
async function durable(world: World, work: () => Promise<Receipt | Refusal>): Promise<Receipt | Refusal> {
  try {
    const answer = await work();
    if (!isRefusal(answer)) await world.deps.journal.sync();
    return answer;
  } catch (error) {
    if (!(error instanceof JournalUnwritable)) throw error;
    world.deps.log.error({ error }, 'a command could not be kept');
    return { refused: 'disk-low', message: error.message };
  }
}

async function carryOut(world: World, command: Command, actor: Actor, content: string): Promise<Receipt | Refusal> {
  if (world.closing) return { refused: 'shutting-down', message: 'Signalbox is stopping. Send it again in a moment.' };
  const admitted = command.type === 'session.create' ? await admit(world.deps, command, world.boxes.values()) : command;
  if (isRefusal(admitted)) return admitted;
  const going = await standingOf(world, admitted);
  if (isRefusal(going)) return going;
  const { command: found, ...past } = going;
  if (found.type === 'permission.answer') await whenFound(world.boxes.get(found.sessionId));
  const messageId = found.type === 'files.rewind' ? await messageIdAt(world, found) : undefined;
  const open = await keepSecrets(world.deps, found, world.boxes.has(found.sessionId));
  const earlier = repeated(world.deps.journal, command, content);
  if (earlier !== undefined) return earlier;
  const { boxes, deps } = world;
  const box = boxes.get(open.sessionId) ?? newBox(world, open.sessionId, past.past);
  const mode = box.state.born === null && past.past === undefined ? undefined : modeIn(open);
  const notHere = mode === undefined ? undefined : refusedMode(deps, box.adapter, mode);
  if (notHere !== undefined) return notHere;
  const message = messageOf(deps, open);
  const asked = { ...past, command: open, node: deps.machine.node, ...(message !== undefined && { message }), ...(messageId !== undefined && { messageId }) };
  const remembered = open.type === 'permission.answer' ? remember(box, asked, open, actor) : undefined;
  if (remembered !== undefined && isRefusal(remembered)) return remembered;
  const answer = box.command(asked, actor, content);
  if (isRefusal(answer)) return open.type === 'permission.answer' ? inWords(world, open, answer) : answer;
  boxes.set(open.sessionId, box);
  if (remembered !== undefined) speakAbout(world, boxes.values());
  world.placesChanged();
  return answer;
}

/** What the command goes on from: nothing, a conversation, or a past session that it takes up. */
async function standingOf(world: World, command: Command): Promise<Taking | Refusal> {
  if (world.boxes.has(command.sessionId)) return (await cannotGoOn(world, command)) ?? { command };
  if (command.type !== 'session.create') return takingUp(world, command);
  const past = await world.deps.past?.find(command.sessionId);
  return past === undefined ? goOn(world, command) : { refused: 'conflict', message: `${command.sessionId} is the id of a past session. Choose another id.` };
}

/** Values of environment variables may be secrets: events carry their names only. */
async function keepSecrets(deps: EngineDeps, command: Command, isKnown: boolean): Promise<Command> {
  if (command.type !== 'session.create') return command;
  const { env } = command.options;
  // A server that was killed before it kept the session may have left secrets under this name.
  if (!isKnown) await (env === undefined ? deps.secrets.forget(command.sessionId) : deps.secrets.put(command.sessionId, env));
  if (env === undefined) return command;
  const names = Object.fromEntries(Object.keys(env).map((name) => [name, '']));
  return { ...command, options: { ...command.options, env: names } };
}

/** The agent's own id of the person's message that the command names. */
async function messageIdAt({ deps, boxes }: World, { sessionId, seq }: CommandOf<'files.rewind'>): Promise<string | undefined> {
  const isPast = seq <= (boxes.get(sessionId)?.state.base ?? Number.POSITIVE_INFINITY);
  const page = isPast ? await deps.past?.events(sessionId, { after: seq - 1, limit: 1 }) : deps.journal.after(sessionId, seq - 1, 1);
  const event = page?.[0];
  return event?.type === 'user.message' && event.seq === seq ? messageIdOf(event) : undefined;
}

function messageOf(deps: EngineDeps, command: Command) {
  if (command.type === 'input.send') return prepareMessage(deps.journal, command.text, command.images ?? []);
  if (command.type === 'input.edit') return prepareMessage(deps.journal, command.text, []);
  if (command.type === 'session.create' && command.prompt !== undefined) return prepareMessage(deps.journal, command.prompt, command.images ?? []);
  return undefined;
}
