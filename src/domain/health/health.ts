import type { SessionHealth } from '../../protocol/health.ts';
import { findingsNow } from './findings.ts';
import { pressureOf } from './pressure.ts';
import type { HealthState } from './state.ts';

/** What people are shown, at the time of the question. */
export function healthAt(state: HealthState, at: string): SessionHealth {
  const { tokens, window, peakTokens, peakShare, compactionCount, compactions, cause, isOver } = state;
  const endedAfterCompaction = isOver && compactionCount > 0;
  return {
    pressure: pressureOf({ compactions: compactionCount, endedAfterLast: endedAfterCompaction, peakTokens, windowShare: peakShare ?? undefined }),
    ...(cause !== null && { cause: cause.cause, causeSeq: cause.seq }),
    ...(tokens !== null && { now: tokens }),
    peakTokens,
    ...(window !== null && { windowTokens: window }),
    ...(peakShare !== null && { windowShare: peakShare }),
    compactionCount,
    compactions: [...compactions],
    endedAfterCompaction,
    findings: [...findingsNow(state, at), ...state.past.toReversed()],
    timeline: [...state.timeline],
    seq: state.seq,
  };
}
