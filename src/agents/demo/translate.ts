import { CommandId, ItemId } from '../../protocol/ids.ts';
import type { Observation } from '../../protocol/observation.ts';
import { Thinking } from '../../protocol/session.ts';
import { emit, translator } from '../formats/fold.ts';
import { resultOf } from '../formats/item-id.ts';
import { jsonObject } from '../formats/json-object.ts';
import { DemoLine } from './program/wire.ts';
import { subjectOf } from './subject.ts';

const UNKNOWN = 'not a line that the demo agent is known to print';

/** The demo agent's lines are complete by themselves, so there is no state. */
export type DemoState = Readonly<Record<string, never>>;

export const translate = translator<DemoState, DemoLine>({
  parse: (line) => DemoLine.safeParse(jsonObject(line)).data,
  notParsed: UNKNOWN,
  read: (state, line) => emit(state, ...observe(line)),
  reason: () => UNKNOWN,
});

function observe(line: DemoLine): readonly Observation[] {
  switch (line.type) {
    case 'ready':
      return [started(line), { type: 'agent.ready' }];
    case 'began':
      return [
        { type: 'turn.began', cause: 'input' },
        { type: 'input.taken', inputId: line.input, text: line.text },
      ];
    case 'joined':
      return [{ type: 'input.taken', inputId: line.input, text: line.text }];
    case 'dropped':
      return [{ type: 'input.dropped', inputId: line.input, reason: line.reason }];
    case 'delta':
      return [delta(line)];
    case 'text':
      return [{ type: 'assistant.text', ...block(line), uuid: line.item, text: line.text, ...(line.interrupted ? { interrupted: true } : {}), ...when(line) }];
    case 'thinking':
      return [{ type: 'assistant.thinking', ...block(line), text: line.text, ...when(line) }];
    case 'tool':
      return [{ type: 'tool.started', ...block(line), toolUseId: line.item, name: line.name, input: line.input, ...when(line) }];
    case 'tool.done':
      return [toolDone(line)];
    case 'ask':
      return [
        {
          type: 'permission.asked',
          agentRequestId: line.request,
          toolUseId: line.item,
          tool: line.tool,
          input: line.input,
          title: line.title,
          kind: line.kind,
          subject: subjectOf(line.tool, line.input),
          ...(line.suggestions === undefined ? {} : { suggestions: line.suggestions }),
          ...(line.subagent === undefined ? {} : { subagent: line.subagent }),
        },
      ];
    case 'call':
      return [{ type: 'tool.called', agentRequestId: line.request, toolUseId: line.item, tool: line.tool, input: line.input }];
    case 'withdrawn':
      return [{ type: 'permission.withdrawn', agentRequestId: line.request, reason: line.reason }];
    case 'ended':
      return [ended(line)];
    case 'reply':
      return [{ type: 'reply', to: line.to, ok: line.ok, ...(line.detail === undefined ? {} : { detail: line.detail }) }];
    case 'setting':
      return [setting(line)];
    case 'limit':
      return [{ type: 'limit.reported', status: line.status, kind: line.kind, ...(line.resets === undefined ? {} : { resetsAt: line.resets }), ...when(line) }];
    case 'retry':
      return [{ type: 'retry.reported', attempt: line.attempt, maxAttempts: line.of, delayMs: line.ms, error: line.error, ...when(line) }];
    case 'problem':
      return [{ type: 'notice.shown', level: 'warning', text: line.text, ...when(line) }];
  }
}

type Line<T extends DemoLine['type']> = Extract<DemoLine, { type: T }>;

const started = (line: Line<'ready'>): Observation => ({
  type: 'session.started',
  agentSessionId: line.session,
  model: line.model ?? 'scripted',
  ...(line.models === undefined ? {} : { models: line.models }),
  ...level(line.thinking),
  tools: line.tools,
  commands: line.commands,
  mcpServers: [],
  permissionMode: line.mode,
  version: line.version,
  cwd: line.cwd,
  ...when(line),
});

function level(word: string | undefined): { readonly thinking?: Thinking } {
  const read = Thinking.safeParse(word);
  return read.success ? { thinking: read.data } : {};
}

const delta = (line: Line<'delta'>): Observation => ({
  type: 'delta',
  itemId: line.item,
  messageId: line.message,
  index: line.index,
  kind: line.kind,
  text: line.text,
  offset: line.offset,
  ...(line.tool === undefined ? {} : { toolName: line.tool }),
  ...inside(line),
});

const toolDone = (line: Line<'tool.done'>): Observation => ({
  type: 'tool.completed',
  ...resultOf(line.item),
  output: line.output,
  isError: line.error,
  ...(line.change ? { change: line.change } : {}),
  ...(line.images ? { rawImages: line.images } : {}),
  ...inside(line),
  ...when(line),
});

/** A change that a person asked for names the command; one by the agent itself doesn't. */
function setting(line: Line<'setting'>): Observation {
  const { value, refused } = line;
  const reason = line.command === undefined ? 'the agent went on in it' : 'a person asked for it';
  if (refused !== undefined)
    return { type: 'setting.refused', commandId: CommandId.parse(line.command ?? 'unknown'), setting: line.setting, value, reason: refused };
  if (line.setting === 'model') return { type: 'model.changed', model: value, reason, ...when(line) };
  if (line.setting === 'mode') return { type: 'mode.changed', mode: value, reason, ...when(line) };
  const { thinking } = level(value);
  if (thinking !== undefined) return { type: 'thinking.changed', thinking, reason, ...when(line) };
  return { type: 'notice.shown', level: 'warning', text: `The agent reported an unknown thinking level: ${value}`, ...when(line) };
}

const ended = (line: Line<'ended'>): Observation => ({
  type: 'turn.ended',
  stopReason: line.stop,
  isError: line.problem !== undefined,
  aborted: line.aborted,
  durationMs: line.ms,
  denials: line.denials,
  result: line.result,
  ...(line.problem === undefined ? {} : { errors: [line.problem] }),
});

type Placed = { item: string; message: string; index: number; parent?: string | undefined };
const block = (line: Placed) => ({ itemId: ItemId.parse(line.item), messageId: line.message, index: line.index, ...inside(line) });

const inside = (line: { parent?: string | undefined }) => (line.parent === undefined ? {} : { parentToolUseId: line.parent });

const when = (line: { at?: string | undefined }) => (line.at === undefined ? {} : { agentAt: line.at });
