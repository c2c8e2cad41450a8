import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { itemOf } from '../formats/item-id.ts';
import { blocksOf } from '../formats/pi-blocks.ts';
import { contentOf, stampOf } from '../formats/pi-content.ts';
import type { PiAssistantMessage, PiUserMessage } from '../formats/pi-message.ts';
import { isAssistantMessage, isToolResult, isUserMessage } from '../formats/pi-message.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import type { State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import { answered, toolNoted } from './tally.ts';
import { toolCompleted } from './tool-result.ts';
import { MessageLine } from './wire.ts';

export const MESSAGE_LINES: Readonly<Record<string, LineKind>> = {
  message_start: line(MessageLine, messageStarted),
  // The truth about a message: what was streamed of it is only a foretaste.
  message_end: line(MessageLine, messageEnded),
};

function messageStarted(state: State, { message }: z.infer<typeof MessageLine>): Step {
  if (isUserMessage(message)) return userSpoke(state, message);
  if (!isAssistantMessage(message)) return nothing(state);
  return { ...nothing({ ...state, message: { id: freshId(state, message), open: [] } }), observations: dropped(state) };
}

/** Pi gives messages no id. Their time in milliseconds is one, and stands in its session file too; a second message of that millisecond gets a dot. */
function freshId({ lastMessageId }: State, { timestamp }: PiAssistantMessage): string {
  const id = `m${timestamp ?? 0}`;
  return lastMessageId.startsWith(id) ? `${lastMessageId}.` : id;
}

/** Pi repeats what it was given, in the order in which it takes it, but under no id: the oldest accepted input is the one. */
function userSpoke(state: State, message: PiUserMessage): Step {
  const [inputId, ...inputs] = state.inputs;
  if (inputId !== undefined) return tell({ ...state, inputs }, { type: 'input.taken', inputId });
  const { text, images } = contentOf(message.content);
  return tell(state, {
    type: 'user.message',
    ...(message.timestamp === undefined ? {} : { itemId: itemOf(`u${message.timestamp}`) }),
    text,
    origin: 'agent',
    ...(images.length > 0 ? { rawImages: images } : {}),
    ...stampOf(message.timestamp),
  });
}

function messageEnded(state: State, { message }: z.infer<typeof MessageLine>): Step {
  if (isAssistantMessage(message)) return assistantSpoke(state, message);
  return isToolResult(message) ? toolCompleted(state, message) : nothing(state);
}

function assistantSpoke(state: State, message: PiAssistantMessage): Step {
  const id = state.message?.id ?? freshId(state, message);
  const told = blocksOf(message, { id });
  const kept = new Set(told.map((observation) => ('itemId' in observation ? observation.itemId : undefined)));
  const next = told.reduce(toolNoted, answered({ ...state, message: null, lastMessageId: id }, message));
  return tell(next, ...told, ...dropped(state, kept));
}

/** What was shown of blocks that never became items. */
export const dropped = ({ message }: State, kept: ReadonlySet<string | undefined> = new Set()): readonly Observation[] =>
  (message?.open ?? []).filter(({ chars, itemId }) => chars > 0 && !kept.has(itemId)).map(({ itemId }) => ({ type: 'delta.dropped', itemId }));
