import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Reader } from '../formats/fold.ts';
import { andThen, emit, emitNothing, ownProperty, readerFor } from '../formats/fold.ts';
import { itemOf, resultOf } from '../formats/item-id.ts';
import { capabilitiesObserved, sessionCapabilities } from './capabilities.ts';
import { observeCommands } from './open-session.ts';
import { observeConfigs, observeMode } from './settings.ts';
import type { OpenText, State, Step } from './state.ts';
import { nextItemId, plainText, textEnded, textReceived } from './text-blocks.ts';
import { observeTool, startPending } from './tools.ts';
import { Chunk, CommandsUpdate, CompactionUpdate, ConfigOptions, ModeUpdate, Notice, Plan, SessionInfo, ToolCall, UsageUpdate } from './wire.ts';

/** Pending calls have all their arguments once something else follows. */
const afterPending =
  <T>(read: (state: State, value: T) => Step) =>
  (state: State, value: T): Step =>
    andThen(startPending(state), (now) => read(now, value));

/** An empty chunk only carries numbers (Qwen Code 0.24.4, while a call still waits for its arguments). */
function chunkReceived(state: State, kind: OpenText['kind'], chunk: Chunk): Step {
  if (plainText(chunk.content) === '') return emitNothing(state);
  return andThen(startPending(state), (now) => textReceived(now, kind, chunk));
}

/** Updates about the work itself; ignored while a conversation is loaded, because we already have it. */
const WORK: Readonly<Record<string, Reader<State>>> = {
  agent_message_chunk: readerFor(Chunk, (state, chunk) => chunkReceived(state, 'text', chunk)),
  agent_thought_chunk: readerFor(Chunk, (state, chunk) => chunkReceived(state, 'thinking', chunk)),
  // An echo of our own message.
  user_message_chunk: readerFor(Chunk, emitNothing),
  tool_call: readerFor(ToolCall, observeTool),
  tool_call_update: readerFor(ToolCall, observeTool),
  plan: readerFor(Plan, afterPending(observePlan)),
  notice: readerFor(Notice, afterPending(observeNotice)),
  compaction_update: readerFor(CompactionUpdate, afterPending(observeCompaction)),
  // The summary is for the model.
  compaction_summary_chunk: readerFor(z.looseObject({}), emitNothing),
};

/** Updates about the session itself. */
const SESSION: Readonly<Record<string, Reader<State>>> = {
  usage_update: readerFor(UsageUpdate, afterPending(observeUsage)),
  available_commands_update: readerFor(CommandsUpdate, observeCommands),
  current_mode_update: readerFor(ModeUpdate, (state, { currentModeId }) => observeMode(state, currentModeId)),
  config_option_update: readerFor(ConfigOptions, (state, { configOptions }) => andThen(observeConfigs(state, configOptions ?? []), observeChoices)),
  session_info_update: readerFor(SessionInfo, observeInfo),
};

export const isKnownKind = (kind: string): boolean => Object.hasOwn(WORK, kind) || Object.hasOwn(SESSION, kind);

/** Undefined for an unknown kind of update. */
export function updated(state: State, update: { readonly sessionUpdate: string }): Step | undefined {
  const work = ownProperty(WORK, update.sessionUpdate);
  if (work !== undefined)
    return state.session.phase === 'loading' ? emitNothing({ ...state, session: { phase: 'loading', hasTold: true } }) : work(state, update);
  return ownProperty(SESSION, update.sessionUpdate)?.(state, update);
}

/** Every change repeats the entire plan. */
function observePlan(state: State, { entries }: z.infer<typeof Plan>): Step {
  return andThen(textEnded(state), (now) => {
    const [numbered, id] = nextItemId(now);
    const output = entries.map(({ status, content }) => `${MARKS[status] ?? '[ ]'} ${content}`).join('\n');
    const turn = numbered.turn && { ...numbered.turn, hasSpoken: true };
    return emit(
      { ...numbered, turn },
      { type: 'tool.started', itemId: itemOf(id), toolUseId: id, name: 'plan', input: { entries } },
      { type: 'tool.completed', ...resultOf(id), output, isError: false },
    );
  });
}

const MARKS: Readonly<Record<string, string | undefined>> = { completed: '[x]', in_progress: '[>]' };

function observeNotice(state: State, { severity, title }: z.infer<typeof Notice>): Step {
  const level = severity === 'error' || severity === 'warning' ? severity : 'info';
  const turn = state.turn && { ...state.turn, hasSpoken: true };
  return emit({ ...state, turn }, { type: 'notice.shown', level, text: title });
}

function observeCompaction(state: State, { status, error }: z.infer<typeof CompactionUpdate>): Step {
  if (status !== 'completed' && status !== 'failed') return emitNothing(state);
  const turn = state.turn && { ...state.turn, hasSpoken: true };
  const observed: Observation = { type: 'context.compacted', trigger: 'auto', ...(status === 'failed' ? { failed: error ?? 'the agent gave no reason' } : {}) };
  return emit({ ...state, turn }, observed);
}

/** The name of a session in the agent's own lists; and, from codex-acp 2.6.0, that the turn failed, which its answer doesn't say. */
function observeInfo(state: State, { title, _meta }: z.infer<typeof SessionInfo>): Step {
  const hasFailed = _meta?.codex?.threadStatus?.type === 'systemError';
  const turn = state.turn && hasFailed ? { ...state.turn, hasFailed } : state.turn;
  const isNew = typeof title === 'string' && isTitle(title) && title !== state.title;
  return isNew ? emit({ ...state, turn, title }, { type: 'title.reported', title: title.slice(0, TITLE_CHARS) }) : emitNothing({ ...state, turn });
}

const TITLE_CHARS = 200;

/** Not an id (OpenClaw 2026.9.6) and not what an untitled session is called (OpenCode). */
const isTitle = (title: string): boolean => title.trim() !== '' && !/[0-9a-f]{8}-[0-9a-f]{4}-|^New session\b/i.test(title);

/** The available choices may have changed too. */
const observeChoices = (state: State): Step => (state.session.phase === 'open' ? emit(state, sessionCapabilities(state)) : emitNothing(state));

/** The cost is the total of the session so far. */
function observeUsage(state: State, { used, size, cost }: z.infer<typeof UsageUpdate>): Step {
  const costUsd = cost?.currency === 'USD' ? cost.amount : state.costUsd;
  const next = { ...state, contextTokens: whole(used), contextWindow: whole(size), costUsd };
  return costUsd === null || state.costUsd !== null ? emitNothing(next) : emit(next, capabilitiesObserved({ cost: true }));
}

const whole = (tokens: number): number => Math.max(0, Math.round(tokens));
