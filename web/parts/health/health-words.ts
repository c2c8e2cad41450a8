import type { Cause, Pressure } from '../../../src/protocol/api/health.ts';
import type { HealthBrief } from '../../../src/protocol/session.ts';
import { countText, tokensText } from '../../base/words/words.ts';

const PRESSURES: Readonly<Record<Pressure, string>> = {
  none: 'room enough',
  moderate: 'filling up',
  high: 'tight: it may soon forget',
  critical: 'overfull: it has forgotten, or is about to',
};

const CAUSES: Readonly<Record<Cause, string>> = {
  context_exhausted: 'stopped because its context was full',
  output_token_limit: 'its answer was cut at the length limit',
  rate_limited: 'stopped by a limit of the account',
  auth: 'stopped because it was not signed in',
  killed: 'cut off in the middle of its work',
  error: 'stopped by an error',
};

const FINDINGS: Readonly<Record<string, string>> = {
  loop: 'repeats a failing call',
  'stuck-tool': 'a tool hangs',
  silent: 'silent for long',
  'api-errors': 'its model fails again and again',
  'compaction-failed': 'could not compact',
};

export const pressureText = (pressure: Pressure): string => PRESSURES[pressure];
export const causeText = (cause: Cause): string => CAUSES[cause];

/** How full, of what: `90k of 200k tokens (45 %)`. */
export function fullText(tokens: number, window: number | undefined): string {
  if (window === undefined || window <= 0) return `${tokensText(tokens)} tokens`;
  return `${tokensText(tokens)} of ${tokensText(window)} tokens (${Math.round((100 * tokens) / window)} %)`;
}

/** Everything a list shows by a line and a sign, in words. */
export function briefText(brief: HealthBrief): string {
  const { pressure, cause, now, peakTokens, windowTokens, compactions, findings } = brief;
  const parts = [
    peakTokens === 0 && compactions === 0 ? '' : `Context: ${pressureText(pressure)}`,
    now === undefined ? '' : `now ${fullText(now, windowTokens)}`,
    peakTokens === 0 ? '' : `at most ${fullText(peakTokens, windowTokens)}`,
    compactions === 0 ? '' : countText(compactions, 'compaction'),
    ...findings.map((finding) => FINDINGS[finding] ?? finding),
    cause === undefined ? '' : causeText(cause),
  ];
  return parts.filter((part) => part !== '').join('; ');
}
