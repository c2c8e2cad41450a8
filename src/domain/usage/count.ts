import type { Event, EventBodyOf, EventOf, ModelSpent } from '../../protocol/event.ts';
import { inOrder } from '../merge-by-seq.ts';
import { dayOf, NO_TOKENS, plainModel, tokensOf, type UsageEntry } from './entry.ts';

/** The cost of one answer, as a record has it next to its events. */
export type SpentLine = Omit<EventBodyOf<'usage.reported'>, 'type'> & { readonly at: string; readonly seq: number };

/** What counting remembers of a session between two of its events: plain JSON. */
export interface UsageState {
  readonly model: string;
  /** A turn is running here: the agent reports its cost at the end. */
  readonly isLive: boolean;
  /** The last prompt of a person in another program, and the time of the last event about it. */
  readonly prompt: { readonly entry: UsageEntry; readonly lastAt: string } | null;
}

export const NOTHING_COUNTED: UsageState = { model: '', isLive: false, prompt: null };

export interface Counted {
  readonly state: UsageState;
  /** The latest of each key. */
  readonly entries: readonly UsageEntry[];
}

/** What a session's next events add to what it spent. Each of `spent` is counted after the event with its number. */
export function countUsage(state: UsageState, events: readonly Event[], spent: readonly SpentLine[] = []): Counted {
  const counted = new Map<string, UsageEntry>();
  let now = state;
  for (const step of inOrder(events, spent)) {
    const next = 'type' in step ? ofEvent(now, step) : ofSpent(now, step);
    now = next.state;
    for (const entry of next.entries) counted.set(entry.key, entry);
  }
  return { state: now, entries: [...counted.values()] };
}

/** Inherited events count for the session in which they happened. */
function ofEvent(state: UsageState, event: Event): Counted {
  if (event.inherited) return { state, entries: [] };
  switch (event.type) {
    case 'session.created':
    case 'run.opened':
      return { state: { ...state, isLive: false, prompt: null }, entries: [] };
    case 'session.started':
      return { state: { ...state, model: event.model === undefined ? state.model : plainModel(event.model) }, entries: [] };
    case 'model.changed':
      return { state: { ...state, model: plainModel(event.model) }, entries: [] };
    case 'turn.started':
      return { state: { ...state, isLive: true, prompt: null }, entries: [] };
    case 'turn.completed':
      return { state: { ...state, isLive: false }, entries: turnEntries(event, state.model) };
    case 'usage.reported':
      return state.isLive && !event.elsewhere ? { state, entries: [] } : ofSpent(state, event);
    case 'user.message':
      return ofMessage(state, event);
    case 'assistant.text':
      return worked(state, event.at, event.model && plainModel(event.model));
    case 'assistant.thinking':
    case 'tool.started':
    case 'tool.completed':
    case 'context.compacted':
      return worked(state, event.at, undefined);
    default:
      return { state, entries: [] };
  }
}

/** A prompt that was typed in another program is a turn there; the uuid of its line is the same in every copy. */
function ofMessage(state: UsageState, event: EventOf<'user.message'>): Counted {
  if (event.origin !== 'elsewhere' || event.parentToolUseId !== undefined) return { state, entries: [] };
  const { uuid, at, seq } = event;
  const entry: UsageEntry = {
    key: uuid === undefined ? `p${seq}` : `p${uuid} ${at}`,
    isShared: uuid !== undefined,
    day: dayOf(at),
    model: '',
    usage: NO_TOKENS,
    turns: 1,
    durationMs: 0,
  };
  return { state: { ...state, prompt: { entry, lastAt: at } }, entries: [entry] };
}

function ofSpent(state: UsageState, spent: SpentLine | EventOf<'usage.reported'>): Counted {
  const model = plainModel(spent.model ?? state.model);
  const { messageId, at, usage, costUsd } = spent;
  const after = worked({ ...state, model }, at, model);
  if (tokensOf(usage) === 0 && (costUsd ?? 0) === 0) return after;
  const entry: UsageEntry = {
    key: messageId === undefined ? lineKey(spent, model) : `m${messageId}`,
    isShared: true,
    day: dayOf(at),
    model,
    usage,
    ...(costUsd !== undefined && { costUsd }),
    turns: 0,
    durationMs: 0,
  };
  return { state: after.state, entries: [...after.entries, entry] };
}

/** Without an id, the same time and the same figures are the same answer: a copy keeps both. */
const lineKey = ({ at, usage }: Pick<SpentLine, 'at' | 'usage'>, model: string): string =>
  `s${at} ${model} ${usage.inputTokens} ${usage.outputTokens} ${usage.cacheReadTokens} ${usage.cacheWriteTokens}`;

/** An agent that writes nothing for longer waits for a person, or the machine slept: only this much of a gap counts as work. */
const LONGEST_STEP_MS = 10 * 60_000;

/** A record does not say how long a turn took: it is the sum of the steps between its lines. */
function worked(state: UsageState, at: string, model: string | undefined): Counted {
  if (state.prompt === null) return { state, entries: [] };
  const { entry, lastAt } = state.prompt;
  if (at === lastAt && (entry.model !== '' || !model)) return { state, entries: [] };
  const step = Math.min(Math.max(Date.parse(at) - Date.parse(lastAt), 0), LONGEST_STEP_MS) || 0;
  const more: UsageEntry = { ...entry, model: entry.model || (model ?? ''), durationMs: entry.durationMs + step };
  return { state: { ...state, prompt: { entry: more, lastAt: at > lastAt ? at : lastAt } }, entries: [more] };
}

/** What a turn that ran here took, as the agent reported it: an entry per model, one of which counts the turn. */
function turnEntries(turn: EventOf<'turn.completed'>, model: string): readonly UsageEntry[] {
  const spent = spentOf(turn, model);
  const main = Math.max(
    spent.findIndex((one) => one.model === model),
    0,
  );
  return spent.map((one, index) => ({
    key: `t${turn.turnId} ${one.model}`,
    isShared: false,
    day: dayOf(turn.at),
    model: one.model,
    usage: one.usage,
    ...(one.costUsd !== undefined && { costUsd: one.costUsd }),
    turns: index === main ? 1 : 0,
    durationMs: index === main ? (turn.durationMs ?? 0) : 0,
  }));
}

function spentOf({ models = [], usage, costUsd }: EventOf<'turn.completed'>, model: string): readonly ModelSpent[] {
  const [only, ...others] = models;
  if (only === undefined) return [{ model, usage: usage ?? NO_TOKENS, ...(costUsd !== undefined && { costUsd }) }];
  // The cost of the whole turn belongs to its only model, if that has no cost of its own.
  if (others.length === 0 && only.costUsd === undefined && costUsd !== undefined) return [{ ...only, costUsd }];
  return models;
}
