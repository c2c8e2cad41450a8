import * as z from 'zod/mini';
import type { AgentRegistry } from '../adapter.ts';
import { homeOf } from './memory.ts';

/**
 * `sessions/<pid>.json`: written by every process, headless or not, with the conversation it holds now; it follows a `/clear`.
 * Removed at a clean end, left behind by a kill: so the start time in it must be that of the process.
 */
export const registry: AgentRegistry = { folder: (env) => `${homeOf(env)}/sessions`, read };

const Entry = z.looseObject({
  pid: z.int().check(z.minimum(2)),
  sessionId: z.string(),
  procStart: z.string(),
  startedAt: z.optional(z.number()),
  version: z.optional(z.string()),
  entrypoint: z.optional(z.string()),
});

function read(fileName: string, text: string): ReturnType<AgentRegistry['read']> {
  if (!/^\d+\.json$/.test(fileName)) return undefined;
  const entry = z.safeParse(Entry, parsed(text));
  if (!entry.success) return undefined;
  const { pid, sessionId, procStart, startedAt, version, entrypoint } = entry.data;
  const since = startedAt === undefined ? undefined : timeOf(startedAt);
  const what = ['Claude Code', version, entrypoint === undefined ? undefined : `(${entrypoint})`].filter((part) => part !== undefined).join(' ');
  return { agentSessionId: sessionId, pid, start: procStart, what, ...(since !== undefined && { since }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Caught in the middle of being written.
    return undefined;
  }
}

function timeOf(ms: number): string | undefined {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
