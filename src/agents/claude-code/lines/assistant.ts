import type { Observation } from '../../../protocol/observation.ts';
import type { State, Step, Thread } from '../state.ts';
import { tell } from '../state.ts';
import { type Block, isToolResult, isToolUse, type ToolUse, textOf, thinkingOf } from './blocks.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import { place, threadOf, turnTo, withThread } from './thread.ts';
import { toolCompleted } from './tool-result.ts';
import { unrecognised } from './unrecognised.ts';
import { tokensOf } from './usage.ts';
import type { Assistant, Envelope } from './wire.ts';
import { Assistant as AssistantLine, itemOf, jsonOf, stamp } from './wire.ts';

export const ASSISTANT_LINES: Readonly<Record<string, LineKind>> = {
  assistant: line(
    AssistantLine,
    'one line a block: `assistant.text`, `assistant.thinking`, `tool.started`, for tools of the API itself also `tool.completed`; `delta.dropped` when the CLI started over',
    blocksFinished,
  ),
};

/** The model name on what the CLI wrote itself (an error, the answer to a slash command). */
export const SYNTHETIC = '<synthetic>';

function blocksFinished(state: State, spoken: Assistant): Step {
  const turned = turnTo(threadOf(state, spoken.parent_tool_use_id), spoken.message.id);
  const observations: Observation[] = [...turned.dropped];
  const aborted = spoken.aborted || (state.isInterrupting && !spoken.parent_tool_use_id);
  let thread = turned.thread;
  for (const block of spoken.message.content) {
    if (isPlaceholder(spoken, block)) continue;
    const placed = placeOf(thread, block);
    thread = placed.thread;
    observations.push(observeBlock({ ...spoken, aborted }, block, placed.index));
  }
  return tell(withThread(measured(state, spoken), spoken.parent_tool_use_id, thread), ...observations);
}

/** What the CLI writes for a slash command that has nothing to say (2.1.197, `/clear`). */
export const isPlaceholder = ({ message }: Spoken, block: Block): boolean => message.model === SYNTHETIC && block.text === '(no content)';

function measured(state: State, { message, parent_tool_use_id }: Assistant): State {
  if (parent_tool_use_id || message.model === SYNTHETIC || !message.usage) return state;
  return { ...state, contextTokens: tokensOf(message.usage) };
}

function placeOf(thread: Thread, block: Block): { readonly thread: Thread; readonly index: number } {
  const text = textOf(block);
  if (text !== undefined) return place(thread, 'text', text.length);
  const thinking = thinkingOf(block);
  if (thinking !== undefined) return place(thread, 'thinking', thinking.length);
  return isToolUse(block) ? place(thread, 'tool_input', 0, block.id) : { thread, index: thread.next };
}

/** What an assistant line says of the message that it is a part of. */
export interface Spoken extends Envelope {
  readonly parent_tool_use_id?: string | null | undefined;
  readonly message: { readonly id: string; readonly model?: string | undefined };
  readonly error?: string | undefined;
  readonly aborted?: boolean | undefined;
}

/** What a finished block tells, when it is known which of its message it is. */
export function observeBlock(spoken: Spoken, block: Block, index: number): Observation {
  const text = textOf(block);
  if (text !== undefined) return textFinished(spoken, index, text);
  const thinking = thinkingOf(block);
  if (thinking !== undefined) return { type: 'assistant.thinking', ...identity(spoken, index), text: thinking };
  if (isToolUse(block)) return toolStarted(spoken, index, block);
  if (isToolResult(block)) return toolCompleted(spoken, block, undefined);
  return unrecognised(jsonOf(block), `a block of type ${block.type} in an assistant message`);
}

function textFinished(spoken: Spoken, index: number, text: string): Observation {
  const { model } = spoken.message;
  return {
    type: 'assistant.text',
    ...identity(spoken, index),
    text,
    ...(model && model !== SYNTHETIC ? { model } : {}),
    ...(spoken.error ? { error: spoken.error } : {}),
    ...(spoken.aborted ? { interrupted: true } : {}),
  };
}

function toolStarted(spoken: Spoken, index: number, { id, name, input }: ToolUse): Observation {
  return { type: 'tool.started', ...identity(spoken, index), itemId: itemOf(id), toolUseId: id, name, input };
}

const identity = (spoken: Spoken, index: number) => ({
  itemId: itemOf(`${spoken.message.id}:${index}`),
  messageId: spoken.message.id,
  index,
  ...parentOf(spoken.parent_tool_use_id),
  ...stamp(spoken),
});

/** What a subagent says hangs below the tool call that started it. */
export const parentOf = (parent: string | null | undefined) => (parent ? { parentItemId: itemOf(parent), parentToolUseId: parent } : {});
