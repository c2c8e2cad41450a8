import { KEPT, type KeptObservation, type Observation } from '../../../protocol/observation.ts';
import { isPlaceholder, observeBlock, SYNTHETIC } from '../lines/assistant.ts';
import { isBlock, isId } from '../lines/blocks.ts';
import { contentOf } from '../lines/tool-result.ts';
import { unrecognised } from '../lines/unrecognised.ts';
import { observeSpoken } from '../lines/user.ts';
import { isObject, itemOf } from '../lines/wire.ts';
import { answersOf, type Entry, idIn, type RecordLine, textIn } from './entry.ts';
import { isKnownKind } from './line-kinds.ts';
import { saidByUser } from './prompts.ts';
import { systemLine } from './system.ts';

/** What one line tells by itself, with the ids that it had when it was printed; `inside` is the call that began the subagent whose line it is. */
export function observeOne(entry: Entry, inside?: string): readonly KeptObservation[] {
  const told = read(entry, inside) ?? [unrecognised(entry.raw, `a line of kind ${entry.line?.type} of another shape`)];
  return told.filter(isKept);
}

const KEPT_TYPES: ReadonlySet<string> = new Set(KEPT);
const isKept = (observation: Observation): observation is KeptObservation => KEPT_TYPES.has(observation.type);

type Told = readonly Observation[] | undefined;

function read(entry: Entry, inside: string | undefined): Told {
  const { line, raw } = entry;
  if (line === undefined) return [unrecognised(raw, 'no JSON object')];
  if (!isKnownKind(entry)) return [unrecognised(raw, `a line of the unknown kind ${line.type}`)];
  if (line.type === 'assistant') return assistantLine(line, inside);
  if (line.type === 'user') return userLine(entry, line, inside);
  if (line.type === 'attachment') return attachmentLine(line, inside);
  return line.type === 'system' ? systemLine(line) : [];
}

/** The fields that a printed line has too. */
const printed = (line: RecordLine, inside: string | undefined) => ({ uuid: line.uuid, timestamp: line.timestamp, parent_tool_use_id: inside });

function assistantLine(line: RecordLine, inside: string | undefined): Told {
  const { id, model, content } = line.message ?? {};
  if (!isId(id) || !Array.isArray(content) || !content.every(isBlock)) return undefined;
  if (isOwnRemark(line)) return [];
  const message = { id, model: textIn(model) };
  const spoken = { ...printed(line, inside), message, error: textIn(line.fields.error), aborted: line.fields.aborted === true };
  return content
    .filter((block) => !isPlaceholder(spoken, block))
    .map((block, index) => placed(line, observeBlock(spoken, block, firstBlock(line) + index), index));
}

/** A resumed CLI writes this below a turn that was cut: its own words, and no answer. */
const isOwnRemark = ({ message }: RecordLine): boolean => message?.model === SYNTHETIC && contentOf(message.content).output === 'No response requested.';

/** Which block of its message a line begins with, where it says so (2.1.325). */
function numberIn({ fields }: RecordLine): number | undefined {
  const { apiBlockIndex } = fields;
  return typeof apiBlockIndex === 'number' && Number.isSafeInteger(apiBlockIndex) && apiBlockIndex >= 0 ? apiBlockIndex : undefined;
}

const firstBlock = (line: RecordLine): number => numberIn(line) ?? 0;

/** Older lines do not say which block they are, and none knows those before it: there the id of the line stands for it, under which it was printed too. */
function placed(line: RecordLine, one: Observation, index: number): Observation {
  if (one.type !== 'assistant.text' && one.type !== 'assistant.thinking') return one;
  if (line.uuid === undefined || numberIn(line) !== undefined) return one;
  return { ...one, itemId: itemOf(index === 0 ? line.uuid : `${line.uuid}:${index}`) };
}

function userLine(entry: Entry, line: RecordLine, inside: string | undefined): Told {
  const isResult = answersOf(entry).length > 0;
  if (!isResult && !line.isCompactSummary) return line.isMeta ? [] : saidByUser(line, line.message?.content, inside);
  const content = line.message?.content;
  if (typeof content !== 'string' && !(Array.isArray(content) && content.every(isBlock))) return undefined;
  return observeSpoken({ ...printed(line, inside), message: { content }, tool_use_result: isResult ? line.fields.toolUseResult : undefined });
}

/** A message that was folded into a running turn; every other attachment is the CLI's own. */
function attachmentLine(line: RecordLine, inside: string | undefined): Told {
  const { attachment } = line.fields;
  if (!isObject(attachment) || attachment.type !== 'queued_command') return [];
  const { prompt, source_uuid, commandMode } = attachment;
  const origin = commandMode === 'task-notification' ? { kind: commandMode } : line.fields.origin;
  return saidByUser({ ...line, uuid: idIn(source_uuid) ?? line.uuid, fields: { origin } }, prompt, inside);
}
