import { unrecognized } from '../../formats/unrecognized.ts';
import type { AgentArchive, PastLine, RecordContext } from '../../port/archive.ts';
import { factsFromLines } from '../../port/record-facts.ts';
import { lineId, readLine } from './line.ts';
import { observeLine } from './lines.ts';
import { sessionsFolder, threadIn } from './record-folders.ts';

/** Codex's rollouts: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`. */
export const archive: AgentArchive = {
  version: 2,
  roots: (env) => [sessionsFolder(env)],
  recordOf: (path) => {
    const agentSessionId = threadIn(path);
    return agentSessionId === undefined ? undefined : { kind: 'lines', agentSessionId };
  },
  readFacts: factsFromLines(read),
  read,
};

function read(raw: string, context: RecordContext): PastLine {
  const line = readLine(raw);
  if (line === undefined) return raw.trim() === '' ? { observations: [] } : strange(raw, 'no line of a rollout');
  const observed = observeLine(line, context) ?? strange(raw, `a line of kind ${line.kind} in a shape not seen before`);
  const dated = line.timestamp === undefined ? observed : { ...observed, facts: { ...observed.facts, lastAt: line.timestamp } };
  const { agentSessionId } = context;
  return line.ordinal === undefined || agentSessionId === undefined ? dated : { node: nodeOf(agentSessionId, line.ordinal), ...dated };
}

const strange = (raw: string, reason: string): PastLine => ({ observations: [unrecognized(raw, reason)] });

/** Lines are numbered in order; a copy continues the numbering of the original. */
const nodeOf = (thread: string, ordinal: number) => ({ id: lineId(thread, ordinal), parent: ordinal === 0 ? null : lineId(thread, ordinal - 1) });
