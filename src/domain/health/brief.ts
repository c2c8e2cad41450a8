import type { ContextPoint, SessionHealth } from '../../protocol/api/health.ts';
import type { HealthBrief } from '../../protocol/session.ts';
import { morePressing } from './timeline.ts';

const LINE_FIGURES = 24;

/** What a list shows of a session's health. */
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

/** Of each stretch the most pressing point; a compaction is negative. */
function lineOf(timeline: readonly ContextPoint[]): number[] {
  const stretches: ContextPoint[] = [];
  const figures = Math.min(LINE_FIGURES, timeline.length);
  timeline.forEach((point, index) => {
    const stretch = Math.floor((index * figures) / timeline.length);
    const known = stretches[stretch];
    stretches[stretch] = known === undefined ? point : morePressing(known, point);
  });
  return stretches.map(({ tokens, compacted }) => (compacted ? -tokens : tokens));
}
