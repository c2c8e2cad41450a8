import { optionsNow } from '../../domain/session/settings.ts';
import type { GoOn, Refusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { World } from '../engine-context.ts';
import type { SessionBox } from '../loop/session-actor.ts';
import { ownersOfClosed } from '../private-sessions.ts';
import { asIfTakenUp, takeUpAsked } from './adopt.ts';
import { type Create, type GoingOn, otherFolder } from './continuation.ts';
import { goOnFromSession } from './continue-own-session.ts';
import { goOnFromRecord } from './continue-record.ts';
import { sessionWith } from './list-conversations.ts';
import { recordsFor } from './record-files.ts';

/** Finds the conversation that a new session shall go on from. What cannot work is refused here, at once and in words. */
export async function goOn(world: World, command: Create): Promise<GoingOn | Refusal> {
  const { goOn: asked, ...rest } = command;
  if (asked === undefined) return { command };
  if (asked.sessionId !== undefined) return fromOwn(world, rest, asked, asked.sessionId);
  const id = asked.agentSessionId === 'latest' ? await latest(world, rest) : asked.agentSessionId;
  if (id === undefined) return nothingThere(command);
  const own = sessionWith(world, command.agent, id);
  const past = own === undefined && mayTakeUp(rest, asked) ? await world.deps.past?.settle(command.agent, id) : undefined;
  if (past !== undefined) return withClosed(world, await takeUpAsked(world, rest, past), id);
  if (own === undefined) return fromRecord(world, rest, { ...asked, agentSessionId: id });
  if (asked.how !== 'resume' || asked.at !== undefined) return fromOwn(world, rest, asked, own);
  return { refused: 'conflict', message: `Session ${own} goes on with this conversation already. Open it, or ask for a fork.` };
}

/** What was closed with a session is closed with whatever goes on from it. */
async function fromRecord(world: World, command: Create, asked: GoOn & { readonly agentSessionId: string }): Promise<GoingOn | Refusal> {
  return withClosed(world, await goOnFromRecord(world, command, asked), asked.agentSessionId);
}

const withClosed = (world: World, going: GoingOn | Refusal, agentSessionId: string): GoingOn | Refusal =>
  'refused' in going ? going : { ...going, closed: ownersOfClosed(world, agentSessionId).length > 0 };

/** Environment of its own may lead to records that are not listed here. */
const mayTakeUp = ({ options }: Create, asked: GoOn): boolean =>
  asked.takeUp === true && asked.how === 'resume' && asked.at === undefined && Object.keys(options.env ?? {}).length === 0;

/** The past session that would be taken up: whoever else asks for it waits. */
export async function takenUpBy(world: World, command: Create): Promise<SessionId | undefined> {
  const { goOn: asked } = command;
  const { past } = world.deps;
  if (past === undefined || asked?.agentSessionId === undefined || !mayTakeUp(command, asked)) return undefined;
  const id = asked.agentSessionId === 'latest' ? await latest(world, command) : asked.agentSessionId;
  return id === undefined ? undefined : (await past.settle(command.agent, id))?.id;
}

async function fromOwn(world: World, command: Create, asked: GoOn, sessionId: NonNullable<GoOn['sessionId']>): Promise<GoingOn | Refusal> {
  const box = world.boxes.get(sessionId) ?? (await asIfTakenUp(world, sessionId));
  if (box === undefined || box.state.deleted || box.state.born === null) return { refused: 'not-found', message: `There is no session ${sessionId}.` };
  if (box.state.born.agent !== command.agent) return { refused: 'bad-request', message: `Session ${sessionId} is one of another agent.` };
  if (box.state.born.cwd !== command.cwd && asked.how !== 'handover') return otherFolder(box.state.born.cwd);
  const going = await goOnFromSession(box, await likeIt(box, command), asked);
  const isClosed = box.state.meta.closed || box.state.minds.some(({ id }) => ownersOfClosed(world, id).length > 0);
  return 'refused' in going ? going : { ...going, closed: isClosed };
}

/** What was chosen for the old session holds for the one that goes on, where nothing else is asked for. */
async function likeIt(box: SessionBox, command: Create): Promise<Create> {
  const { env: _names, ...options } = optionsNow(box.state);
  const { env: own, ...asked } = command.options;
  const kept = Object.keys(box.state.born?.options.env ?? {}).length > 0 ? await box.world.deps.secrets.get(box.state.id) : {};
  const env = { ...kept, ...own };
  const title = command.title ?? box.state.meta.title ?? undefined;
  return { ...command, options: { ...options, ...asked, ...(Object.keys(env).length > 0 && { env }) }, ...(title !== undefined && { title }) };
}

/** The newest record of the folder, whoever wrote it; but one that is closed to others must be asked for by name, so that whoever stands at the door can say no. */
async function latest(world: World, command: Create): Promise<string | undefined> {
  const past = world.deps.adapters.get(command.agent)?.past;
  const env = { ...world.deps.envFor(command.agent), ...command.options.env };
  const records = past === undefined ? [] : await recordsFor(past, { cwd: command.cwd, env });
  return records.find(({ agentSessionId }) => ownersOfClosed(world, agentSessionId).length === 0)?.agentSessionId;
}

const nothingThere = ({ cwd }: Create): Refusal => ({
  refused: 'cannot-resume',
  message: `No conversation of this agent in ${cwd} is known here. Begin a fresh session there.`,
});
