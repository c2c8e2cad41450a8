import { stat } from 'node:fs/promises';
import type { Exit } from '../../domain/session/exit.ts';
import { envOf } from '../external/external-drivers.ts';
import type { SessionBox } from '../loop/session-actor.ts';

/** The text of the agent's own record of the session, if it keeps one. */
export async function memoryText(box: SessionBox, agentSessionId = box.state.agentSessionId): Promise<string | undefined> {
  const path = await memoryPath(box, agentSessionId);
  return path === undefined ? undefined : box.world.deps.readAgentFile(path);
}

/** Changes whenever that record is written. */
export async function memoryStamp(box: SessionBox, agentSessionId: string): Promise<string> {
  const path = await memoryPath(box, agentSessionId);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return `${found?.size} ${found?.mtimeMs}`;
}

async function memoryPath(box: SessionBox, agentSessionId: string | null): Promise<string | undefined> {
  const { memory } = box.adapter;
  const { born } = box.state;
  if (memory === undefined || born === null || agentSessionId === null) return undefined;
  return memory.file({ cwd: born.cwd, agentSessionId, env: await envOf(box) });
}

/** What that record says about the messages that were on their way when the agent ended. */
export async function recallInFlight(box: SessionBox): Promise<Exit['memory']> {
  const given = box.state.queue.filter((input) => input.stage.at !== 'accepted');
  const { memory } = box.adapter;
  if (given.length === 0 || memory === undefined) return 'unknown';
  const text = await memoryText(box);
  if (text === undefined) return 'absent';
  return Object.fromEntries(given.map(({ commandId }) => [commandId, memory.recall(text, box.adapter.inputId(commandId))]));
}
