import type { Observation } from '../../protocol/observation.ts';
import { andThen, emit, emitNothing } from '../formats/fold.ts';
import { itemOf } from '../formats/item-id.ts';
import { archive } from './archive.ts';
import type { State, Step } from './state.ts';
import { withTurn } from './state.ts';
import type { Tool } from './wire.ts';

/** A call is reported with its message, or here, whichever comes first. */
export function toolStarted(state: State, { toolCallId: id, name, args = {} }: Tool): Step {
  const { turn } = state;
  if (turn === null || turn.calls.includes(id)) return emitNothing(withTurn(state, { isAnswered: false }));
  const started: Observation = { type: 'tool.started', itemId: itemOf(id), toolUseId: id, name, input: { ...args } };
  return emit(withTurn(state, { calls: [...turn.calls, id], isAnswered: false }), started);
}

/** Read the same way as the record. */
export function toolEnded(state: State, tool: Tool): Step {
  const { toolCallId, name: toolName, isError = false, result } = tool;
  const { content = [], details } = typeof result === 'object' && result !== null ? (result as { content?: unknown; details?: unknown }) : {};
  const message = { role: 'toolResult', toolCallId, toolName, content, details, isError };
  const { observations } = archive.read(JSON.stringify({ type: 'message', message }), { facts: { cwd: state.cwd } });
  return andThen(toolStarted(state, tool), (next) => emit(denied(next, observations), ...observations));
}

/** Only this text shows that a call was denied. */
const DENIED = /^Exec denied \(/;

function denied(state: State, observations: readonly Observation[]): State {
  const isDenied = observations.some((one) => one.type === 'tool.completed' && DENIED.test(one.output));
  return isDenied && state.turn !== null ? withTurn(state, { denials: state.turn.denials + 1 }) : state;
}
