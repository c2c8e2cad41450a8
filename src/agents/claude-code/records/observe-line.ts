import { KEPT, type KeptObservation, type Observation } from '../../../protocol/observation.ts';
import { isObject } from '../../formats/shape.ts';
import { unrecognized } from '../../formats/unrecognized.ts';
import { isPlaceholder, observeBlock, SYNTHETIC } from '../lines/assistant.ts';
import { isBlock, isId } from '../lines/blocks.ts';
import { contentOf } from '../lines/tool-result.ts';
import { observeUserLine } from '../lines/user.ts';
import { itemOf, stamp } from '../lines/wire.ts';
import { answersOf, type Entry, idIn, type RecordLine, textIn } from './entry.ts';
import { isKnownKind } from './line-kinds.ts';
import { observePrompt } from './prompts.ts';
import { messageInFeedback } from './stop-feedback.ts';
import { systemLine } from './system.ts';

/** Observations from a single line, with the ids it was printed with; `inside` is the call that started the subagent. */
export function observeLine(entry: Entry, inside?: string): readonly KeptObservation[] {
  const observed = read(entry, inside) ?? [unrecognized(entry.raw, `a line of kind ${entry.line?.type} of another shape`)];
  return observed.filter(isKept);
}

const KEPT_TYPES: ReadonlySet<string> = new Set(KEPT);
const isKept = (observation: Observation): observation is KeptObservation => KEPT_TYPES.has(observation.type);

type Observed = readonly Observation[] | undefined;

function read(entry: Entry, inside: string | undefined): Observed {
  const { line, raw } = entry;
  if (line === undefined) return [unrecognized(raw, 'no JSON object')];
  if (!isKnownKind(entry)) return [unrecognized(raw, `a line of the unknown kind ${line.type}`)];
  if (line.type === 'assistant') return assistantLine(line, inside);
  if (line.type === 'user') return userLine(entry, line, inside);
  if (line.type === 'attachment') return attachmentLine(line, inside);
  return line.type === 'system' ? systemLine(line) : [];
}

/** Fields that printed lines have too. */
const printed = (line: RecordLine, inside: string | undefined) => ({ uuid: line.uuid, timestamp: line.timestamp, parent_tool_use_id: inside });

function assistantLine(line: RecordLine, inside: string | undefined): Observed {
  const { id, model, content } = line.message ?? {};
  if (!isId(id) || !Array.isArray(content) || !content.every(isBlock)) return undefined;
  if (isOwnRemark(line)) return [];
  const message = { id, model: textIn(model) };
  const source = { ...printed(line, inside), message, error: textIn(line.fields.error), aborted: line.fields.aborted === true };
  return content
    .filter((block) => !isPlaceholder(source, block))
    .map((block, index) => placed(line, observeBlock(source, block, firstBlock(line) + index), index));
}

/** A resumed CLI writes this after an interrupted turn; it is not an answer. */
const isOwnRemark = ({ message }: RecordLine): boolean => message?.model === SYNTHETIC && contentOf(message.content).output === 'No response requested.';

/** The index of the line's first block in its message, where the line has it (2.1.325). */
function numberIn({ fields }: RecordLine): number | undefined {
  const { apiBlockIndex } = fields;
  return typeof apiBlockIndex === 'number' && Number.isSafeInteger(apiBlockIndex) && apiBlockIndex >= 0 ? apiBlockIndex : undefined;
}

const firstBlock = (line: RecordLine): number => numberIn(line) ?? 0;

/** Older lines have no block index, and a single line can't count the blocks before it; so we use the line's id, which was printed too. */
function placed(line: RecordLine, one: Observation, index: number): Observation {
  if (one.type !== 'assistant.text' && one.type !== 'assistant.thinking') return one;
  if (line.uuid === undefined || numberIn(line) !== undefined) return one;
  return { ...one, itemId: itemOf(index === 0 ? line.uuid : `${line.uuid}:${index}`) };
}

function userLine(entry: Entry, line: RecordLine, inside: string | undefined): Observed {
  const isResult = answersOf(entry).length > 0;
  if (!isResult && !line.isCompactSummary) return line.isMeta ? feedback(line) : observePrompt(line, line.message?.content, inside);
  const content = line.message?.content;
  if (typeof content !== 'string' && !(Array.isArray(content) && content.every(isBlock))) return undefined;
  return observeUserLine({ ...printed(line, inside), message: { content }, tool_use_result: isResult ? line.fields.toolUseResult : undefined });
}

/** A message of ours that came through a hook. */
function feedback({ message, timestamp }: RecordLine): readonly Observation[] {
  const found = messageInFeedback(message?.content);
  return found === undefined ? [] : [{ type: 'user.message', text: found.text, origin: 'elsewhere', itemId: itemOf(found.messageId), ...stamp({ timestamp }) }];
}

/** A message that joined a running turn; every other attachment is the CLI's own. */
function attachmentLine(line: RecordLine, inside: string | undefined): Observed {
  const { attachment } = line.fields;
  if (!isObject(attachment) || attachment.type !== 'queued_command') return [];
  const { prompt, source_uuid, commandMode } = attachment;
  const origin = commandMode === 'task-notification' ? { kind: commandMode } : line.fields.origin;
  return observePrompt({ ...line, uuid: idIn(source_uuid) ?? line.uuid, fields: { origin } }, prompt, inside);
}
