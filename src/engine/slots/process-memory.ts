import { isScriptSession } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';

/** The memory of all agents together. An agent that was not measured yet counts as the average of the others. */
export function memoryUsed(context: EngineContext): number {
  const live = [...context.sessions.values()].filter(({ state }) => state.run.phase !== 'none' && !isScriptSession(state.id));
  const measured = live.flatMap((session) => session.run?.rssBytes ?? []);
  const sum = measured.reduce((total, bytes) => total + bytes, 0);
  return measured.length === 0 ? 0 : Math.round((sum / measured.length) * live.length);
}

export function isMemoryFull(context: EngineContext): boolean {
  const cap = context.deps.settings.maxMemoryBytes;
  return cap > 0 && memoryUsed(context) > cap;
}

export const formatMegabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`;
