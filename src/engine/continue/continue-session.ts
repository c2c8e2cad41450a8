import { optionsNow } from '../../domain/session/settings.ts';
import type { ContinueFrom, Refusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { ownersOfPrivate } from '../loop/private-sessions.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { adoptRequested, previewAdopted } from './adopt.ts';
import { type Continuation, type Create, otherFolderRefusal } from './continuation.ts';
import { continueFromSession } from './continue-own-session.ts';
import { continueFromRecord } from './continue-record.ts';
import { sessionOfConversation } from './list-conversations.ts';
import { recordsFor } from './record-files.ts';

/** Finds the conversation that a new session continues. What can't work is refused here, with a reason. */
export async function findContinuation(context: EngineContext, command: Create): Promise<Continuation | Refusal> {
  const { goOn: asked, ...rest } = command;
  if (asked === undefined) return { command };
  if (asked.sessionId !== undefined) return fromOwn(context, rest, asked, asked.sessionId);
  const id = asked.agentSessionId === 'latest' ? await latest(context, rest) : asked.agentSessionId;
  if (id === undefined) return noConversation(command);
  const own = sessionOfConversation(context, command.agent, id);
  const past = own === undefined && mayAdopt(rest, asked) ? await context.deps.past?.readNow(command.agent, id) : undefined;
  if (past !== undefined) return withClosed(context, await adoptRequested(context, rest, past), id);
  if (own === undefined) return fromRecord(context, rest, { ...asked, agentSessionId: id });
  if (asked.how !== 'resume' || asked.at !== undefined) return fromOwn(context, rest, asked, own);
  return { refused: 'conflict', message: `Session ${own} already has this conversation. Open it, or fork it.` };
}

/** A session that continues a private conversation is private too. */
async function fromRecord(context: EngineContext, command: Create, asked: ContinueFrom & { readonly agentSessionId: string }): Promise<Continuation | Refusal> {
  return withClosed(context, await continueFromRecord(context, command, asked), asked.agentSessionId);
}

const withClosed = (context: EngineContext, continuation: Continuation | Refusal, agentSessionId: string): Continuation | Refusal =>
  'refused' in continuation ? continuation : { ...continuation, closed: ownersOfPrivate(context, agentSessionId).length > 0 };

/** With its own environment, the session may refer to records that we don't list. */
const mayAdopt = ({ options }: Create, asked: ContinueFrom): boolean =>
  asked.takeUp === true && asked.how === 'resume' && asked.at === undefined && Object.keys(options.env ?? {}).length === 0;

/** The past session that this command would adopt. Other commands for it wait. */
export async function pastSessionToAdopt(context: EngineContext, command: Create): Promise<SessionId | undefined> {
  const { goOn: asked } = command;
  const { past } = context.deps;
  if (past === undefined || asked?.agentSessionId === undefined || !mayAdopt(command, asked)) return undefined;
  const id = asked.agentSessionId === 'latest' ? await latest(context, command) : asked.agentSessionId;
  return id === undefined ? undefined : (await past.readNow(command.agent, id))?.id;
}

async function fromOwn(
  context: EngineContext,
  command: Create,
  asked: ContinueFrom,
  sessionId: NonNullable<ContinueFrom['sessionId']>,
): Promise<Continuation | Refusal> {
  const session = context.sessions.get(sessionId) ?? (await previewAdopted(context, sessionId));
  if (session === undefined || session.state.deleted || session.state.born === null)
    return { refused: 'not-found', message: `There is no session ${sessionId}.` };
  if (session.state.born.agent !== command.agent) return { refused: 'bad-request', message: `Session ${sessionId} belongs to another agent.` };
  if (session.state.born.cwd !== command.cwd && asked.how !== 'handover') return otherFolderRefusal(session.state.born.cwd);
  const continuation = await continueFromSession(session, await withOptionsOf(session, command), asked);
  const isClosed = session.state.meta.closed || session.state.minds.some(({ id }) => ownersOfPrivate(context, id).length > 0);
  return 'refused' in continuation ? continuation : { ...continuation, closed: isClosed };
}

/** The new session gets the options of the old one, unless the command sets them. */
async function withOptionsOf(session: SessionActor, command: Create): Promise<Create> {
  const { env: _names, ...options } = optionsNow(session.state);
  const { env: own, ...asked } = command.options;
  const inherited = Object.keys(session.state.born?.options.env ?? {}).length > 0 ? await session.context.deps.secrets.get(session.state.id) : {};
  const env = { ...inherited, ...own };
  const title = command.title ?? session.state.meta.title ?? undefined;
  return { ...command, options: { ...options, ...asked, ...(Object.keys(env).length > 0 && { env }) }, ...(title !== undefined && { title }) };
}

/** The newest record of the folder, whoever wrote it. A private one must be requested by id, so that access can be checked. */
async function latest(context: EngineContext, command: Create): Promise<string | undefined> {
  const past = context.deps.adapters.get(command.agent)?.past;
  const env = { ...context.deps.envFor(command.agent), ...command.options.env };
  const records = past === undefined ? [] : await recordsFor(past, { cwd: command.cwd, env });
  return records.find(({ agentSessionId }) => ownersOfPrivate(context, agentSessionId).length === 0)?.agentSessionId;
}

const noConversation = ({ cwd }: Create): Refusal => ({
  refused: 'cannot-resume',
  message: `This agent has no conversation in ${cwd}. Start a new session there.`,
});
