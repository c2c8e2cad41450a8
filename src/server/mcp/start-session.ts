import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type * as z from 'zod/mini';
import type { Engine } from '../../engine/engine.ts';
import type { StartSession } from '../../protocol/agent-tools.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import { CommandId, SessionId } from '../../protocol/ids.ts';
import type { PermissionMode, Session } from '../../protocol/session.ts';
import type { ToolCaller, ToolOutcome } from './caller.ts';

/** Sessions in the whole tree below the one that a person started, however deep; and how deep. */
const MOST_SESSIONS = 5;
const MOST_LEVELS = 2;

/** From the narrowest to the widest: an agent can't give another one more than it has itself. */
const WIDTH: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto', 'bypassPermissions'];

const denied = (message: string): Refusal => ({ refused: 'not-permitted', message });

/** Starts a session in the name of an agent, within what its person allowed that agent. The id follows from the call, so that a repeated call starts nothing new. */
export async function startSession(caller: ToolCaller, engine: Engine, input: z.infer<typeof StartSession>, askId: string): Promise<ToolOutcome> {
  const sessionId = SessionId.parse(`t${createHash('sha256').update(askId).digest('hex').slice(0, 20)}`);
  const commandId = CommandId.parse(`create:${sessionId}`);
  const { prompt, title } = input;
  const starter = caller.session;
  const agent = input.agent ?? starter?.agent;
  const cwd = starter === undefined ? input.cwd : await folderBelow(starter.cwd, input.cwd);
  if (agent === undefined || cwd === undefined) return { refused: 'bad-request', message: 'Name the agent and the folder (cwd).' };
  if (typeof cwd !== 'string') return cwd;
  const isKnown = engine.session(sessionId) !== undefined;
  const refused =
    starter === undefined || isKnown ? undefined : (outOfBounds(engine, starter) ?? (await tooWide(engine, starter, agent, input.permissionMode)));
  if (refused !== undefined) return refused;
  const permissionMode = input.permissionMode ?? (starter === undefined ? undefined : inheritedMode(starter, agent));
  const options = { ...(input.model !== undefined && { model: input.model }), ...(permissionMode !== undefined && { permissionMode }) };
  const startedBy = starter === undefined ? {} : { startedBy: starter.id };
  const create = { type: 'session.create', commandId, sessionId, agent, cwd, options, prompt, ...(title !== undefined && { title }), ...startedBy } as const;
  const receipt = await (starter === undefined ? caller.engine : engine).submit(create, caller.actor);
  return isRefusal(receipt) ? receipt : `Started the session ${sessionId}. Read it with read_session, write to it with send_to_session.`;
}

/** The starter's folder or one below it; links are resolved first. */
async function folderBelow(root: string, asked: string | undefined): Promise<string | Refusal> {
  const real = await realpath(resolve(root, asked ?? '.')).catch(() => undefined);
  if (real === undefined) return { refused: 'bad-request', message: `There is no folder ${asked}.` };
  return real === root || real.startsWith(`${root}${sep}`)
    ? real
    : denied(`${real} is outside your folder ${root}. A session that you start works there or below.`);
}

function outOfBounds(engine: Engine, starter: Session): Refusal | undefined {
  const parentOf = new Map(engine.sessions().map(({ id, startedBy }) => [id, startedBy]));
  const above = ancestors(parentOf, starter.id);
  if (above.length >= MOST_LEVELS)
    return denied('You were started by a session that was itself started by an agent. At this depth you can’t start another one.');
  const root = above.at(-1) ?? starter.id;
  const below = [...parentOf.keys()].filter((id) => id !== root && ancestors(parentOf, id).includes(root)).length;
  if (below < MOST_SESSIONS) return undefined;
  return denied(
    `Agents have already started ${below} sessions here, and ${MOST_SESSIONS} are allowed. Ask a person to start another one, or to delete one that is done.`,
  );
}

function ancestors(parentOf: ReadonlyMap<SessionId, SessionId | undefined>, id: SessionId): readonly SessionId[] {
  const above: SessionId[] = [];
  for (let parent = parentOf.get(id); parent !== undefined && !above.includes(parent); parent = parentOf.get(parent)) above.push(parent);
  return above;
}

const modeOf = ({ permissionMode }: Session): PermissionMode => WIDTH.find((mode) => mode === permissionMode) ?? 'default';

async function tooWide(engine: Engine, starter: Session, agent: Session['agent'], mode: PermissionMode | undefined): Promise<Refusal | undefined> {
  const own = modeOf(starter);
  if (mode !== undefined && WIDTH.indexOf(mode) > WIDTH.indexOf(own))
    return denied(`The mode ${mode} allows more than yours (${own}). Choose ${own} or a narrower one.`);
  if (own === 'bypassPermissions') return undefined;
  const described = (await engine.agents()).find(({ id }) => id === agent);
  return described?.capabilities.permissions === false
    ? denied(`${described.title} never asks before it acts, so it would be allowed more than you are.`)
    : undefined;
}

/** Another agent may not have the starter's mode; its own default asks, so it is never wider. */
const inheritedMode = (starter: Session, agent: Session['agent']): PermissionMode | undefined =>
  starter.permissionMode === undefined || (agent !== starter.agent && WIDTH.indexOf(modeOf(starter)) >= WIDTH.indexOf('default')) ? undefined : modeOf(starter);
