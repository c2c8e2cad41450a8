/** The last moment that is written with four digits of a year. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds since 1970, within what can be written as a time: files and lines bear whatever somebody put there. */
export const clamped = (ms: number): number => (ms > 0 ? Math.min(ms, LAST) : 0);

export const isoOf = (ms: number): string => new Date(clamped(ms)).toISOString();

/** Every part of a line bears the same time: the last one that was asked for is known. */
let last: { readonly text: string; readonly ms: number | undefined; readonly iso: string | undefined } = { text: '', ms: undefined, iso: undefined };

function known(text: string): typeof last {
  if (text === last.text) return last;
  const parsed = Date.parse(text);
  const ms = Number.isNaN(parsed) ? undefined : clamped(parsed);
  last = { text, ms, iso: ms === undefined ? undefined : isoOf(ms) };
  return last;
}

/** The moment that a text names, whichever way it is written. */
export const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : known(text).ms);

/** The same moment written as all others are. */
export const isoTime = (text: string | undefined): string | undefined => (text === undefined ? undefined : known(text).iso);
