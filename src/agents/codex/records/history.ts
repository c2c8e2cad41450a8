import type { AgentArchive, PastLine, RecordContext } from '../../archive.ts';
import { glanceBy } from '../../quick-look.ts';
import { lineId, readLine } from './line.ts';
import { lineTold } from './lines.ts';
import { sessionsFolder, threadIn } from './record-folders.ts';

/** Codex's rollouts: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`. */
export const archive: AgentArchive = {
  version: 2,
  roots: (env) => [sessionsFolder(env)],
  recordOf: (path) => {
    const agentSessionId = threadIn(path);
    return agentSessionId === undefined ? undefined : { kind: 'lines', agentSessionId };
  },
  glance: glanceBy(read),
  read,
};

function read(raw: string, context: RecordContext): PastLine {
  const line = readLine(raw);
  if (line === undefined) return raw.trim() === '' ? { observations: [] } : strange(raw, 'no line of a rollout');
  const told = lineTold(line, context) ?? strange(raw, `a line of kind ${line.kind} in a shape not seen before`);
  const dated = line.timestamp === undefined ? told : { ...told, facts: { ...told.facts, lastAt: line.timestamp } };
  const { agentSessionId } = context;
  return line.ordinal === undefined || agentSessionId === undefined ? dated : { node: nodeOf(agentSessionId, line.ordinal), ...dated };
}

const strange = (raw: string, reason: string): PastLine => ({ observations: [{ type: 'unrecognised', raw, reason }] });

/** Lines stand one after the other; a copy goes on counting where it left the original. */
const nodeOf = (thread: string, ordinal: number) => ({ id: lineId(thread, ordinal), parent: ordinal === 0 ? null : lineId(thread, ordinal - 1) });
