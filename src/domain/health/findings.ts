import type { Finding } from '../../protocol/api/health.ts';
import { type HealthState, KEPT, type Streak } from './state.ts';
import { THRESHOLDS } from './thresholds.ts';

/** What is wrong at this time, judged by the events. */
export function findingsNow(state: HealthState, at: string): readonly Finding[] {
  const loops = Object.values(state.streaks).flatMap((streak) => loopIn(streak, true));
  return [...loops, ...errorsIn(state, true), ...quietIn(state, at)];
}

export function loopIn(streak: Streak | undefined, active: boolean): readonly Finding[] {
  if (streak === undefined || streak.count < THRESHOLDS.loopCalls) return [];
  const { name, count, seq, at } = streak;
  return [{ kind: 'loop', seq, at, active, count, tool: name, text: `${name} failed ${count} times in a row with the same input.` }];
}

export function errorsIn({ errors }: HealthState, active: boolean): readonly Finding[] {
  if (errors === null || errors.count < THRESHOLDS.apiErrors) return [];
  const { count, seq, at, last } = errors;
  return [{ kind: 'api-errors', seq, at, active, count, text: `The model's service failed ${count} times in a row, last with: ${last}` }];
}

/** A turn is running and nothing has been printed for a long time. An agent that waits for a person is expected to be quiet. */
function quietIn(state: HealthState, at: string): readonly Finding[] {
  if (state.turn === null || state.waiting.length > 0) return [];
  const quietMs = Date.parse(at) - Date.parse(state.lastAt);
  const [call] = state.openCalls;
  if (call === undefined) return quietMs > THRESHOLDS.silentMs ? [silent(state, quietMs)] : [];
  if (quietMs <= THRESHOLDS.stuckToolMs) return [];
  const text = `${call.name} has been running without output for ${minutes(quietMs)}.`;
  return [{ kind: 'stuck-tool', seq: call.seq, at: call.at, active: true, tool: call.name, toolUseId: call.toolUseId, text }];
}

const silent = ({ seq, lastAt }: HealthState, quietMs: number): Finding => ({
  kind: 'silent',
  seq,
  at: lastAt,
  active: true,
  text: `The agent is working but has printed nothing for ${minutes(quietMs)}.`,
});

const minutes = (ms: number): string => `${Math.floor(ms / 60_000)} minutes`;

export const withPast = (state: HealthState, findings: readonly Finding[]): HealthState =>
  findings.length === 0 ? state : { ...state, past: [...state.past, ...findings].slice(-KEPT.past) };
