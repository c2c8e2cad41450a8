import { isAbsolute, join } from 'node:path';
import type * as z from 'zod/mini';
import type { PastLine, RecordContext } from '../archive.ts';
import { modelOf } from './pi-blocks.ts';
import { type PiEntry, PiHeader, PiLabel, PiModelChange, PiSessionInfo, PiUsageEntry, readEntry } from './pi-entry.ts';
import { branchLeft, compacted, inserted } from './pi-inserted.ts';
import { messageTold } from './pi-said.ts';
import { spentOf } from './pi-spent.ts';
import { NOTHING, type PiDialect, parsed, type Told, whereOf } from './pi-told.ts';

/** How the lines of Pi's format are read, each by itself. */
export const piReader =
  (dialect: PiDialect) =>
  (line: string, context: RecordContext): PastLine => {
    if (line.trim() === '') return NOTHING;
    const entry = readEntry(line);
    if (entry === undefined) return strange(line, 'no JSON object');
    const told = attempt(() => entryTold(dialect, entry)) ?? strange(line, `a line of kind ${entry.type} in a shape not seen before`);
    return { ...nodeOf(entry), ...inFolder(told, context.facts?.cwd), facts: { ...lastAt(entry), ...told.facts } };
  };

const strange = (raw: string, reason: string): Told => ({ observations: [{ type: 'unrecognised', raw, reason }] });

/** Never a throw for a line that nobody foresaw. */
function attempt(read: () => Told | undefined): Told | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const nodeOf = ({ type, id, parentId }: PiEntry): Pick<PastLine, 'node'> =>
  type === 'session' || id === undefined || parentId === undefined ? {} : { node: { id, parent: parentId } };

const lastAt = ({ timestamp }: PiEntry) => (timestamp === undefined ? {} : { lastAt: timestamp });

/** Models name files as they like; rules and people want to know which. */
function inFolder(told: Told, cwd: string | undefined): Told {
  if (cwd === undefined) return told;
  const observations = told.observations.map((one) => {
    if (one.type !== 'tool.completed' || one.change === undefined || isAbsolute(one.change.path)) return one;
    return { ...one, change: { ...one.change, path: join(cwd, one.change.path) } };
  });
  return { ...told, observations };
}

/** Undefined when the line does not have the shape that was seen. */
function entryTold(dialect: PiDialect, entry: PiEntry): Told | undefined {
  switch (entry.type) {
    case 'session':
      return parsed(PiHeader, entry, (header) => headerTold(dialect, header));
    case 'message':
      return messageTold(dialect, entry);
    case 'model_change':
      return parsed(PiModelChange, entry, ({ provider, modelId }) => ({ ...NOTHING, facts: modelOf({ provider, model: modelId }) }));
    case 'session_info':
      return parsed(PiSessionInfo, entry, ({ name }) => (name ? { ...NOTHING, facts: { title: name, named: true } } : NOTHING));
    case 'compaction':
      return compacted(entry);
    case 'branch_summary':
      return branchLeft(entry);
    case 'custom_message':
      return inserted(entry);
    case 'label':
      return parsed(PiLabel, entry, ({ label }) => labelTold(entry, label));
    case 'usage':
      return parsed(PiUsageEntry, entry, (used) => usageTold(entry, used));
    // Told with what follows; what an extension keeps for itself; what changes only what the model is sent.
    case 'thinking_level_change':
    case 'custom':
    case 'context_edit':
      return NOTHING;
    default:
      return strange(JSON.stringify(entry), `a line of the unknown kind ${entry.type}`);
  }
}

function headerTold(dialect: PiDialect, { cwd, parentSession }: z.infer<typeof PiHeader>): Told {
  const agentSessionId = parentSession ? dialect.idIn(parentSession) : undefined;
  return { observations: [], ...(cwd === undefined ? {} : { facts: { cwd } }), ...(agentSessionId === undefined ? {} : { copiedFrom: { agentSessionId } }) };
}

function labelTold(entry: PiEntry, label: string | null | undefined): Told {
  return label ? { unprinted: true, observations: [{ type: 'notice.shown', ...whereOf(entry), level: 'info', text: `Bookmark: ${label}` }] } : NOTHING;
}

function usageTold({ id, timestamp: at }: PiEntry, used: z.infer<typeof PiUsageEntry>): Told {
  const spent = spentOf(used.usage, { ...(id && { messageId: id }), ...modelOf(used), ...(at && { at }) });
  return { observations: [], ...(spent && { spent }) };
}
