import { stat } from 'node:fs/promises';
import type { Exit } from '../../domain/session/exit.ts';
import { envOf } from '../external/find-holders.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** The text of the agent's own record of the session, if it has one. */
export async function recordText(session: SessionActor, agentSessionId = session.state.agentSessionId): Promise<string | undefined> {
  const path = await recordPath(session, agentSessionId);
  return path === undefined ? undefined : session.context.deps.readAgentFile(path);
}

/** Changes whenever that record is written. */
export async function recordStamp(session: SessionActor, agentSessionId: string): Promise<string> {
  const path = await recordPath(session, agentSessionId);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return `${found?.size} ${found?.mtimeMs}`;
}

async function recordPath(session: SessionActor, agentSessionId: string | null): Promise<string | undefined> {
  const { memory } = session.adapter;
  const { born } = session.state;
  if (memory === undefined || born === null || agentSessionId === null) return undefined;
  return memory.file({ cwd: born.cwd, agentSessionId, env: await envOf(session) });
}

/** What that record says about the messages that were in flight when the agent ended. */
export async function recallInFlight(session: SessionActor): Promise<Exit['memory']> {
  const inFlight = session.state.queue.filter((input) => input.stage.at !== 'accepted');
  const { memory } = session.adapter;
  if (inFlight.length === 0 || memory === undefined) return 'unknown';
  const text = await recordText(session);
  if (text === undefined) return 'absent';
  return Object.fromEntries(inFlight.map(({ commandId }) => [commandId, memory.recall(text, session.adapter.inputId(commandId))]));
}
