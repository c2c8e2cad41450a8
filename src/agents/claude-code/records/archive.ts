import type { AgentArchive, PastLine, RecordContext, RecordKind } from '../../port/archive.ts';
import { window } from './context-windows.ts';
import { idIn, type RecordLine, readLine } from './entry.ts';
import { modelOf, promptOf, readFacts, titleGivenBy } from './facts.ts';
import { observeLine } from './observe-line.ts';
import { price } from './prices.ts';
import { projectsOf } from './session-file.ts';
import { spentOf } from './spent.ts';
import { nodeOf } from './tree-node.ts';
import { isUnprinted } from './unprinted-lines.ts';

/** All records: `projects/<folder>/<session>.jsonl`, each next to a folder with one file per subagent. */
export const archive: AgentArchive = { version: 2, roots: (env) => [projectsOf(env)], recordOf, readFacts, read, price, window };

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const MAIN = new RegExp(`^[^/]+/(${UUID})\\.jsonl$`);
const PART = new RegExp(`^([^/]+/(${UUID})/subagents/(agent-[^/]+))\\.jsonl$`);

function recordOf(path: string): RecordKind | undefined {
  const main = MAIN.exec(path)?.[1];
  if (main !== undefined) return { kind: 'lines', agentSessionId: main };
  const [, stem, agentSessionId, part] = PART.exec(path) ?? [];
  if (stem === undefined || agentSessionId === undefined || part === undefined) return undefined;
  return { kind: 'lines', agentSessionId, part, companion: `${stem}.meta.json` };
}

function read(raw: string, context: RecordContext): PastLine {
  const entry = readLine(raw);
  const { line } = entry;
  if (line === undefined) return { observations: observeLine(entry) };
  const observations = observeLine(entry, line.isSidechain ? callIn(context) : undefined);
  const node = nodeOf(line);
  const facts = factsIn(line, observations);
  const spent = spentOf(line);
  return {
    observations,
    ...(node !== undefined && { node }),
    ...(facts !== undefined && { facts }),
    ...(spent !== undefined && { spent }),
    ...(isUnprinted(line, observations) && { unprinted: true }),
  };
}

/** The call that started the subagent whose file this is. */
function callIn({ companion }: RecordContext): string | undefined {
  if (companion === undefined) return undefined;
  const { line } = readLine(companion);
  return idIn(line?.fields.toolUseId);
}

/** Folder and title come from the conversation itself, never from its subagents. */
function factsIn(line: RecordLine, observed: PastLine['observations']): PastLine['facts'] {
  const given = titleGivenBy(line);
  if (given !== undefined) return { title: given, named: true };
  const { timestamp: lastAt } = line;
  if (line.isSidechain) return lastAt === undefined ? undefined : { lastAt };
  const { cwd } = line;
  const title = promptOf(line, () => observed);
  const model = modelOf(line);
  if (cwd === undefined && title === undefined && model === undefined && lastAt === undefined) return undefined;
  return {
    ...(cwd !== undefined && { cwd }),
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(lastAt !== undefined && { lastAt }),
  };
}
