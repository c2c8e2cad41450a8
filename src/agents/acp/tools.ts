import * as z from 'zod/mini';
import type { FileChange } from '../../protocol/event.ts';
import type { Observation } from '../../protocol/observation.ts';
import { andThen, emit, emitNothing, ownProperty, remember, withoutKey } from '../formats/fold.ts';
import { itemOf } from '../formats/item-id.ts';
import { isObject } from '../formats/shape.ts';
import { changeOf } from './file-change.ts';
import { isCommandInTitle } from './known-agents.ts';
import type { OpenTool, State, Step } from './state.ts';
import { textEnded } from './text-blocks.ts';
import { completionOf } from './tool-result.ts';
import type { ToolCall } from './wire.ts';
import { Diff } from './wire.ts';

/** What is kept of an open call until its result: the state is stored with every event. */
/** The state is stored with events, and a running command causes none: so this may be long. */
const PRINTED_CHARS = 100_000;
const PATCH_CHARS = 3000;
const INPUT_CHARS = 3000;
const TITLE_CHARS = 300;
const LEFT_OUT = '[The start of this output was too long to keep; it is in the raw lines]\n';
/** Far more than agents run at once. */
const OPEN_TOOLS = 20;

/** A tool call or an update: each line has only what changed. */
export function observeTool(state: State, call: ToolCall): Step {
  const known = ownProperty(state.tools, call.toolCallId);
  if (state.doneTools.includes(call.toolCallId)) return emitNothing(state);
  const tool = grown(known, call, state.cwd);
  // What was said before a call ends is not continued after it (Copilot 1.0.102 says something on both sides, without message ids).
  const before = known === undefined ? andThen(textEnded(state), startPending) : isOver(call) ? textEnded(state) : emitNothing(state);
  return andThen(before, (now) => {
    const noted = noteTool(now, call.toolCallId, tool);
    if (isOver(call)) return andThen(startTool(noted, call.toolCallId, call), (after) => completeTool(after, call));
    return call.status === 'in_progress' || isLongInput(tool) ? startTool(noted, call.toolCallId, call) : emitNothing(noted);
  });
}

/** Too long to keep until the agent continues, so it is shown immediately. */
const isLongInput = ({ input }: OpenTool): boolean => JSON.stringify(input).length > INPUT_CHARS;

const isOver = ({ status }: ToolCall): boolean => status === 'completed' || status === 'failed';

/** Before the request for permission, the call is shown in its final form. */
export function askedAbout(state: State, call: ToolCall): Step {
  const tool = grown(ownProperty(state.tools, call.toolCallId), call, state.cwd);
  return andThen(textEnded(state), (now) => startTool(noteTool(now, call.toolCallId, tool), call.toolCallId, call));
}

/** A call is shown once its arguments are complete: when it runs or, for some agents, when something else follows. */
export function startPending(state: State): Step {
  const pending = Object.entries(state.tools).filter(([, tool]) => !tool.isStarted);
  return pending.reduce<Step>((step, [id]) => andThen(step, (now) => startTool(now, id)), emitNothing(state));
}

export function toolOf(state: State, id: string): OpenTool | undefined {
  return ownProperty(state.tools, id);
}

function grown(known: OpenTool | undefined, call: ToolCall, cwd: string): OpenTool {
  const input = isObject(call.rawInput) && Object.keys(call.rawInput).length > 0 ? call.rawInput : undefined;
  const diff = diffOf(call);
  const paths = [...(call.locations ?? []).map(({ path }) => path), ...(diff === undefined ? [] : [changeOf(diff, cwd).path])];
  const printed = `${known?.printed ?? ''}${call._meta?.terminal_output?.data ?? call._meta?.terminal_output_delta?.data ?? ''}`;
  return {
    isStarted: known?.isStarted ?? false,
    name: call.name ?? known?.name ?? '',
    title: call.title ?? known?.title ?? '',
    kind: call.kind ?? known?.kind ?? 'other',
    input: input ?? known?.input ?? {},
    paths: paths.length > 0 ? [...new Set(paths)].slice(0, 20) : (known?.paths ?? []),
    printed: printed.length > PRINTED_CHARS ? `${LEFT_OUT}${printed.slice(-PRINTED_CHARS)}` : printed,
    change: (diff && changeOf(diff, cwd)) ?? known?.change ?? null,
  };
}

export const diffOf = (call: ToolCall): Diff | undefined => call.content?.flatMap((part) => asDiff(part))[0];

function asDiff(part: unknown): readonly Diff[] {
  const parsed = z.safeParse(Diff, part);
  return parsed.success ? [parsed.data] : [];
}

/** Long arguments are not stored: readers that need them find them in the call's own line. */
function noteTool(state: State, id: string, tool: OpenTool): State {
  const turn = state.turn && { ...state.turn, hasSpoken: true };
  const others = Object.entries(withoutKey(state.tools, id)).slice(-OPEN_TOOLS);
  return { ...state, turn, tools: { ...Object.fromEntries(others), [id]: slim(tool) } };
}

const slim = (tool: OpenTool): OpenTool => ({
  ...tool,
  title: tool.title.slice(0, TITLE_CHARS),
  input: isLongInput(tool) ? {} : tool.input,
  change: isLong(tool.change) ? null : tool.change,
});

const isLong = (change: FileChange | null): boolean => (change?.patch.length ?? 0) > PATCH_CHARS;

function startTool(state: State, id: string, call?: ToolCall): Step {
  const tool = ownProperty(state.tools, id);
  if (tool === undefined || tool.isStarted) return emitNothing(state);
  const started: Observation = {
    type: 'tool.started',
    itemId: itemOf(id),
    toolUseId: id,
    name: nameOf(tool),
    input: inputOf(tool, call, isCommandInTitle(state)),
  };
  return emit({ ...state, tools: { ...state.tools, [id]: { ...tool, isStarted: true } } }, started);
}

/** Titles change while a call runs, and some contain the entire command; the kind is one of a few words. */
export const nameOf = ({ name, kind }: OpenTool): string => name || kind;

/** The call's arguments, from its own line when they are long. Some agents send none, only a title for people. */
export function inputOf(tool: OpenTool, call?: ToolCall, isCommandInTitle = false): Record<string, unknown> {
  const whole = isObject(call?.rawInput) ? call.rawInput : tool.input;
  if (Object.keys(whole).length > 0) return { ...whole };
  const title = call?.title ?? tool.title;
  return tool.kind === 'execute' && isCommandInTitle && isWholeCommand(title) ? { command: title } : { title: tool.title };
}

/** A rule must not judge part of a command: long titles are cut, by us or by the agent. */
const isWholeCommand = (title: string): boolean => title !== '' && title.length < TITLE_CHARS && !/[\n\r]|(?:…|\.\.\.)$/.test(title);

function completeTool(state: State, call: ToolCall): Step {
  const tool = ownProperty(state.tools, call.toolCallId);
  if (tool === undefined) return emitNothing(state);
  const asks = Object.fromEntries(Object.entries(state.asks).filter(([, ask]) => ask.toolUseId !== call.toolCallId));
  const diff = diffOf(call);
  const change = diff === undefined ? tool.change : changeOf(diff, state.cwd);
  const over: State = { ...state, asks, tools: withoutKey(state.tools, call.toolCallId), doneTools: doneWith(state, [call.toolCallId]) };
  return emit(over, completionOf(call, tool, change));
}

const DONE_TOOLS = 40;
export const doneWith = ({ doneTools }: State, ids: readonly string[]): readonly string[] => remember(doneTools, ids, DONE_TOOLS);
