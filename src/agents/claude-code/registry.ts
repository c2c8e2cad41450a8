import * as z from 'zod/mini';
import type { AgentRegistry } from '../adapter.ts';
import { homeOf } from './records/session-file.ts';

/**
 * `sessions/<pid>.json`: written by every process, headless or not, with the conversation it holds now; it follows a `/clear`.
 * Removed at a clean end, left behind by a kill: so the start time in it must be that of the process.
 */
export const registry: AgentRegistry = { folder: (env) => `${homeOf(env)}/sessions`, pidOf, read };

const Entry = z.looseObject({
  pid: z.int().check(z.minimum(2)),
  sessionId: z.string(),
  procStart: z.string(),
  startedAt: z.optional(z.number()),
  version: z.optional(z.string()),
  entrypoint: z.optional(z.string()),
});

function pidOf(fileName: string): number | undefined {
  const digits = /^([1-9]\d*)\.json$/.exec(fileName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A takeover ends the process that the file names, so it must name the one whose file it is. */
function read(fileName: string, text: string): ReturnType<AgentRegistry['read']> {
  const value = parsed(text);
  if (value === undefined) return 'torn';
  const entry = z.safeParse(Entry, value);
  if (!entry.success || entry.data.pid !== pidOf(fileName)) return undefined;
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
