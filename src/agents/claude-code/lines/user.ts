import type { Observation } from '../../../protocol/observation.ts';
import { emit, emitNothing } from '../../formats/fold.ts';
import { parentOf } from './assistant.ts';
import { type Block, isToolResult } from './blocks.ts';
import { inputTaken } from './lifecycle.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import type { State, Step } from './state.ts';
import { contentOf, toolCompleted } from './tool-result.ts';
import type { Envelope, User } from './wire.ts';
import { itemOf, stamp, User as UserLine } from './wire.ts';

export const USER_LINES: Readonly<Record<string, LineKind>> = {
  user: line(
    UserLine,
    '`tool.completed` for its tool results; `user.message` (origin agent) for a subagent\'s prompt, a summary, a reminder; nothing for "[Request interrupted by user…]", which `turn.ended` reports',
    (state, source) => emit(state, ...observeUserLine(source)),
  ),
  'user/replay': line(
    UserLine,
    '`input.taken` for the echo of one of our inputs, once; `notice.shown` for the output of a slash command, but not for "Set model to …", which `model.changed` reports',
    echoed,
  ),
};

/** Tool results, and any other text for the model. */
export function observeUserLine(source: LineSource): readonly Observation[] {
  const { content } = source.message;
  if (typeof content === 'string') return messageOf(source, content);
  const results = content.filter(isToolResult);
  // The structured result belongs to the line: with two results, it isn't clear to which.
  const details = results.length === 1 ? source.tool_use_result : undefined;
  const rest = results.length === content.length ? [] : content.filter((block) => !isToolResult(block));
  return [...results.map((result) => toolCompleted(source, result, details)), ...messageOf(source, contentOf(rest).output)];
}

interface LineSource extends Envelope {
  readonly parent_tool_use_id?: string | null | undefined;
  readonly message: { readonly content: string | readonly Block[] };
  readonly tool_use_result?: unknown;
}

function messageOf(source: LineSource, text: string): Observation[] {
  if (text === '' || isInterruptNote(text)) return [];
  return [
    {
      type: 'user.message',
      ...(source.uuid === undefined ? {} : { itemId: itemOf(source.uuid) }),
      text,
      origin: 'agent',
      ...parentOf(source.parent_tool_use_id),
      ...stamp(source),
    },
  ];
}

const isInterruptNote = (text: string): boolean => text.startsWith('[Request interrupted by user');

function echoed(state: State, source: User): Step {
  const text = contentOf(source.message.content).output;
  const output = /^<local-command-(stdout|stderr)>([\s\S]*?)<\/local-command-\1>\s*$/.exec(text);
  if (output) return emit(state, ...commandOutput(source, output[1] === 'stderr', output[2] ?? ''));
  return source.uuid === undefined ? emitNothing(state) : inputTaken(state, source.uuid, text);
}

/** The answer to our request, or the next `init`, reports it. */
const isModelNote = (text: string): boolean => /^Set model to /.test(text);

function commandOutput(source: User, isError: boolean, text: string): Observation[] {
  if (text.trim() === '' || isModelNote(text)) return [];
  return [{ type: 'notice.shown', level: isError ? 'error' : 'info', text: text.trim(), ...stamp(source) }];
}
