import type { EventBodyOf, EventOf } from '../../protocol/event.ts';
import { withPast } from './findings.ts';
import { type HealthState, KEPT } from './state.ts';
import { withPoint } from './timeline.ts';

/** How full the model's context was when a turn ended. */
export function foldUsage(state: HealthState, turn: EventOf<'turn.completed'>): HealthState {
  const window = turn.contextWindow ?? state.window;
  const tokens = tokensOf(state, turn);
  if (tokens === undefined) return { ...state, window };
  const timeline = withPoint(state.timeline, { seq: turn.seq, at: turn.at, tokens });
  return { ...reached({ ...state, window }, tokens), tokens, timeline };
}

type Spent = Pick<EventBodyOf<'usage.reported'>, 'contextTokens' | 'contextWindow'> & { readonly seq: number; readonly at: string };

/** How full it was at one answer. A subagent has its own context, so its answers report none. */
export function foldReportedUsage(state: HealthState, { contextTokens, contextWindow, seq, at }: Spent): HealthState {
  const known = contextWindow === undefined ? fitting(state, contextTokens ?? 0) : { ...state, window: contextWindow };
  if (contextTokens === undefined) return known;
  const timeline = withPoint(state.timeline, { seq, at, tokens: contextTokens });
  return { ...reached(known, contextTokens), tokens: contextTokens, timeline };
}

/** If the context is larger than the window, the window was wrong, and so is every share of it. */
const fitting = (state: HealthState, tokens: number): HealthState =>
  state.window !== null && tokens > state.window ? { ...state, window: null, peakShare: null } : state;

/** Usage is the sum over a turn's requests: it shows how full the context was only if the turn made a single one, that is, called no tool. */
function tokensOf(state: HealthState, { contextTokens, usage }: EventOf<'turn.completed'>): number | undefined {
  if (contextTokens !== undefined) return contextTokens;
  if (usage === undefined || state.turn === null || state.turn.calls > 0) return undefined;
  const sum = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
  return sum > 0 ? Math.round(sum) : undefined;
}

export function foldCompaction(state: HealthState, event: EventOf<'context.compacted'>): HealthState {
  const { seq, at, trigger, preTokens, postTokens, failed } = event;
  if (failed !== undefined) {
    return withPast(state, [{ kind: 'compaction-failed', seq, at, active: false, text: `A compaction failed: ${failed.slice(0, KEPT.words)}` }]);
  }
  const compaction = { seq, at, trigger, ...(preTokens !== undefined && { preTokens }), ...(postTokens !== undefined && { postTokens }) };
  const before = preTokens ?? state.tokens ?? undefined;
  return {
    ...(preTokens === undefined ? state : reached(state, preTokens)),
    tokens: postTokens ?? null,
    answers: 0,
    lastAnswer: null,
    compactionCount: state.compactionCount + 1,
    compactions: [...state.compactions, compaction].slice(-KEPT.compactions),
    timeline: before === undefined ? state.timeline : withPoint(state.timeline, { seq, at, tokens: before, compacted: true }),
  };
}

function reached(state: HealthState, tokens: number): HealthState {
  const share = state.window === null || state.window <= 0 ? null : tokens / state.window;
  return {
    ...state,
    peakTokens: Math.max(state.peakTokens, tokens),
    peakShare: share === null ? state.peakShare : Math.max(state.peakShare ?? 0, share),
  };
}
