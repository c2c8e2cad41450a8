import type * as z from 'zod/mini';
import type { Reader } from '../formats/fold.ts';
import { andThen, emit, emitNothing, ownProperty, readerFor } from '../formats/fold.ts';
import type { State, Step } from './state.ts';
import { withTurn } from './state.ts';
import { grew, preambleGrew } from './streamed-text.ts';
import { toolEnded, toolStarted } from './tools.ts';
import { endIfComplete, inTurn } from './turns.ts';
import type { AgentEvent } from './wire.ts';
import * as wire from './wire.ts';

/** Observations from an event of a run; undefined for an unknown event. Events of a finished or different run are ignored. */
export function observeAgentEvent(state: State, { runId, stream, data }: AgentEvent): Step | undefined {
  const read = ownProperty(STREAMS, stream);
  if (read === undefined) return undefined;
  const started = inTurn(state, runId);
  if (started === undefined) return emitNothing(state);
  const step = read(started.state, data);
  return step && andThen(started, () => step);
}

const STREAMS: Readonly<Record<string, Reader<State>>> = {
  lifecycle: readerFor(wire.Lifecycle, observeLifecycle),
  assistant: readerFor(wire.Piece, (state, piece) => grew(state, 'text', piece)),
  thinking: readerFor(wire.Piece, (state, piece) => grew(state, 'thinking', piece)),
  item: readerFor(wire.Item, (state, item) => (item.kind === 'preamble' ? preambleGrew(state, item) : emitNothing(state))),
  tool: readerFor(wire.Tool, observeTool),
  compaction: readerFor(wire.Compaction, (state, { phase }) =>
    phase === 'end' ? emit(state, { type: 'context.compacted', trigger: 'auto' }) : emitNothing(state),
  ),
  // These only say that something starts.
  run_status: emitNothing,
  // The message has its complete usage.
  usage: emitNothing,
  // Reported separately as a request, or as a tool.
  approval: emitNothing,
  plan: emitNothing,
  patch: emitNothing,
  command_output: emitNothing,
};

function observeTool(state: State, tool: wire.Tool): Step {
  if (tool.phase === 'start') return toolStarted(state, tool);
  return tool.phase === 'result' ? toolEnded(state, tool) : emitNothing(state);
}

/** `model` with a provider is another request to the model; `start` after a failure is another attempt of the whole run. */
function observeLifecycle(state: State, { phase, error, provider, executionSettled }: z.infer<typeof wire.Lifecycle>): Step {
  const { turn } = state;
  if (turn === null) return emitNothing(state);
  if (executionSettled === true) return endIfComplete(withTurn(state, { isSettled: true }));
  if (phase === 'model') return emitNothing(provider ? withTurn(state, { isAnswered: false }) : state);
  if (phase === 'finishing') return emitNothing(withTurn(state, { error: error ?? null }));
  if (phase !== 'start') return emitNothing(state);
  const working = withTurn(state, { isWorking: true, error: null });
  if (turn.error === null) return emitNothing(working);
  const attempt = turn.attempts + 1;
  return emit(withTurn(working, { attempts: attempt }), { type: 'retry.reported', attempt, error: turn.error });
}
