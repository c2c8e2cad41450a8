import { isAbsolute, join } from 'node:path';
import type { FileChange } from '../../protocol/event.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import { itemOf } from './item-id.ts';
import { blocksOf, modelOf } from './pi-blocks.ts';
import { contentOf, stampOf } from './pi-content.ts';
import { isMessageEntry, type PiEntry } from './pi-entry.ts';
import {
  isAssistantMessage,
  isBashExecution,
  isInserted,
  isToolResult,
  isUserMessage,
  type PiAssistantMessage,
  type PiBashExecution,
  type PiInserted,
  type PiToolResult,
  type PiUserMessage,
} from './pi-message.ts';
import { resultTold } from './pi-result.ts';
import { contextAfter, spentOf } from './pi-spent.ts';
import { NOTHING, type PiDialect, type Told, whereOf } from './pi-told.ts';

/** What a message of the conversation tells. */
export function messageTold(dialect: PiDialect, entry: PiEntry, cwd: string | undefined): Told | undefined {
  if (!isMessageEntry(entry.fields)) return undefined;
  const { message } = entry.fields;
  switch (message.role) {
    case 'user':
      return isUserMessage(message) ? userTold(dialect, entry, message) : undefined;
    case 'assistant':
      return isAssistantMessage(message) ? assistantTold(dialect, entry, message) : undefined;
    case 'toolResult':
      return isToolResult(message) ? toolTold(dialect, entry, message, cwd) : undefined;
    case 'bashExecution':
      return isBashExecution(message) ? shellTold(dialect, entry, message) : undefined;
    case 'custom':
    case 'hookMessage':
    case 'branchSummary':
    case 'compactionSummary':
      return isInserted(message) ? insertedTold(entry, message) : undefined;
    // The prompt of the agent itself.
    case 'system':
      return NOTHING;
    default:
      return undefined;
  }
}

const lineOf = ({ id }: PiEntry) => (id === undefined ? {} : { uuid: id });

const TITLE_CHARS = 200;

function userTold(dialect: PiDialect, entry: PiEntry, message: PiUserMessage): Told {
  const { text, images } = contentOf(message.content);
  if (text === '' && images.length === 0) return NOTHING;
  const said: KeptObservation = {
    type: 'user.message',
    itemId: itemOf(dialect.userItem(entry, message)),
    ...lineOf(entry),
    text,
    origin: 'elsewhere',
    ...(images.length > 0 ? { rawImages: images } : {}),
    ...stampOf(message.timestamp),
  };
  return { observations: [said], ...(text === '' ? {} : { facts: { title: text.slice(0, TITLE_CHARS) } }) };
}

function assistantTold(dialect: PiDialect, entry: PiEntry, written: PiAssistantMessage): Told {
  const message = dialect.asPi(written);
  const id = dialect.messageId(entry, message);
  const model = modelOf(message);
  const at = entry.timestamp;
  // Also told apart from an answer that began at the same time in another conversation; a copy keeps both times.
  const spent = spentOf(message.usage, { messageId: `${id}@${at ?? ''}`, ...model, ...(at && { at }) });
  const [told, failed] = [blocksOf(message, { id, ...lineOf(entry) }), failureTold(entry, message, id)];
  return {
    observations: [...told, ...failed],
    facts: model,
    // A living process tells a failure with the turn, or with what it does about it.
    ...(told.length === 0 && failed.length > 0 && { unprinted: true }),
    ...(spent && { spent: { ...spent, ...contextAfter(message.usage) } }),
  };
}

/** The model gave no answer: its service's words stand in the place of one. */
function failureTold(entry: PiEntry, { stopReason, errorMessage, content, timestamp }: PiAssistantMessage, id: string): readonly KeptObservation[] {
  if (stopReason !== 'error') return [];
  const text = errorMessage || 'The model gave no answer.';
  const where = { itemId: itemOf(`${id}:error`), messageId: id, index: content.length, ...lineOf(entry), ...stampOf(timestamp) };
  return [{ type: 'assistant.text', ...where, text, error: /^\d{3}\b/.exec(text)?.[0] ?? 'error' }];
}

function toolTold(dialect: PiDialect, entry: PiEntry, result: PiToolResult, cwd: string | undefined): Told {
  const change = result.isError ? undefined : dialect.changeOf(result);
  return { observations: [resultTold(result, { ...(change && { change: inFolder(change, cwd) }), ...lineOf(entry) })] };
}

/** Models name files as they like; rules and people want to know which. */
const inFolder = (change: FileChange, cwd: string | undefined): FileChange =>
  cwd === undefined || isAbsolute(change.path) ? change : { ...change, path: join(cwd, change.path) };

/** A person's own shell line is shown as a call with its result. */
function shellTold(dialect: PiDialect, entry: PiEntry, { command, output, exitCode, cancelled, timestamp }: PiBashExecution): Told {
  const call = `shell:${timestamp ?? entry.id ?? ''}`;
  const line = { ...lineOf(entry), ...stampOf(timestamp) };
  return {
    // A living process tells it under the id of the input by which it was asked for.
    unprinted: true,
    observations: [
      { type: 'tool.started', itemId: itemOf(call), messageId: call, index: 0, toolUseId: call, name: dialect.shell, input: { command }, ...line },
      {
        type: 'tool.completed',
        itemId: itemOf(`${call}:result`),
        parentItemId: itemOf(call),
        toolUseId: call,
        output,
        isError: cancelled === true || (exitCode ?? 0) !== 0,
        ...line,
      },
    ],
  };
}

function insertedTold(entry: PiEntry, { content, summary, display }: PiInserted): Told {
  const text = summary ?? contentOf(content).text;
  return display === false || text === '' ? NOTHING : { unprinted: true, observations: [{ type: 'user.message', ...whereOf(entry), text, origin: 'agent' }] };
}
