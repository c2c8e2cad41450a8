import * as z from 'zod/mini';
import type { State, Step } from './state.ts';
import { andThen, lookUp, nothing, tell, withTurn } from './state.ts';
import { grew, preambleGrew } from './texts.ts';
import { toolEnded, toolStarted } from './tools.ts';
import { endIfComplete, inTurn } from './turns.ts';
import type { AgentEvent } from './wire.ts';
import * as wire from './wire.ts';

type Reader = (state: State, data: object) => Step | undefined;

/** What a run tells of its work; undefined when it is nothing that was seen. What belongs to a run that is over, or to another one, is passed over. */
export function workTold(state: State, { runId, stream, data }: AgentEvent): Step | undefined {
  const read = lookUp(STREAMS, stream);
  if (read === undefined) return undefined;
  const begun = inTurn(state, runId);
  if (begun === undefined) return nothing(state);
  const step = read(begun.state, data);
  return step && andThen(begun, () => step);
}

function reads<S extends z.core.$ZodType>(schema: S, translate: (state: State, value: z.infer<S>) => Step): Reader {
  return (state, data) => {
    const parsed = z.safeParse(schema, data);
    return parsed.success ? translate(state, parsed.data) : undefined;
  };
}

const silent: Reader = nothing;

const STREAMS: Readonly<Record<string, Reader>> = {
  lifecycle: reads(wire.Lifecycle, lived),
  assistant: reads(wire.Piece, (state, piece) => grew(state, 'text', piece)),
  thinking: reads(wire.Piece, (state, piece) => grew(state, 'thinking', piece)),
  item: reads(wire.Item, (state, item) => (item.kind === 'preamble' ? preambleGrew(state, item) : nothing(state))),
  tool: reads(wire.Tool, toolTold),
  compaction: reads(wire.Compaction, (state, { phase }) => (phase === 'end' ? tell(state, { type: 'context.compacted', trigger: 'auto' }) : nothing(state))),
  // That it begins is all they tell.
  run_status: silent,
  // The message has its whole usage.
  usage: silent,
  // Told as a request of its own, or as a tool.
  approval: silent,
  plan: silent,
  patch: silent,
  command_output: silent,
};

function toolTold(state: State, tool: wire.Tool): Step {
  if (tool.phase === 'start') return toolStarted(state, tool);
  return tool.phase === 'result' ? toolEnded(state, tool) : nothing(state);
}

/** `model` with a provider is a new question to the model, `start` after a failure another attempt of the whole. */
function lived(state: State, { phase, error, provider, executionSettled }: z.infer<typeof wire.Lifecycle>): Step {
  const { turn } = state;
  if (turn === null) return nothing(state);
  if (executionSettled === true) return endIfComplete(withTurn(state, { isSettled: true }));
  if (phase === 'model') return nothing(provider ? withTurn(state, { isAnswered: false }) : state);
  if (phase === 'finishing') return nothing(withTurn(state, { error: error ?? null }));
  if (phase !== 'start') return nothing(state);
  const working = withTurn(state, { isWorking: true, error: null });
  if (turn.error === null) return nothing(working);
  const attempt = turn.attempts + 1;
  return tell(withTurn(working, { attempts: attempt }), { type: 'retry.reported', attempt, error: turn.error });
}
