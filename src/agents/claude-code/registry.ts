import * as z from 'zod/mini';
import type { AgentRegistry } from '../port/adapter.ts';
import { homeOf } from './records/session-file.ts';

/**
 * `sessions/<pid>.json`: every process, headless or not, writes the conversation it has open now; updated after `/clear`.
 * Removed on a clean exit, left behind by a kill: so its start time must match the process.
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

/** A takeover ends the process that the file names, so that pid must match the file's name. */
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
    // Read in the middle of a write.
    return undefined;
  }
}

function timeOf(ms: number): string | undefined {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
