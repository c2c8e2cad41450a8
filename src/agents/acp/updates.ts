import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { itemOf } from '../formats/item-id.ts';
import { capabilitiesTold, told } from './abilities.ts';
import { commandsTold } from './opening.ts';
import { configsTold, modeTold } from './settings.ts';
import { freshItem, spoken, textEnded } from './speech.ts';
import type { State, Step } from './state.ts';
import { andThen, lookUp, nothing, tell } from './state.ts';
import { startPending, toolTold } from './tools.ts';
import { Chunk, CommandsUpdate, CompactionUpdate, ConfigOptions, ModeUpdate, Notice, Plan, ToolCall, UsageUpdate } from './wire.ts';

/** How one kind of news is read: undefined when it does not have the shape that the protocol gives it. */
type Kind = (state: State, update: object) => Step | undefined;

function kind<S extends z.core.$ZodType>(schema: S, read: (state: State, value: z.infer<S>) => Step): Kind {
  return (state, update) => {
    const parsed = z.safeParse(schema, update);
    return parsed.success ? read(state, parsed.data) : undefined;
  };
}

/** Calls that waited for their arguments are whole when the agent goes on to something else. */
const onward =
  <T>(read: (state: State, value: T) => Step) =>
  (state: State, value: T): Step =>
    andThen(startPending(state), (now) => read(now, value));

/** What is told of the work itself: in a conversation that is loaded, we have it already. */
const WORK: Readonly<Record<string, Kind>> = {
  agent_message_chunk: kind(
    Chunk,
    onward((state, chunk) => spoken(state, 'text', chunk)),
  ),
  agent_thought_chunk: kind(
    Chunk,
    onward((state, chunk) => spoken(state, 'thinking', chunk)),
  ),
  // Our own words, back.
  user_message_chunk: kind(Chunk, nothing),
  tool_call: kind(ToolCall, toolTold),
  tool_call_update: kind(ToolCall, toolTold),
  plan: kind(Plan, onward(planTold)),
  notice: kind(Notice, onward(noticeTold)),
  compaction_update: kind(CompactionUpdate, onward(compactionTold)),
  // The summary is for the model.
  compaction_summary_chunk: kind(z.looseObject({}), nothing),
};

/** How the session is. */
const SESSION: Readonly<Record<string, Kind>> = {
  usage_update: kind(UsageUpdate, onward(usageTold)),
  available_commands_update: kind(CommandsUpdate, commandsTold),
  current_mode_update: kind(ModeUpdate, (state, { currentModeId }) => modeTold(state, currentModeId)),
  config_option_update: kind(ConfigOptions, (state, { configOptions }) => andThen(configsTold(state, configOptions ?? []), choicesTold)),
  // The name of a session in the agent's own lists.
  session_info_update: kind(z.looseObject({}), nothing),
};

export const isKnownKind = (kind: string): boolean => Object.hasOwn(WORK, kind) || Object.hasOwn(SESSION, kind);

/** Undefined when it is no news that the protocol knows. */
export function updated(state: State, update: { readonly sessionUpdate: string }): Step | undefined {
  const work = lookUp(WORK, update.sessionUpdate);
  if (work !== undefined) return state.session.phase === 'loading' ? nothing({ ...state, session: { phase: 'loading', hasTold: true } }) : work(state, update);
  return lookUp(SESSION, update.sessionUpdate)?.(state, update);
}

/** The whole plan is told anew with every change. */
function planTold(state: State, { entries }: z.infer<typeof Plan>): Step {
  return andThen(textEnded(state), (now) => {
    const [numbered, id] = freshItem(now);
    const output = entries.map(({ status, content }) => `${MARKS[status] ?? '[ ]'} ${content}`).join('\n');
    const turn = numbered.turn && { ...numbered.turn, hasSpoken: true };
    return tell(
      { ...numbered, turn },
      { type: 'tool.started', itemId: itemOf(id), toolUseId: id, name: 'plan', input: { entries } },
      { type: 'tool.completed', itemId: itemOf(`${id}:result`), parentItemId: itemOf(id), toolUseId: id, output, isError: false },
    );
  });
}

const MARKS: Readonly<Record<string, string | undefined>> = { completed: '[x]', in_progress: '[>]' };

function noticeTold(state: State, { severity, title }: z.infer<typeof Notice>): Step {
  const level = severity === 'error' || severity === 'warning' ? severity : 'info';
  const turn = state.turn && { ...state.turn, hasSpoken: true };
  return tell({ ...state, turn }, { type: 'notice.shown', level, text: title });
}

function compactionTold(state: State, { status, error }: z.infer<typeof CompactionUpdate>): Step {
  if (status !== 'completed' && status !== 'failed') return nothing(state);
  const turn = state.turn && { ...state.turn, hasSpoken: true };
  const told: Observation = { type: 'context.compacted', trigger: 'auto', ...(status === 'failed' ? { failed: error ?? 'the agent gave no reason' } : {}) };
  return tell({ ...state, turn }, told);
}

/** What can be chosen may have changed with it. */
const choicesTold = (state: State): Step => (state.session.phase === 'open' ? tell(state, capabilitiesTold(state)) : nothing(state));

/** The cost is that of the whole session so far. */
function usageTold(state: State, { used, size, cost }: z.infer<typeof UsageUpdate>): Step {
  const costUsd = cost?.currency === 'USD' ? cost.amount : state.costUsd;
  const next = { ...state, contextTokens: whole(used), contextWindow: whole(size), costUsd };
  return costUsd === null || state.costUsd !== null ? nothing(next) : tell(next, told({ cost: true }));
}

const whole = (tokens: number): number => Math.max(0, Math.round(tokens));
