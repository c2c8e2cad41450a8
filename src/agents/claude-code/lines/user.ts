import type { Observation } from '../../../protocol/observation.ts';
import type { State, Step } from '../state.ts';
import { nothing, tell } from '../state.ts';
import { parentOf } from './assistant.ts';
import { type Block, isToolResult } from './blocks.ts';
import { inputTaken } from './lifecycle.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import { contentOf, toolCompleted } from './tool-result.ts';
import type { Envelope, User } from './wire.ts';
import { itemOf, stamp, User as UserLine } from './wire.ts';

export const USER_LINES: Readonly<Record<string, LineKind>> = {
  user: line(
    UserLine,
    '`tool.completed` for its tool results; `user.message` (origin agent) for a subagent\'s prompt, a summary, a reminder; nothing for "[Request interrupted by user…]", which `turn.ended` tells',
    (state, spoken) => tell(state, ...observeSpoken(spoken)),
  ),
  'user/replay': line(
    UserLine,
    '`input.taken` for the echo of an input of ours, once; `notice.shown` for the output of a slash command, but not for "Set model to …", which `model.changed` tells',
    echoed,
  ),
};

/** Results of tools, and whatever else the line says to the model. */
export function observeSpoken(spoken: Spoken): readonly Observation[] {
  const { content } = spoken.message;
  if (typeof content === 'string') return messageOf(spoken, content);
  const results = content.filter(isToolResult);
  // The structured result belongs to the line: with two results in it there is no telling whose it is.
  const details = results.length === 1 ? spoken.tool_use_result : undefined;
  const rest = results.length === content.length ? [] : content.filter((block) => !isToolResult(block));
  return [...results.map((result) => toolCompleted(spoken, result, details)), ...messageOf(spoken, contentOf(rest).output)];
}

interface Spoken extends Envelope {
  readonly parent_tool_use_id?: string | null | undefined;
  readonly message: { readonly content: string | readonly Block[] };
  readonly tool_use_result?: unknown;
}

function messageOf(spoken: Spoken, text: string): Observation[] {
  if (text === '' || isInterruptNote(text)) return [];
  return [
    {
      type: 'user.message',
      ...(spoken.uuid === undefined ? {} : { itemId: itemOf(spoken.uuid) }),
      text,
      origin: 'agent',
      ...parentOf(spoken.parent_tool_use_id),
      ...stamp(spoken),
    },
  ];
}

const isInterruptNote = (text: string): boolean => text.startsWith('[Request interrupted by user');

function echoed(state: State, spoken: User): Step {
  const text = contentOf(spoken.message.content).output;
  const output = /^<local-command-(stdout|stderr)>([\s\S]*?)<\/local-command-\1>\s*$/.exec(text);
  if (output) return tell(state, ...commandOutput(spoken, output[1] === 'stderr', output[2] ?? ''));
  return spoken.uuid === undefined ? nothing(state) : inputTaken(state, spoken.uuid, text);
}

/** The answer to our wish, or the next `init`, tells it. */
const isModelNote = (text: string): boolean => /^Set model to /.test(text);

function commandOutput(spoken: User, isError: boolean, text: string): Observation[] {
  if (text.trim() === '' || isModelNote(text)) return [];
  return [{ type: 'notice.shown', level: isError ? 'error' : 'info', text: text.trim(), ...stamp(spoken) }];
}
