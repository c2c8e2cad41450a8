import type { ContextPoint, SessionHealth } from '../../protocol/api/health.ts';
import type { HealthBrief } from '../../protocol/session.ts';
import { morePressing } from './timeline.ts';

const LINE_FIGURES = 24;

/** The part of a session's health that lists show. */
export function briefOf(health: SessionHealth): HealthBrief {
  const { pressure, cause, now, peakTokens, windowTokens, compactionCount, findings, timeline } = health;
  return {
    pressure,
    ...(cause !== undefined && { cause }),
    ...(now !== undefined && { now }),
    peakTokens,
    ...(windowTokens !== undefined && { windowTokens }),
    compactions: compactionCount,
    findings: [...new Set(findings.filter(({ active }) => active).map(({ kind }) => kind))],
    line: lineOf(timeline),
  };
}

/** The most pressing point of each interval; a compaction is negative. */
function lineOf(timeline: readonly ContextPoint[]): number[] {
  const intervals: ContextPoint[] = [];
  const figures = Math.min(LINE_FIGURES, timeline.length);
  timeline.forEach((point, index) => {
    const interval = Math.floor((index * figures) / timeline.length);
    const known = intervals[interval];
    intervals[interval] = known === undefined ? point : morePressing(known, point);
  });
  return intervals.map(({ tokens, compacted }) => (compacted ? -tokens : tokens));
}
