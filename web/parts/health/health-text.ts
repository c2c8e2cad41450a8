import type { Cause, Pressure } from '../../../src/protocol/api/health.ts';
import type { HealthBrief } from '../../../src/protocol/session.ts';
import { countText, tokensText } from '../../base/text/format.ts';

const PRESSURES: Readonly<Record<Pressure, string>> = {
  none: 'plenty of room',
  moderate: 'filling up',
  high: 'nearly full: the agent may soon forget',
  critical: 'full: the agent has forgotten earlier parts or is about to',
};

const CAUSES: Readonly<Record<Cause, string>> = {
  context_exhausted: 'stopped: context full',
  output_token_limit: 'answer cut off at the length limit',
  rate_limited: 'stopped by an account limit',
  auth: 'stopped: not signed in',
  killed: 'crashed mid-turn',
  error: 'stopped by an error',
};

const FINDINGS: Readonly<Record<string, string>> = {
  loop: 'repeating a failing call',
  'stuck-tool': 'a tool is stuck',
  silent: 'silent for a long time',
  'api-errors': 'repeated model errors',
  'compaction-failed': 'compaction failed',
};

export const pressureText = (pressure: Pressure): string => PRESSURES[pressure];
export const causeText = (cause: Cause): string => CAUSES[cause];

/** How full, of what: `90k of 200k tokens (45 %)`. */
export function tokensOfWindowText(tokens: number, window: number | undefined): string {
  if (window === undefined || window <= 0) return `${tokensText(tokens)} tokens`;
  return `${tokensText(tokens)} of ${tokensText(window)} tokens (${Math.round((100 * tokens) / window)} %)`;
}

/** What a list shows as a sparkline and a sign, as text. */
export function briefText(brief: HealthBrief): string {
  const { pressure, cause, now, peakTokens, windowTokens, compactions, findings } = brief;
  const parts = [
    peakTokens === 0 && compactions === 0 ? '' : `Context: ${pressureText(pressure)}`,
    now === undefined ? '' : `${tokensOfWindowText(now, windowTokens)} used`,
    peakTokens === 0 ? '' : `peak ${tokensText(peakTokens)}`,
    compactions === 0 ? '' : countText(compactions, 'compaction'),
    ...findings.map((finding) => FINDINGS[finding] ?? finding),
    cause === undefined ? '' : causeText(cause),
  ];
  return parts.filter((part) => part !== '').join('; ');
}
