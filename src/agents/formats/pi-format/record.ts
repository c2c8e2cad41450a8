import type { PastLine, RecordContext } from '../../port/archive.ts';
import { attempt } from '../fold.ts';
import { unrecognized } from '../unrecognized.ts';
import { modelOf } from './blocks.ts';
import { isHeader, isLabel, isModelChange, isSessionInfo, isUsed, type PiEntry, type PiHeader, type PiUsed, readEntry } from './entry.ts';
import { branchAbandoned, compacted, inserted } from './inserted.ts';
import { type LineResult, NOTHING, type PiDialect, shaped, whereOf } from './line-result.ts';
import { observeMessage } from './observe-message.ts';
import { spentOf } from './usage.ts';

/** Reads lines of Pi's format, each on its own. */
export const piReader =
  (dialect: PiDialect) =>
  (line: string, { facts }: RecordContext): PastLine => {
    const entry = readEntry(line);
    if (entry === undefined) return line.trim() === '' ? NOTHING : strange(line, 'no JSON object');
    return placed(entry, attempt(() => observeEntry(dialect, entry, facts?.cwd)) ?? strange(line, `a line of kind ${entry.type} in a shape not seen before`));
  };

const strange = (raw: string, reason: string): LineResult => ({ observations: [unrecognized(raw, reason)] });

/** The header's id is not the id of a line. */
function placed({ type, id, parentId, timestamp }: PiEntry, observed: LineResult): PastLine {
  const dated = timestamp === undefined ? observed : { ...observed, facts: { ...observed.facts, lastAt: timestamp } };
  return type === 'session' || id === undefined || parentId === undefined ? dated : { node: { id, parent: parentId }, ...dated };
}

/** Undefined when the line doesn't have the known shape. */
function observeEntry(dialect: PiDialect, entry: PiEntry, cwd: string | undefined): LineResult | undefined {
  switch (entry.type) {
    case 'session':
      return shaped(isHeader, entry, (header) => observeHeader(dialect, header));
    case 'message':
      return observeMessage(dialect, entry, cwd);
    case 'model_change':
      return shaped(isModelChange, entry, ({ provider, modelId }) => ({ ...NOTHING, facts: modelOf({ provider, model: modelId }) }));
    case 'session_info':
      return shaped(isSessionInfo, entry, ({ name }) => (name ? { ...NOTHING, facts: { title: name, named: true } } : NOTHING));
    case 'compaction':
      return compacted(entry);
    case 'branch_summary':
      return branchAbandoned(entry);
    case 'custom_message':
      return inserted(entry);
    case 'label':
      return shaped(isLabel, entry, ({ label }) => observeLabel(entry, label));
    case 'usage':
      return shaped(isUsed, entry, (used) => observeUsage(entry, used));
    // Reported with later lines; an extension's private data; changes only what the model is sent.
    case 'thinking_level_change':
    case 'custom':
    case 'context_edit':
      return NOTHING;
    default:
      return strange(JSON.stringify(entry.fields), `a line of the unknown kind ${entry.type}`);
  }
}

function observeHeader(dialect: PiDialect, { cwd, parentSession }: PiHeader): LineResult {
  const agentSessionId = parentSession ? dialect.idIn(parentSession) : undefined;
  return { observations: [], ...(cwd === undefined ? {} : { facts: { cwd } }), ...(agentSessionId === undefined ? {} : { copiedFrom: { agentSessionId } }) };
}

function observeLabel(entry: PiEntry, label: string | null | undefined): LineResult {
  return label ? { unprinted: true, observations: [{ type: 'notice.shown', ...whereOf(entry), level: 'info', text: `Bookmark: ${label}` }] } : NOTHING;
}

function observeUsage({ id, timestamp: at }: PiEntry, used: PiUsed): LineResult {
  const spent = spentOf(used.usage, { ...(id && { messageId: id }), ...modelOf(used), ...(at && { at }) });
  return { observations: [], ...(spent && { spent }) };
}
