import type { Observation } from '../../../protocol/observation.ts';
import { emit } from '../../formats/fold.ts';
import { unrecognized } from '../../formats/unrecognized.ts';
import { type Block, isToolResult, isToolUse, type ToolUse, textOf, thinkingOf } from './blocks.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import { switchToMessage, takeBlockIndex, threadOf, withThread } from './message-thread.ts';
import type { State, Step, Thread } from './state.ts';
import { intendedBy } from './tool-change.ts';
import { toolCompleted } from './tool-result.ts';
import { tokensOf } from './usage.ts';
import type { Assistant, Envelope } from './wire.ts';
import { Assistant as AssistantLine, itemOf, jsonOf, stamp } from './wire.ts';

export const ASSISTANT_LINES: Readonly<Record<string, LineKind>> = {
  assistant: line(
    AssistantLine,
    "one line per block: `assistant.text`, `assistant.thinking`, `tool.started`; for the API's own tools also `tool.completed`; `delta.dropped` when the CLI started over",
    blocksFinished,
  ),
};

/** The model name on text from the CLI itself (an error, the answer to a slash command). */
export const SYNTHETIC = '<synthetic>';

function blocksFinished(state: State, source: Assistant): Step {
  const turned = switchToMessage(threadOf(state, source.parent_tool_use_id), source.message.id);
  const observations: Observation[] = [...turned.dropped];
  const aborted = source.aborted || (state.isInterrupting && !source.parent_tool_use_id);
  let thread = turned.thread;
  for (const block of source.message.content) {
    if (isPlaceholder(source, block)) continue;
    const placed = placeOf(thread, block);
    thread = placed.thread;
    observations.push(observeBlock({ ...source, aborted }, block, placed.index));
  }
  return emit(withThread(measured(state, source), source.parent_tool_use_id, thread), ...observations);
}

/** What the CLI writes for a slash command without output (2.1.197, `/clear`). */
export const isPlaceholder = ({ message }: LineSource, block: Block): boolean => message.model === SYNTHETIC && block.text === '(no content)';

function measured(state: State, { message, parent_tool_use_id }: Assistant): State {
  if (parent_tool_use_id || message.model === SYNTHETIC || !message.usage) return state;
  return { ...state, contextTokens: tokensOf(message.usage) };
}

function placeOf(thread: Thread, block: Block): { readonly thread: Thread; readonly index: number } {
  const text = textOf(block);
  if (text !== undefined) return takeBlockIndex(thread, 'text', text.length);
  const thinking = thinkingOf(block);
  if (thinking !== undefined) return takeBlockIndex(thread, 'thinking', thinking.length);
  return isToolUse(block) ? takeBlockIndex(thread, 'tool_input', 0, block.id) : { thread, index: thread.next };
}

/** What an assistant line says about its message. */
export interface LineSource extends Envelope {
  readonly parent_tool_use_id?: string | null | undefined;
  readonly message: { readonly id: string; readonly model?: string | undefined };
  readonly error?: string | undefined;
  readonly aborted?: boolean | undefined;
}

/** The observation for a finished block, given its index in the message. */
export function observeBlock(source: LineSource, block: Block, index: number): Observation {
  const text = textOf(block);
  if (text !== undefined) return textFinished(source, index, text);
  const thinking = thinkingOf(block);
  if (thinking !== undefined) return { type: 'assistant.thinking', ...identity(source, index), text: thinking };
  if (isToolUse(block)) return toolStarted(source, index, block);
  if (isToolResult(block)) return toolCompleted(source, block, undefined);
  return unrecognized(jsonOf(block), `a block of type ${block.type} in an assistant message`);
}

function textFinished(source: LineSource, index: number, text: string): Observation {
  const { model } = source.message;
  return {
    type: 'assistant.text',
    ...identity(source, index),
    text,
    ...(model && model !== SYNTHETIC ? { model } : {}),
    ...(source.error ? { error: source.error } : {}),
    ...(source.aborted ? { interrupted: true } : {}),
  };
}

function toolStarted(source: LineSource, index: number, { id, name, input }: ToolUse): Observation {
  // The results of a subagent's calls come without their patches.
  const intends = source.parent_tool_use_id ? intendedBy(name, input) : undefined;
  return { type: 'tool.started', ...identity(source, index), itemId: itemOf(id), toolUseId: id, name, input, ...(intends && { intends }) };
}

const identity = (source: LineSource, index: number) => ({
  itemId: itemOf(`${source.message.id}:${index}`),
  messageId: source.message.id,
  index,
  ...parentOf(source.parent_tool_use_id),
  ...stamp(source),
});

/** A subagent's items are children of the tool call that started it. */
export const parentOf = (parent: string | null | undefined) => (parent ? { parentItemId: itemOf(parent), parentToolUseId: parent } : {});
