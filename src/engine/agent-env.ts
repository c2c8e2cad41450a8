import type { RunId } from '../protocol/ids.ts';
import type { SessionBox } from './session-box.ts';

/** What the agent's process gets: the server's environment without our own settings, then the session's, then the run's mark. */
export async function agentEnv(box: SessionBox, run: RunId): Promise<Readonly<Record<string, string>>> {
  const { deps } = box.world;
  return { ...deps.env, ...(await deps.secrets.get(box.state.id)), SIGNALBOX_RUN: run };
}

/** Drops what belongs to this server (its token among it) and what is unset. */
export function inheritable(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith('SIGNALBOX_')) kept[name] = value;
  }
  return kept;
}
