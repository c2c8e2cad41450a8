import * as z from 'zod/mini';
import type { FileChange } from '../../protocol/event.ts';
import type { Observation } from '../../protocol/observation.ts';
import { itemOf } from '../formats/item-id.ts';
import { isObject } from '../formats/shape.ts';
import { changeOf } from './diff.ts';
import { textEnded } from './speech.ts';
import type { OpenTool, State, Step } from './state.ts';
import { andThen, lookUp, nothing, remember, tell, without } from './state.ts';
import { completionOf } from './tool-result.ts';
import type { ToolCall } from './wire.ts';
import { Diff } from './wire.ts';

/** What is kept of an open call until its result: the state is stored with every event. */
const PRINTED_CHARS = 1500;
const PATCH_CHARS = 3000;
const INPUT_CHARS = 3000;
/** Far more than agents run at once. */
const OPEN_TOOLS = 20;

/** A call, or news of it: each line tells only what is new. */
export function toolTold(state: State, call: ToolCall): Step {
  const known = lookUp(state.tools, call.toolCallId);
  if (state.doneTools.includes(call.toolCallId)) return nothing(state);
  const tool = grown(known, call, state.cwd);
  const before = known === undefined ? andThen(textEnded(state), startPending) : nothing(state);
  return andThen(before, (now) => {
    const noted = noteTool(now, call.toolCallId, tool);
    if (isOver(call)) return andThen(startTool(noted, call.toolCallId, call), (after) => completeTool(after, call));
    return call.status === 'in_progress' || isLongInput(tool) ? startTool(noted, call.toolCallId, call) : nothing(noted);
  });
}

/** Too long to be kept until the agent goes on: shown at once. */
const isLongInput = ({ input }: OpenTool): boolean => JSON.stringify(input).length > INPUT_CHARS;

const isOver = ({ status }: ToolCall): boolean => status === 'completed' || status === 'failed';

/** Before an answer is asked for, the call is shown as it will be. */
export function askedAbout(state: State, call: ToolCall): Step {
  const tool = grown(lookUp(state.tools, call.toolCallId), call, state.cwd);
  return andThen(textEnded(state), (now) => startTool(noteTool(now, call.toolCallId, tool), call.toolCallId, call));
}

/** A call is shown when its arguments are whole. Most agents say that it runs; the others go on to something else. */
export function startPending(state: State): Step {
  const pending = Object.entries(state.tools).filter(([, tool]) => !tool.isStarted);
  return pending.reduce<Step>((step, [id]) => andThen(step, (now) => startTool(now, id)), nothing(state));
}

export function toolOf(state: State, id: string): OpenTool | undefined {
  return lookUp(state.tools, id);
}

function grown(known: OpenTool | undefined, call: ToolCall, cwd: string): OpenTool {
  const input = isObject(call.rawInput) && Object.keys(call.rawInput).length > 0 ? call.rawInput : undefined;
  const diff = diffOf(call);
  const paths = [...(call.locations ?? []).map(({ path }) => path), ...(diff === undefined ? [] : [changeOf(diff, cwd).path])];
  const printed = `${known?.printed ?? ''}${call._meta?.terminal_output?.data ?? ''}`;
  return {
    isStarted: known?.isStarted ?? false,
    name: call.name ?? known?.name ?? '',
    title: call.title ?? known?.title ?? '',
    kind: call.kind ?? known?.kind ?? 'other',
    input: input ?? known?.input ?? {},
    paths: paths.length > 0 ? [...new Set(paths)].slice(0, 20) : (known?.paths ?? []),
    printed: printed.slice(-PRINTED_CHARS),
    change: (diff && changeOf(diff, cwd)) ?? known?.change ?? null,
  };
}

export const diffOf = (call: ToolCall): Diff | undefined => call.content?.flatMap((part) => asDiff(part))[0];

function asDiff(part: unknown): readonly Diff[] {
  const parsed = z.safeParse(Diff, part);
  return parsed.success ? [parsed.data] : [];
}

/** Where it is remembered, long arguments are left out: what needs them has them in its own line. */
function noteTool(state: State, id: string, tool: OpenTool): State {
  const turn = state.turn && { ...state.turn, hasSpoken: true };
  const others = Object.entries(without(state.tools, id)).slice(-OPEN_TOOLS);
  return { ...state, turn, tools: { ...Object.fromEntries(others), [id]: slim(tool) } };
}

const slim = (tool: OpenTool): OpenTool => ({
  ...tool,
  title: tool.title.slice(0, 300),
  input: isLongInput(tool) ? {} : tool.input,
  change: isLong(tool.change) ? null : tool.change,
});

const isLong = (change: FileChange | null): boolean => (change?.patch.length ?? 0) > PATCH_CHARS;

function startTool(state: State, id: string, call?: ToolCall): Step {
  const tool = lookUp(state.tools, id);
  if (tool === undefined || tool.isStarted) return nothing(state);
  const started: Observation = { type: 'tool.started', itemId: itemOf(id), toolUseId: id, name: nameOf(tool), input: inputOf(tool, call) };
  return tell({ ...state, tools: { ...state.tools, [id]: { ...tool, isStarted: true } } }, started);
}

/** Titles change while a call runs, and some are the whole command; the kind is one of few words. */
export const nameOf = ({ name, kind }: OpenTool): string => name || kind;

/** Its arguments, from its own line where they are long. Some agents tell none, only a line for people. */
export function inputOf(tool: OpenTool, call?: ToolCall): Record<string, unknown> {
  const whole = isObject(call?.rawInput) ? call.rawInput : tool.input;
  return Object.keys(whole).length > 0 ? { ...whole } : { title: tool.title };
}

function completeTool(state: State, call: ToolCall): Step {
  const tool = lookUp(state.tools, call.toolCallId);
  if (tool === undefined) return nothing(state);
  const asks = Object.fromEntries(Object.entries(state.asks).filter(([, ask]) => ask.toolUseId !== call.toolCallId));
  const diff = diffOf(call);
  const change = diff === undefined ? tool.change : changeOf(diff, state.cwd);
  const over: State = { ...state, asks, tools: without(state.tools, call.toolCallId), doneTools: remember(state.doneTools, call.toolCallId) };
  return tell(over, completionOf(call, tool, change));
}
