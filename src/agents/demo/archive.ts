import type { AgentArchive, PastLine, RecordKind } from '../archive.ts';
import { factsOf, observationsOf, past } from './history.ts';
import { lineOf, memoryFolder } from './memory.ts';

/** The agent's own memory again, line by line. It never goes back within a file, so lines need no place but their order. */
export const archive: AgentArchive = { version: 1, roots: (env) => [memoryFolder(env)], recordOf, glance: past.glance, read };

function recordOf(path: string): RecordKind | undefined {
  const agentSessionId = past.idOf(path);
  return agentSessionId === undefined ? undefined : { kind: 'lines', agentSessionId };
}

const KINDS: ReadonlySet<unknown> = new Set(['session', 'user', 'answered']);

/** As much of a strange line as an event holds. */
const RAW_CHARS = 64 * 1024;

function read(raw: string): PastLine {
  const line = lineOf(raw);
  if (line === undefined || !KINDS.has(line.type)) {
    return { observations: [{ type: 'unrecognised', raw: raw.slice(0, RAW_CHARS), reason: 'not a line that the demo agent is known to remember' }] };
  }
  const facts = factsOf([line]);
  return { observations: observationsOf(line), ...(Object.keys(facts).length > 0 && { facts }) };
}
