/** The last moment that is written with four digits of a year. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds since 1970, within what can be written as a time: files and lines bear whatever somebody put there. */
export const clamped = (ms: number): number => (ms > 0 ? Math.min(ms, LAST) : 0);

export const isoOf = (ms: number): string => new Date(clamped(ms)).toISOString();

/** The moment that a text names, whichever way it is written. */
export function timeOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : clamped(ms);
}

/** The same moment written as all others are. */
export function isoTime(text: string | undefined): string | undefined {
  const ms = timeOf(text);
  return ms === undefined ? undefined : isoOf(ms);
}
