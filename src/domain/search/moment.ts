const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** The beginning of a year, month or day (of UTC), or a moment; undefined when it is none. */
export function momentOf(text: string): number | undefined {
  if (!DATE.test(text) && !TIME.test(text)) return undefined;
  const moment = Date.parse(TIME.test(text) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(moment)) return undefined;
  // JavaScript reads 2026-02-31 as a day in March; nobody means that.
  const day = text.slice(0, 10);
  return DATE.test(text) && !new Date(moment).toISOString().startsWith(day) ? undefined : moment;
}
