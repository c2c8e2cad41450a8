import type { SessionHealth } from '../../protocol/api/health.ts';
import { findingsNow } from './findings.ts';
import { COMPACT } from './fold.ts';
import { pressureOf } from './pressure.ts';
import type { HealthState } from './state.ts';
import { THRESHOLDS } from './thresholds.ts';

/** A session's health as shown at this time. `isOpenElsewhere`: another program has the conversation open. */
export function healthAt(state: HealthState, at: string, isOpenElsewhere = false): SessionHealth {
  const { tokens, window, peakTokens, peakShare, compactionCount, compactions } = state;
  const isAbandoned = !isOpenElsewhere && wasAbandoned(state, at);
  const endedAfterCompaction = (state.isOver || isAbandoned) && compactionCount > 0;
  const cause = state.cause ?? (isAbandoned ? cutShort(state) : null) ?? exhausted(state, endedAfterCompaction);
  return {
    pressure: pressureOf({ compactions: compactionCount, endedAfterLast: endedAfterCompaction, peakTokens, windowShare: peakShare ?? undefined }),
    ...(cause !== null && { cause: cause.cause, causeSeq: cause.seq }),
    ...(tokens !== null && { now: tokens }),
    peakTokens,
    ...(window !== null && { windowTokens: window }),
    ...(peakShare !== null && { windowShare: peakShare }),
    compactionCount,
    compactions: [...compactions],
    ...(compactionCount > 0 && { answersSinceCompaction: state.answers }),
    endedAfterCompaction,
    findings: [...findingsNow(state, at), ...state.past.toReversed()],
    ...(state.canCompact && { compactCommand: `/${COMPACT}` }),
    timeline: [...state.timeline],
    seq: state.seq,
  };
}

/** Another program's session that nobody continues: nothing was written for longer than a command can take. */
const wasAbandoned = ({ isOurs, lastAt, seq }: HealthState, at: string): boolean =>
  !isOurs && seq > 0 && Date.parse(at) - Date.parse(lastAt) > THRESHOLDS.stuckToolMs;

/** A call of the main thread that never got a result: its process was killed before. */
function cutShort({ openCalls }: HealthState): HealthState['cause'] {
  const call = openCalls.find(({ parent }) => parent === '');
  return call === undefined ? null : { cause: 'killed', seq: call.seq };
}

/** A context that had to be compacted this often is exhausted, even if no error says so. */
function exhausted({ compactionCount, compactions }: HealthState, hasEnded: boolean): HealthState['cause'] {
  const last = compactions.at(-1);
  const isExhausted = compactionCount >= THRESHOLDS.critical.compactions || (hasEnded && compactionCount >= THRESHOLDS.critical.compactionsAndEnded);
  return isExhausted && last !== undefined ? { cause: 'context_exhausted', seq: last.seq } : null;
}
