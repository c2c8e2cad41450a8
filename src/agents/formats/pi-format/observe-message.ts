import { isAbsolute, join } from 'node:path';
import type { FileChange } from '../../../protocol/event.ts';
import type { KeptObservation } from '../../../protocol/observation.ts';
import { itemOf, resultOf } from '../item-id.ts';
import { blocksOf, modelOf } from './blocks.ts';
import { contentOf, stampOf } from './content.ts';
import { isMessageEntry, type PiEntry } from './entry.ts';
import { type LineResult, NOTHING, type PiDialect, whereOf } from './line-result.ts';
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
} from './message.ts';
import { observeResult } from './tool-result.ts';
import { contextAfter, spentOf } from './usage.ts';

/** Observations from a message of the conversation. */
export function observeMessage(dialect: PiDialect, entry: PiEntry, cwd: string | undefined): LineResult | undefined {
  if (!isMessageEntry(entry.fields)) return undefined;
  const { message } = entry.fields;
  switch (message.role) {
    case 'user':
      return isUserMessage(message) ? observeUser(dialect, entry, message) : undefined;
    case 'assistant':
      return isAssistantMessage(message) ? observeAssistant(dialect, entry, message) : undefined;
    case 'toolResult':
      return isToolResult(message) ? observeTool(dialect, entry, message, cwd) : undefined;
    case 'bashExecution':
      return isBashExecution(message) ? observeShell(dialect, entry, message) : undefined;
    case 'custom':
    case 'hookMessage':
    case 'branchSummary':
    case 'compactionSummary':
      return isInserted(message) ? observeInserted(entry, message) : undefined;
    // The agent's own system prompt.
    case 'system':
      return NOTHING;
    default:
      return undefined;
  }
}

const lineOf = ({ id }: PiEntry) => (id === undefined ? {} : { uuid: id });

const TITLE_CHARS = 200;

function observeUser(dialect: PiDialect, entry: PiEntry, message: PiUserMessage): LineResult {
  const { text, images } = contentOf(message.content);
  if (text === '' && images.length === 0) return NOTHING;
  const observation: KeptObservation = {
    type: 'user.message',
    itemId: itemOf(dialect.userItem(entry, message)),
    ...lineOf(entry),
    text,
    origin: 'elsewhere',
    ...(images.length > 0 ? { rawImages: images } : {}),
    ...stampOf(message.timestamp),
  };
  return { observations: [observation], ...(text === '' ? {} : { facts: { title: text.slice(0, TITLE_CHARS) } }) };
}

function observeAssistant(dialect: PiDialect, entry: PiEntry, written: PiAssistantMessage): LineResult {
  const message = dialect.asPi(written);
  const id = dialect.messageId(entry, message);
  const model = modelOf(message);
  const at = entry.timestamp;
  // The entry's time distinguishes answers that started in the same millisecond in two conversations; a copy keeps both times.
  const spent = spentOf(message.usage, { messageId: `${id}@${at ?? ''}`, ...model, ...(at && { at }) });
  const [observed, failed] = [blocksOf(message, { id, ...lineOf(entry) }), observeFailure(entry, message, id)];
  return {
    observations: [...observed, ...failed],
    facts: model,
    // A running process reports a failure with the turn, or with its retry.
    ...(observed.length === 0 && failed.length > 0 && { unprinted: true }),
    ...(spent && { spent: { ...spent, ...contextAfter(message.usage) } }),
  };
}

/** The model did not answer: show the service's error message instead. */
function observeFailure(entry: PiEntry, { stopReason, errorMessage, content, timestamp }: PiAssistantMessage, id: string): readonly KeptObservation[] {
  if (stopReason !== 'error') return [];
  const text = errorMessage || 'The model gave no answer.';
  const where = { itemId: itemOf(`${id}:error`), messageId: id, index: content.length, ...lineOf(entry), ...stampOf(timestamp) };
  return [{ type: 'assistant.text', ...where, text, error: /^\d{3}\b/.exec(text)?.[0] ?? 'error' }];
}

function observeTool(dialect: PiDialect, entry: PiEntry, result: PiToolResult, cwd: string | undefined): LineResult {
  const change = result.isError ? undefined : dialect.changeOf(result);
  return { observations: [observeResult(result, { ...(change && { change: inFolder(change, cwd) }), ...lineOf(entry) })] };
}

/** Models use relative paths; rules and people need absolute ones. */
const inFolder = (change: FileChange, cwd: string | undefined): FileChange =>
  cwd === undefined || isAbsolute(change.path) ? change : { ...change, path: join(cwd, change.path) };

/** A person's own shell command is shown as a call with its result. */
function observeShell(dialect: PiDialect, entry: PiEntry, { command, output, exitCode, cancelled, timestamp }: PiBashExecution): LineResult {
  const call = `shell:${timestamp ?? entry.id ?? ''}`;
  const line = { ...lineOf(entry), ...stampOf(timestamp) };
  return {
    // A running process reports it with the id of the input that asked for it.
    unprinted: true,
    observations: [
      { type: 'tool.started', itemId: itemOf(call), messageId: call, index: 0, toolUseId: call, name: dialect.shell, input: { command }, ...line },
      {
        type: 'tool.completed',
        ...resultOf(call),
        output,
        isError: cancelled === true || (exitCode ?? 0) !== 0,
        ...line,
      },
    ],
  };
}

function observeInserted(entry: PiEntry, { content, summary, display }: PiInserted): LineResult {
  const text = summary ?? contentOf(content).text;
  return display === false || text === '' ? NOTHING : { unprinted: true, observations: [{ type: 'user.message', ...whereOf(entry), text, origin: 'agent' }] };
}
