import type { PastFound } from '../../archive/past-sessions-port.ts';
import { type PastTaken, takenUpState } from '../../domain/session/adopt.ts';
import { unborn } from '../../domain/session/state.ts';
import { allowedFolder } from '../../folders/allowed-roots.ts';
import { type Command, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { World } from '../engine-context.ts';
import { driverOf, foreignHolders } from '../external/external-drivers.ts';
import { HoldersUnknown } from '../external/read-registry.ts';
import { SessionBox } from '../loop/session-actor.ts';
import { ownersOfClosed } from '../private-sessions.ts';
import { type Create, type GoingOn, otherFolder } from './continuation.ts';
import { goOnWith } from './continue-record.ts';
import { sessionWith } from './list-conversations.ts';

/** A command, and the past session that is taken up with it. */
export interface Taking<T extends Command = Command> extends Omit<GoingOn, 'command'> {
  readonly command: T;
}

/** The past session that a command is about. What only notes something on it begins no process, and so needs none of what a process does. */
export async function takingUp(world: World, command: Exclude<Command, Create>): Promise<Taking | Refusal> {
  const found = await world.deps.past?.find(command.sessionId);
  if (found === undefined) return { command };
  const own = sessionWith(world, found.agent, found.agentSessionId);
  if (own !== undefined) return { refused: 'conflict', message: `Session ${own} goes on with this conversation. Open that one.` };
  const unable = isUnread(found) ? UNREAD : await cannotDo(world, found, command);
  if (unable !== undefined) return unable;
  const driver = await driverNow(world, found);
  return { command, past: takenOf(found), closed: ownersOfClosed(world, found.agentSessionId).length > 0, ...(driver !== undefined && { driver }) };
}

/** A past session as it would be once it is taken up, to go on from it in another one; it stays as it is. */
export async function asIfTakenUp(world: World, id: SessionId): Promise<SessionBox | undefined> {
  const found = await world.deps.past?.find(id);
  if (found === undefined) return undefined;
  const past = takenOf(found);
  const box = newBox(world, id, past);
  return new SessionBox(world, takenUpState(box.state, past));
}

/** A session that nobody here has had yet: it is one once its first decision is kept. */
export function newBox(world: World, id: SessionId, past: PastTaken | undefined): SessionBox {
  const state = unborn(id);
  return past === undefined ? new SessionBox(world, state) : new SessionBox(world, { ...state, seq: past.base }, past.base, past.agent);
}

/** The conversation that a new session shall go on with, taken up under the id that it has already. */
export async function takeUpAsked(world: World, command: Create, found: PastFound): Promise<GoingOn | Refusal> {
  if (found.cwd !== command.cwd) return otherFolder(found.cwd);
  const unable = isUnread(found) ? UNREAD : await cannotBegin(world, found);
  const adapter = world.deps.adapters.get(found.agent);
  if (unable !== undefined || adapter === undefined) return unable ?? onlyRead(found.agent);
  const past = takenOf(found);
  const titled = { ...command, sessionId: found.id, ...(command.title === undefined && past.title !== undefined && { title: past.title }) };
  const going = await goOnWith(world, adapter, titled, found, [], world.deps.envFor(adapter.id));
  return isRefusal(going) ? going : { ...going, past };
}

const BEGINS_A_PROCESS: ReadonlySet<string> = new Set(['input.send', 'session.wake', 'session.takeover', 'continuation.schedule', 'files.rewind']);

/** All that can be asked about a session whose agent this version only reads. */
const NEEDS_NO_AGENT: ReadonlySet<string> = new Set(['session.describe', 'item.mark', 'session.stop', 'session.sleep', 'session.delete']);

async function cannotDo(world: World, found: Pick<PastFound, 'agent' | 'cwd' | 'gone'>, { type }: Command): Promise<Refusal | undefined> {
  if (!NEEDS_NO_AGENT.has(type) && !world.deps.adapters.has(found.agent)) return onlyRead(found.agent);
  return BEGINS_A_PROCESS.has(type) ? cannotBegin(world, found) : undefined;
}

/** Why no process may go on with what was had in another program, which never asked whether sessions may run there. */
export async function cannotBegin(world: World, found: Pick<PastFound, 'agent' | 'cwd' | 'gone'>): Promise<Refusal | undefined> {
  const adapter = world.deps.adapters.get(found.agent);
  if (adapter === undefined) return onlyRead(found.agent);
  if (!adapter.capabilities.resume) return { refused: 'not-supported', message: 'This agent cannot go on with a conversation.' };
  if (found.gone === true) return RECORD_GONE;
  const cwd = await allowedFolder(found.cwd ?? '', world.deps.settings);
  if (typeof cwd !== 'string') return cwd;
  const located = await world.deps.locator.find(adapter);
  return located.available ? undefined : { refused: 'agent-unavailable', message: located.problem };
}

/** The same for one that was taken up before, perhaps only to note something on it. */
export async function cannotGoOn(world: World, command: Command): Promise<Refusal | undefined> {
  const { base, born, run } = world.boxes.get(command.sessionId)?.state ?? {};
  if (base === undefined || base === 0 || !born || run?.phase !== 'none') return undefined;
  return cannotDo(world, born, command);
}

const onlyRead = (agent: AgentId): Refusal => ({
  refused: 'agent-unavailable',
  message: `This version of Signalbox cannot run ${agent}: it only shows what was said there. Notes on it are kept.`,
});

/** What is taken up begins behind the numbers of its past: with none, it would be a session that began here. */
const isUnread = ({ lastSeq }: PastFound): boolean => lastSeq === 0;

const UNREAD: Refusal = { refused: 'conflict', message: 'Nothing of this conversation could be read yet. Try again in a moment.' };

const RECORD_GONE: Refusal = {
  refused: 'cannot-resume',
  message: 'The agent’s own file of this conversation is gone, so the agent cannot go on with it. Restore it from the kept copy first, or begin a handover.',
};

const takenOf = ({ lastSeq, agent, agentSessionId, cwd, title }: PastFound): PastTaken => ({
  base: lastSeq,
  agent,
  agentSessionId,
  cwd: cwd ?? '',
  ...(title !== undefined && { title: title.slice(0, LIMITS.titleChars) }),
});

/** While it cannot be told, nobody is named: whoever begins a process is told then. */
async function driverNow(world: World, { agent, agentSessionId }: PastFound) {
  const adapter = world.deps.adapters.get(agent);
  if (adapter === undefined) return undefined;
  try {
    const holder = (await foreignHolders(world, adapter, world.deps.envFor(adapter.id))).find((one) => one.agentSessionId === agentSessionId);
    return holder && driverOf(holder);
  } catch (error) {
    if (error instanceof HoldersUnknown) return undefined;
    throw error;
  }
}
