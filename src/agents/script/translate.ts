import type { Observation } from '../../protocol/observation.ts';
import { emit, translator } from '../formats/fold.ts';
import { itemOf, resultOf } from '../formats/item-id.ts';
import { jsonObject } from '../formats/json-object.ts';
import { ScriptLine } from './wire.ts';

const UNKNOWN = 'not a line that the script program prints';

/** Its lines are complete by themselves, so there is no state. */
export type ScriptState = Readonly<Record<string, never>>;

export const translate = translator<ScriptState, ScriptLine>({
  parse: (raw) => ScriptLine.safeParse(jsonObject(raw)).data,
  notParsed: UNKNOWN,
  read: (state, line) => emit(state, ...observe(line)),
  reason: () => UNKNOWN,
});

/** A command is one turn with one tool call. */
function observe(line: ScriptLine): readonly Observation[] {
  switch (line.type) {
    case 'began':
      return [
        { type: 'turn.began', cause: 'input' },
        { type: 'input.taken', inputId: line.id },
        { type: 'tool.started', itemId: itemOf(toolOf(line)), toolUseId: toolOf(line), name: 'Command', input: { command: line.command }, agentAt: line.at },
      ];
    case 'output':
      return [{ type: 'command.output', toolUseId: toolOf(line), stream: line.stream, text: line.text, agentAt: line.at }];
    case 'ended':
      return ended(line);
    case 'reply':
      return [{ type: 'reply', to: line.to, ok: true }];
  }
}

function ended(line: Extract<ScriptLine, { type: 'ended' }>): readonly Observation[] {
  const isError = line.code !== 0;
  return [
    { type: 'command.ended', code: line.code, signal: line.signal, durationMs: line.ms, tail: line.tail, agentAt: line.at },
    { type: 'tool.completed', ...resultOf(toolOf(line)), output: line.tail, isError, agentAt: line.at },
    { type: 'turn.ended', stopReason: outcomeOf(line), isError: isError && !line.stopped, aborted: line.stopped, durationMs: line.ms, denials: 0 },
  ];
}

const outcomeOf = ({ code, signal }: Extract<ScriptLine, { type: 'ended' }>): string => (code === null ? (signal ?? 'ended') : `exit ${code}`);

/** Not the input's own id: that names the message. */
const toolOf = ({ id }: { readonly id: string }): string => `${id}:command`;
