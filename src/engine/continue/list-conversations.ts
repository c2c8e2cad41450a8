import type { Adapter, Holder } from '../../agents/port/adapter.ts';
import { conversationOf } from '../../domain/session/driver.ts';
import { allowedFolder } from '../../folders/allowed-roots.ts';
import { isInside } from '../../folders/system-folders.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { PastConversation, PastList } from '../../protocol/http.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { driverOf, externalHolders } from '../external/find-holders.ts';
import { HoldersUnknown } from '../external/read-registry.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { allRecords, headAndTail, type RecordFile, recordsFor } from './record-files.ts';

/** The most conversations read for one answer; more than any folder we have seen has. */
const READ_MAX = 1000;

/** The conversations that an agent has on disk, newest first: of one folder, or of all folders in which sessions may run. */
export async function listPast(
  context: EngineContext,
  agent: AgentId,
  query: { readonly cwd?: string | undefined; readonly q?: string | undefined },
): Promise<PastList | Refusal> {
  const adapter = context.deps.adapters.get(agent);
  if (adapter === undefined) return { refused: 'not-found', message: `There is no agent "${agent}". GET /api/agents lists them.` };
  const found = await recordsOf(context, adapter, query.cwd);
  if ('refused' in found) return found;
  const holders = await knownHolders(context, adapter);
  const conversations: PastConversation[] = [];
  for (const record of found.slice(0, READ_MAX)) {
    if (conversations.length > LIMITS.pastListed) break;
    const conversation = await describe(context, adapter, record, holders);
    if (isAllowed(context, conversation) && matches(conversation, query.q)) conversations.push(conversation);
  }
  const more = conversations.length > LIMITS.pastListed || found.length > READ_MAX;
  return { conversations: conversations.slice(0, LIMITS.pastListed), more };
}

/** The list is useful even while the holders are unknown; resuming checks them again. */
async function knownHolders(context: EngineContext, adapter: Adapter): Promise<readonly Holder[]> {
  try {
    return await externalHolders(context, adapter, context.deps.envFor(adapter.id));
  } catch (error) {
    if (!(error instanceof HoldersUnknown)) throw error;
    context.deps.log.warn({ error }, 'past conversations are listed without the programs that have them open');
    return [];
  }
}

async function recordsOf(context: EngineContext, { id, past }: Adapter, cwd: string | undefined): Promise<readonly RecordFile[] | Refusal> {
  if (past === undefined) return [];
  const { envFor, settings } = context.deps;
  const env = envFor(id);
  if (cwd === undefined) return allRecords(past, env);
  const folder = await allowedFolder(cwd, settings);
  return typeof folder === 'string' ? recordsFor(past, { cwd: folder, env }) : folder;
}

async function describe(context: EngineContext, adapter: Adapter, record: RecordFile, holders: readonly Holder[]): Promise<PastConversation> {
  const { agentSessionId, path, bytes, at } = record;
  const { head, tail } = await headAndTail(path);
  const facts = adapter.past?.readFacts(head, tail) ?? {};
  const holder = holders.find((one) => one.agentSessionId === agentSessionId);
  const sessionId = sessionOfConversation(context, adapter.id, agentSessionId);
  return {
    agentSessionId,
    title: titleOf(facts.title) ?? agentSessionId,
    at: at.toISOString(),
    bytes,
    ...(facts.cwd !== undefined && { cwd: facts.cwd }),
    ...(facts.model !== undefined && { model: facts.model }),
    ...(sessionId !== undefined && { sessionId }),
    ...(holder !== undefined && { driver: driverOf(holder) }),
  };
}

const titleOf = (title: string | undefined): string | undefined =>
  title
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.trim()
    .slice(0, LIMITS.titleChars);

/** Our session that has this conversation. */
export function sessionOfConversation(context: EngineContext, agent: AgentId, agentSessionId: string): SessionId | undefined {
  for (const { state } of context.sessions.values()) {
    if (!state.deleted && state.born?.agent === agent && conversationOf(state) === agentSessionId) return state.id;
  }
  return undefined;
}

/** Conversations in folders where no session may run are not listed. */
const isAllowed = (context: EngineContext, { cwd }: PastConversation): boolean =>
  cwd === undefined || context.deps.settings.roots.some((root) => isInside(cwd, root));

const matches = ({ title, cwd, agentSessionId }: PastConversation, q: string | undefined): boolean =>
  q === undefined || [title, cwd ?? '', agentSessionId].some((text) => text.toLowerCase().includes(q.toLowerCase()));
