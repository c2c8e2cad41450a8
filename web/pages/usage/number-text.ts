import type { UsageList } from '../../../src/protocol/api/usage.ts';
import type { Unit } from './stack.ts';

type Figures = Pick<UsageList['total'], 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>;

export const allTokens = (of: Figures): number => of.inputTokens + of.outputTokens + of.cacheReadTokens + of.cacheWriteTokens;

/** Two or three digits and a unit are enough. */
export function shortNumber(count: number): string {
  if (count < 1000) return `${Math.round(count)}`;
  const [step, unit] = count < 999_500 ? [1e3, 'k'] : count < 999_500_000 ? [1e6, 'M'] : [1e9, 'B'];
  const value = count / step;
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`;
}

/** Small amounts get more digits. */
export function moneyText(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.001) return '< $0.001';
  if (usd < 0.1) return `$${usd.toFixed(3)}`;
  return usd < 1000 ? `$${usd.toFixed(2)}` : `$${Math.round(usd).toLocaleString('en-US')}`;
}

export const unitText = (value: number, unit: Unit): string => (unit === 'cost' ? moneyText(value) : shortNumber(value));

export function hoursText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms > 0 && minutes === 0) return '< 1 min';
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const FORMAT = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
export const dayText = (day: string): string => new Date(day).toLocaleDateString([], { weekday: 'short', ...FORMAT });
export const shortDay = (day: string): string => new Date(day).toLocaleDateString([], FORMAT);

/** `a, b and c`. */
export function joinNames(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  return others.length === 0 ? (last ?? '') : `${others.toReversed().join(', ')} and ${last}`;
}
