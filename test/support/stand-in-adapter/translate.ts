import type { Translation } from '../../../src/agents/port/adapter.ts';
import { ItemId } from '../../../src/protocol/ids.ts';
import type { Observation } from '../../../src/protocol/observation.ts';
import { isDelta, OURS, StandInLine } from './wire.ts';

/** The input of the running turn, and how much of its text was streamed. */
export interface StandInState {
  readonly inputId: string | null;
  readonly chars: number;
}

export const initial = (): StandInState => ({ inputId: null, chars: 0 });

export function translate(state: StandInState, line: string): Translation<StandInState> {
  const raw = json(line);
  if (isDelta(raw)) return streamed(state, raw.text);
  const parsed = StandInLine.safeParse(raw);
  if (parsed.success) return { state: next(state, parsed.data), observations: observe(state, parsed.data), replies: [] };
  return { state, observations: [{ type: 'unrecognised', raw: line, reason: 'not a line that the stand-in prints' }], replies: [] };
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function streamed(state: StandInState, text: string): Translation<StandInState> {
  const itemId = textOf(state);
  const delta = { type: 'delta', itemId, messageId: itemId, index: 0, kind: 'text', text, offset: state.chars } as const;
  return { state: { ...state, chars: state.chars + text.length }, observations: [delta], replies: [] };
}

function next(state: StandInState, line: StandInLine): StandInState {
  return line.t === 'ack' && !line.id.startsWith(OURS) ? { inputId: line.id, chars: 0 } : state;
}

function observe(state: StandInState, line: StandInLine): readonly Observation[] {
  switch (line.t) {
    case 'ready':
      return [...(line.session === undefined ? [] : [started(line.session)]), { type: 'agent.ready' }];
    case 'ack':
      return line.id.startsWith(OURS) ? [{ type: 'reply', to: line.id, ok: true }] : [{ type: 'turn.began', cause: 'input' }, taken(line.id)];
    case 'tool':
      return [{ type: 'tool.started', ...item(toolOf(state, line.i)), toolUseId: toolOf(state, line.i), name: 'Sleep', input: {} }];
    case 'tool-done':
      return [toolDone(toolOf(state, line.i), line.stopped)];
    case 'ask':
      return [{ type: 'permission.asked', agentRequestId: line.request, tool: 'Ask', input: { request: line.request }, title: 'May I go on?', kind: 'tool' }];
    case 'answered':
      return [textItem(`${state.inputId}:${line.request}`, line.allow ? 'I may go on.' : 'I may not.')];
    case 'withdrawn':
      return [{ type: 'permission.withdrawn', agentRequestId: line.request, reason: 'the turn was stopped' }];
    case 'done':
      return [...(state.chars > 0 ? [textItem(textOf(state), 'x'.repeat(state.chars))] : []), ended(line)];
    case 'half':
      return [{ type: 'notice.shown', level: 'info', text: 'A line that came in two halves.' }];
    case 'eof':
      return [];
  }
}

const taken = (inputId: string): Observation => ({ type: 'input.taken', inputId });
const textOf = (state: StandInState): string => `${state.inputId}:text`;
const toolOf = (state: StandInState, index: number): string => `${state.inputId}:tool:${index}`;
const item = (id: string) => ({ itemId: ItemId.parse(id) });
const textItem = (id: string, text: string): Observation => ({ type: 'assistant.text', ...item(id), messageId: id, index: 0, text });

const started = (agentSessionId: string): Observation => ({
  type: 'session.started',
  agentSessionId,
  model: 'none',
  tools: ['Sleep', 'Ask'],
  commands: [],
  mcpServers: [],
  version: '1.0.0',
  cwd: '',
});

const toolDone = (toolUseId: string, isError: boolean): Observation => ({
  type: 'tool.completed',
  ...item(`${toolUseId}:result`),
  parentItemId: ItemId.parse(toolUseId),
  toolUseId,
  output: isError ? 'stopped' : 'slept',
  isError,
});

const ended = (line: Extract<StandInLine, { t: 'done' }>): Observation => ({
  type: 'turn.ended',
  stopReason: line.stopped ? 'interrupted' : 'end_turn',
  isError: false,
  aborted: line.stopped ?? false,
  denials: 0,
  result: `${line.deltas} pieces, ${line.dropped} dropped.`,
});
