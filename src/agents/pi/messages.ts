import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Reader } from '../formats/fold.ts';
import { emit, emitNothing, readerFor } from '../formats/fold.ts';
import { itemOf } from '../formats/item-id.ts';
import { droppedOf } from '../formats/open-blocks.ts';
import { blocksOf } from '../formats/pi-format/blocks.ts';
import { contentOf, stampOf } from '../formats/pi-format/content.ts';
import type { PiAssistantMessage, PiUserMessage } from '../formats/pi-format/message.ts';
import { isAssistantMessage, isToolResult, isUserMessage } from '../formats/pi-format/message.ts';
import { answered, toolNoted } from './answer-totals.ts';
import type { State, Step } from './state.ts';
import { toolCompleted } from './tool-result.ts';
import { MessageLine } from './wire.ts';

export const MESSAGE_LINES: Readonly<Record<string, Reader<State>>> = {
  message_start: readerFor(MessageLine, messageStarted),
  // The final message; the stream was only a preview.
  message_end: readerFor(MessageLine, messageEnded),
};

/** Messages that other lines report, or that are only for the model; one of any other role must not get lost. */
const SILENT: ReadonlySet<unknown> = new Set(['bashExecution', 'custom', 'hookMessage', 'branchSummary', 'compactionSummary', 'system']);

function messageStarted(state: State, { message }: z.infer<typeof MessageLine>): Step | undefined {
  if (isUserMessage(message)) return userMessageStarted(state, message);
  // A result is read at its end.
  if (!isAssistantMessage(message)) return message.role === 'toolResult' || SILENT.has(message.role) ? emitNothing(state) : undefined;
  return { ...emitNothing({ ...state, message: { id: freshId(state, message), open: [] } }), observations: dropped(state) };
}

/** Pi's messages have no id, so we use their time in milliseconds, which is in the session file too; a second message in the same millisecond gets a dot. */
function freshId({ lastMessageId }: State, { timestamp }: PiAssistantMessage): string {
  const id = `m${timestamp ?? 0}`;
  return lastMessageId.startsWith(id) ? `${lastMessageId}.` : id;
}

/** Pi echoes inputs in the order it takes them, but without an id: it is the oldest accepted input. */
function userMessageStarted(state: State, message: PiUserMessage): Step {
  const [inputId, ...inputs] = state.inputs;
  if (inputId !== undefined) return emit({ ...state, inputs }, { type: 'input.taken', inputId });
  const { text, images } = contentOf(message.content);
  return emit(state, {
    type: 'user.message',
    ...(message.timestamp === undefined ? {} : { itemId: itemOf(`u${message.timestamp}`) }),
    text,
    origin: 'agent',
    ...(images.length > 0 ? { rawImages: images } : {}),
    ...stampOf(message.timestamp),
  });
}

function messageEnded(state: State, { message }: z.infer<typeof MessageLine>): Step | undefined {
  if (isAssistantMessage(message)) return assistantMessageEnded(state, message);
  if (isToolResult(message)) return toolCompleted(state, message);
  // A person's message was read at its start.
  return message.role === 'user' || SILENT.has(message.role) ? emitNothing(state) : undefined;
}

function assistantMessageEnded(state: State, message: PiAssistantMessage): Step {
  const id = state.message?.id ?? freshId(state, message);
  const observed = blocksOf(message, { id });
  const kept = new Set(observed.map((observation) => ('itemId' in observation ? observation.itemId : undefined)));
  const next = observed.reduce(toolNoted, answered({ ...state, message: null, lastMessageId: id }, message));
  return emit(next, ...observed, ...dropped(state, kept));
}

/** What was shown of blocks that never became items. */
export const dropped = ({ message }: State, kept: ReadonlySet<string | undefined> = new Set()): readonly Observation[] =>
  droppedOf((message?.open ?? []).filter(({ itemId }) => !kept.has(itemId)));
