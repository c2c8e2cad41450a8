/** The last moment with a four-digit year. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds since 1970, within the valid range: files and lines can contain anything. */
export const clamped = (ms: number): number => (ms > 0 ? Math.min(ms, LAST) : 0);

export const isoOf = (ms: number): string => new Date(clamped(ms)).toISOString();

/** All parts of a line have the same time, so the last one is cached. */
let last: { readonly text: string; readonly ms: number | undefined; readonly iso: string | undefined } = { text: '', ms: undefined, iso: undefined };

function known(text: string): typeof last {
  if (text === last.text) return last;
  const parsed = Date.parse(text);
  const ms = Number.isNaN(parsed) ? undefined : clamped(parsed);
  last = { text, ms, iso: ms === undefined ? undefined : isoOf(ms) };
  return last;
}

/** The moment a text names, in any format. */
export const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : known(text).ms);

/** The same moment in ISO format. */
export const isoTime = (text: string | undefined): string | undefined => (text === undefined ? undefined : known(text).iso);
