import { KEPT, type KeptObservation, type Observation } from '../../protocol/observation.ts';
import { ASSISTANT_LINES } from './assistant.ts';
import { answersOf, type Entry, type RecordLine, textIn } from './history-entry.ts';
import { isKnownKind, SILENT_SYSTEM } from './history-kinds.ts';
import { saidByUser } from './history-said.ts';
import { initial } from './state.ts';
import { SYSTEM_LINES } from './system.ts';
import { contentOf } from './tool-result.ts';
import { unrecognised } from './unrecognised.ts';
import { USER_LINES } from './user.ts';
import { isObject, itemOf } from './wire.ts';

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

/** A line of a record holds what was printed, under other names: nothing of a stream is known here, so every reading begins anew. */
const ANEW = initial();

/** The fields that a printed line has too. */
const printed = (line: RecordLine, inside: string | undefined) => ({
  uuid: line.uuid,
  timestamp: line.timestamp,
  parent_tool_use_id: inside,
  message: line.message,
});

function assistantLine(line: RecordLine, inside: string | undefined): Told {
  if (isOwnRemark(line)) return [];
  const spoken = { ...printed(line, inside), error: textIn(line.fields.error), aborted: line.fields.aborted === true };
  return ASSISTANT_LINES.assistant?.read(ANEW, spoken)?.observations.map((one) => placed(line, one));
}

/** A resumed CLI writes this below a turn that was cut: its own words, and no answer. */
const isOwnRemark = ({ message }: RecordLine): boolean => message?.model === '<synthetic>' && contentOf(message.content).output === 'No response requested.';

/**
 * Which block of its message a line is: 2.1.325 says so. Older lines do not, and no line knows those before it: there the id of the line stands for it,
 * under which it was printed too.
 */
function placed(line: RecordLine, one: Observation): Observation {
  if (one.type !== 'assistant.text' && one.type !== 'assistant.thinking' && one.type !== 'tool.started') return one;
  const { apiBlockIndex } = line.fields;
  const isNumbered = typeof apiBlockIndex === 'number' && Number.isSafeInteger(apiBlockIndex) && apiBlockIndex >= 0;
  const index = (isNumbered ? apiBlockIndex : 0) + (one.index ?? 0);
  if (one.type === 'tool.started') return { ...one, index };
  if (isNumbered || line.uuid === undefined) return { ...one, index, itemId: itemOf(`${one.messageId}:${index}`) };
  return { ...one, itemId: itemOf(index === 0 ? line.uuid : `${line.uuid}:${index}`) };
}

function userLine(entry: Entry, line: RecordLine, inside: string | undefined): Told {
  const isResult = answersOf(entry).length > 0;
  const details = isResult ? line.fields.toolUseResult : undefined;
  if (isResult || line.isCompactSummary) return USER_LINES.user?.read(ANEW, { ...printed(line, inside), tool_use_result: details })?.observations;
  return line.isMeta ? [] : saidByUser(line, line.message?.content, inside);
}

/** A message that was folded into a running turn; every other attachment is the CLI's own. */
function attachmentLine(line: RecordLine, inside: string | undefined): Told {
  const { attachment } = line.fields;
  if (!isObject(attachment) || attachment.type !== 'queued_command') return [];
  const { prompt, source_uuid, commandMode } = attachment;
  const origin = commandMode === 'task-notification' ? { kind: commandMode } : line.fields.origin;
  return saidByUser({ ...line, uuid: textIn(source_uuid) ?? line.uuid, fields: { origin } }, prompt, inside);
}

function systemLine(line: RecordLine): Told {
  const subtype = line.subtype ?? '';
  if (SILENT_SYSTEM.has(subtype)) return [];
  if (subtype === 'local_command') return saidByUser(line, line.fields.content);
  const { compactMetadata } = line.fields;
  if (subtype !== 'compact_boundary' || !isObject(compactMetadata)) return undefined;
  const { trigger, preTokens, postTokens } = compactMetadata;
  const compact_metadata = { trigger, pre_tokens: preTokens, post_tokens: postTokens };
  return SYSTEM_LINES['system/compact_boundary']?.read(ANEW, { uuid: line.uuid, timestamp: line.timestamp, compact_metadata })?.observations;
}
