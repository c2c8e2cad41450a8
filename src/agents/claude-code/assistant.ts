import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import type { State, Step, Thread } from './state.ts';
import { tell } from './state.ts';
import { place, threadOf, turnTo, withThread } from './thread.ts';
import { toolCompleted } from './tool-result.ts';
import { unrecognised } from './unrecognised.ts';
import { tokensOf } from './usage.ts';
import type { Assistant } from './wire.ts';
import { Assistant as AssistantLine, itemOf, stamp, TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock } from './wire.ts';

export const ASSISTANT_LINES: Readonly<Record<string, LineKind>> = {
  assistant: line(
    AssistantLine,
    'one line a block: `assistant.text`, `assistant.thinking`, `tool.started`, for tools of the API itself also `tool.completed`; `delta.dropped` when the CLI started over',
    blocksFinished,
  ),
};

/** The model name on what the CLI wrote itself (an error, the answer to a slash command). */
const SYNTHETIC = '<synthetic>';

function blocksFinished(state: State, spoken: Assistant): Step {
  const turned = turnTo(threadOf(state, spoken.parent_tool_use_id), spoken.message.id);
  const observations: Observation[] = [...turned.dropped];
  let thread = turned.thread;
  for (const block of spoken.message.content) {
    if (isPlaceholder(spoken, block)) continue;
    const finished = blockFinished(state, spoken, thread, block);
    thread = finished.thread;
    observations.push(finished.observation);
  }
  return tell(withThread(measured(state, spoken), spoken.parent_tool_use_id, thread), ...observations);
}

/** What the CLI writes for a slash command that has nothing to say (2.1.197, `/clear`). */
const isPlaceholder = ({ message }: Assistant, block: object): boolean => message.model === SYNTHETIC && 'text' in block && block.text === '(no content)';

function measured(state: State, { message, parent_tool_use_id }: Assistant): State {
  if (parent_tool_use_id || message.model === SYNTHETIC || !message.usage) return state;
  return { ...state, contextTokens: tokensOf(message.usage) };
}

interface Finished {
  readonly thread: Thread;
  readonly observation: Observation;
}

function blockFinished(state: State, spoken: Assistant, thread: Thread, block: { readonly type: string }): Finished {
  const text = z.safeParse(TextBlock, block);
  if (text.success) return textFinished(state, spoken, thread, text.data.text);
  const thinking = z.safeParse(ThinkingBlock, block);
  if (thinking.success) return thinkingFinished(spoken, thread, thinking.data.thinking);
  // The API hides some thinking: that there was some is all one can tell.
  if (block.type === 'redacted_thinking') return thinkingFinished(spoken, thread, '');
  const tool = z.safeParse(ToolUseBlock, block);
  if (tool.success) return toolStarted(spoken, thread, tool.data);
  const outcome = z.safeParse(ToolResultBlock, block);
  if (outcome.success) return { thread, observation: toolCompleted(spoken, outcome.data, undefined) };
  return { thread, observation: unrecognised(JSON.stringify(block), `a block of type ${block.type} in an assistant message`) };
}

function textFinished(state: State, spoken: Assistant, thread: Thread, text: string): Finished {
  const placed = place(thread, 'text', text.length);
  const model = spoken.message.model;
  const isCut = spoken.aborted || (state.isInterrupting && !spoken.parent_tool_use_id);
  return {
    thread: placed.thread,
    observation: {
      type: 'assistant.text',
      ...identity(spoken, placed.index),
      text,
      ...(model && model !== SYNTHETIC ? { model } : {}),
      ...(spoken.error ? { error: spoken.error } : {}),
      ...(isCut ? { interrupted: true } : {}),
    },
  };
}

function thinkingFinished(spoken: Assistant, thread: Thread, text: string): Finished {
  const placed = place(thread, 'thinking', text.length);
  return { thread: placed.thread, observation: { type: 'assistant.thinking', ...identity(spoken, placed.index), text } };
}

function toolStarted(spoken: Assistant, thread: Thread, tool: z.infer<typeof ToolUseBlock>): Finished {
  const placed = place(thread, 'tool_input', 0, tool.id);
  return {
    thread: placed.thread,
    observation: {
      type: 'tool.started',
      ...identity(spoken, placed.index),
      itemId: itemOf(tool.id),
      toolUseId: tool.id,
      name: tool.name,
      input: tool.input,
    },
  };
}

const identity = (spoken: Assistant, index: number) => ({
  itemId: itemOf(`${spoken.message.id}:${index}`),
  messageId: spoken.message.id,
  index,
  ...parentOf(spoken.parent_tool_use_id),
  ...stamp(spoken),
});

/** What a subagent says hangs below the tool call that started it. */
export const parentOf = (parent: string | null | undefined) => (parent ? { parentItemId: itemOf(parent), parentToolUseId: parent } : {});
