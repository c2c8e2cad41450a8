import type { PastLine, RecordContext } from '../archive.ts';
import { modelOf } from './pi-blocks.ts';
import { isHeader, isLabel, isModelChange, isSessionInfo, isUsed, type PiEntry, type PiHeader, type PiUsed, readEntry } from './pi-entry.ts';
import { branchLeft, compacted, inserted } from './pi-inserted.ts';
import { messageTold } from './pi-said.ts';
import { spentOf } from './pi-spent.ts';
import { NOTHING, type PiDialect, shaped, type Told, whereOf } from './pi-told.ts';

/** How the lines of Pi's format are read, each by itself. */
export const piReader =
  (dialect: PiDialect) =>
  (line: string, { facts }: RecordContext): PastLine => {
    const entry = readEntry(line);
    if (entry === undefined) return line.trim() === '' ? NOTHING : strange(line, 'no JSON object');
    return placed(entry, attempt(dialect, entry, facts?.cwd) ?? strange(line, `a line of kind ${entry.type} in a shape not seen before`));
  };

const strange = (raw: string, reason: string): Told => ({ observations: [{ type: 'unrecognised', raw, reason }] });

/** Never a throw for a line that nobody foresaw. */
function attempt(dialect: PiDialect, entry: PiEntry, cwd: string | undefined): Told | undefined {
  try {
    return entryTold(dialect, entry, cwd);
  } catch {
    return undefined;
  }
}

/** The header has an id that is none of a line. */
function placed({ type, id, parentId, timestamp }: PiEntry, told: Told): PastLine {
  const dated = timestamp === undefined ? told : { ...told, facts: { ...told.facts, lastAt: timestamp } };
  return type === 'session' || id === undefined || parentId === undefined ? dated : { node: { id, parent: parentId }, ...dated };
}

/** Undefined when the line does not have the shape that was seen. */
function entryTold(dialect: PiDialect, entry: PiEntry, cwd: string | undefined): Told | undefined {
  switch (entry.type) {
    case 'session':
      return shaped(isHeader, entry, (header) => headerTold(dialect, header));
    case 'message':
      return messageTold(dialect, entry, cwd);
    case 'model_change':
      return shaped(isModelChange, entry, ({ provider, modelId }) => ({ ...NOTHING, facts: modelOf({ provider, model: modelId }) }));
    case 'session_info':
      return shaped(isSessionInfo, entry, ({ name }) => (name ? { ...NOTHING, facts: { title: name, named: true } } : NOTHING));
    case 'compaction':
      return compacted(entry);
    case 'branch_summary':
      return branchLeft(entry);
    case 'custom_message':
      return inserted(entry);
    case 'label':
      return shaped(isLabel, entry, ({ label }) => labelTold(entry, label));
    case 'usage':
      return shaped(isUsed, entry, (used) => usageTold(entry, used));
    // Told with what follows; what an extension keeps for itself; what changes only what the model is sent.
    case 'thinking_level_change':
    case 'custom':
    case 'context_edit':
      return NOTHING;
    default:
      return strange(JSON.stringify(entry.fields), `a line of the unknown kind ${entry.type}`);
  }
}

function headerTold(dialect: PiDialect, { cwd, parentSession }: PiHeader): Told {
  const agentSessionId = parentSession ? dialect.idIn(parentSession) : undefined;
  return { observations: [], ...(cwd === undefined ? {} : { facts: { cwd } }), ...(agentSessionId === undefined ? {} : { copiedFrom: { agentSessionId } }) };
}

function labelTold(entry: PiEntry, label: string | null | undefined): Told {
  return label ? { unprinted: true, observations: [{ type: 'notice.shown', ...whereOf(entry), level: 'info', text: `Bookmark: ${label}` }] } : NOTHING;
}

function usageTold({ id, timestamp: at }: PiEntry, used: PiUsed): Told {
  const spent = spentOf(used.usage, { ...(id && { messageId: id }), ...modelOf(used), ...(at && { at }) });
  return { observations: [], ...(spent && { spent }) };
}
