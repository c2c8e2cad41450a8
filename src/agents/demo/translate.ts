import { ItemId } from '../../protocol/ids.ts';
import type { Observation } from '../../protocol/observation.ts';
import type { Translation } from '../adapter.ts';
import { subjectOf } from './subject.ts';
import { DemoLine } from './wire.ts';

/** The demo agent's lines say everything themselves: nothing has to be remembered between them. */
export type DemoState = Readonly<Record<string, never>>;

export const translate = (state: DemoState, line: string): Translation<DemoState> => ({ state, observations: read(line), replies: [] });

function read(line: string): readonly Observation[] {
  const parsed = DemoLine.safeParse(json(line));
  if (parsed.success) return observe(parsed.data);
  return [{ type: 'unrecognised', raw: line, reason: 'not a line that the demo agent is known to print' }];
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function observe(line: DemoLine): readonly Observation[] {
  switch (line.type) {
    case 'ready':
      return [started(line), { type: 'agent.ready' }];
    case 'began':
      return [
        { type: 'turn.began', cause: 'input' },
        { type: 'input.taken', inputId: line.input, text: line.text },
      ];
    case 'dropped':
      return [{ type: 'input.dropped', inputId: line.input, reason: line.reason }];
    case 'delta':
      return [delta(line)];
    case 'text':
      return [{ type: 'assistant.text', ...block(line), text: line.text, ...(line.interrupted ? { interrupted: true } : {}), ...when(line) }];
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
        },
      ];
    case 'withdrawn':
      return [{ type: 'permission.withdrawn', agentRequestId: line.request, reason: line.reason }];
    case 'ended':
      return [ended(line)];
    case 'reply':
      return [{ type: 'reply', to: line.to, ok: line.ok, ...(line.detail === undefined ? {} : { detail: line.detail }) }];
    case 'problem':
      return [{ type: 'notice.shown', level: 'warning', text: line.text, ...when(line) }];
  }
}

type Line<T extends DemoLine['type']> = Extract<DemoLine, { type: T }>;

const started = (line: Line<'ready'>): Observation => ({
  type: 'session.started',
  agentSessionId: line.session,
  model: 'scripted',
  tools: line.tools,
  commands: line.commands,
  mcpServers: [],
  permissionMode: line.mode,
  version: line.version,
  cwd: line.cwd,
  ...when(line),
});

const delta = (line: Line<'delta'>): Observation => ({
  type: 'delta',
  itemId: line.item,
  messageId: line.message,
  index: line.index,
  kind: line.kind,
  text: line.text,
  offset: line.offset,
  ...(line.tool === undefined ? {} : { toolName: line.tool }),
});

const toolDone = (line: Line<'tool.done'>): Observation => ({
  type: 'tool.completed',
  itemId: ItemId.parse(`${line.item}:result`),
  parentItemId: ItemId.parse(line.item),
  toolUseId: line.item,
  output: line.output,
  isError: line.error,
  ...(line.change ? { change: line.change } : {}),
  ...when(line),
});

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

const block = (line: { item: string; message: string; index: number }) => ({ itemId: ItemId.parse(line.item), messageId: line.message, index: line.index });

const when = (line: { at?: string | undefined }) => (line.at === undefined ? {} : { agentAt: line.at });
