import { unrecognized } from '../formats/unrecognized.ts';
import type { AgentArchive, PastLine, RecordKind } from '../port/archive.ts';
import { factsOf, observationsOf, past } from './past.ts';
import { lineOf, sessionFolder } from './program/session-file.ts';

/** The agent's own session file, line by line. The demo agent never goes back within a file, so the order of the lines is enough. */
export const archive: AgentArchive = { version: 1, roots: (env) => [sessionFolder(env)], recordOf, readFacts: past.readFacts, read };

function recordOf(path: string): RecordKind | undefined {
  const agentSessionId = past.idOf(path);
  return agentSessionId === undefined ? undefined : { kind: 'lines', agentSessionId };
}

const KINDS: ReadonlySet<unknown> = new Set(['session', 'user', 'answered']);

function read(raw: string): PastLine {
  const line = lineOf(raw);
  if (line === undefined || !KINDS.has(line.type)) {
    return { observations: [unrecognized(raw, 'not a known line of a demo record')] };
  }
  const facts = factsOf([line]);
  return { observations: observationsOf(line), ...(Object.keys(facts).length > 0 && { facts }) };
}
