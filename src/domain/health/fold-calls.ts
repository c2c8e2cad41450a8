import type { EventOf } from '../../protocol/event.ts';
import { callKey } from './call-key.ts';
import { loopIn, withPast } from './findings.ts';
import { type HealthState, KEPT, type OpenCall, type Streak } from './state.ts';

export function foldCallStarted(state: HealthState, event: EventOf<'tool.started'>): HealthState {
  const { toolUseId, name, seq, at, parentToolUseId } = event;
  const call: OpenCall = { toolUseId, name: name.slice(0, KEPT.words), key: callKey(event), seq, at, parent: parentToolUseId ?? '' };
  const others = state.openCalls.filter((open) => open.toolUseId !== toolUseId);
  const turn = state.turn === null ? null : { ...state.turn, calls: state.turn.calls + 1 };
  return { ...state, turn, openCalls: [...others, call].slice(-KEPT.openCalls) };
}

/** A call that failed like the previous one extends the streak of its thread; anything else ends it. */
export function foldCallCompleted(state: HealthState, event: EventOf<'tool.completed'>): HealthState {
  const call = state.openCalls.find((open) => open.toolUseId === event.toolUseId);
  if (call === undefined) return state;
  const rest = { ...state, openCalls: state.openCalls.filter((open) => open !== call) };
  // A call that we closed because its turn or process ended did not fail.
  if (event.closedBy !== undefined) return rest;
  const known = state.streaks[call.parent];
  const isRepeat = event.isError && known?.key === call.key;
  const ended = isRepeat ? rest : withPast(rest, loopIn(known, false));
  const { [call.parent]: _, ...others } = state.streaks;
  if (!event.isError) return { ...ended, streaks: others };
  return { ...ended, streaks: bounded({ ...others, [call.parent]: isRepeat ? longer(known) : newStreak(call) }) };
}

const longer = (streak: Streak): Streak => ({ ...streak, count: streak.count + 1 });
const newStreak = ({ key, name, seq, at }: OpenCall): Streak => ({ key, name, count: 1, seq, at });

const bounded = (streaks: Readonly<Record<string, Streak>>): Readonly<Record<string, Streak>> => {
  const entries = Object.entries(streaks);
  return entries.length <= KEPT.streaks ? streaks : Object.fromEntries(entries.slice(-KEPT.streaks));
};
