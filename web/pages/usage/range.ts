export const RANGES = ['7', '30', '90', 'all'] as const;
export type Range = (typeof RANGES)[number];

export const rangeTitle = (range: Range): string => (range === 'all' ? 'All time' : `${range} days`);

const DAY_MS = 86_400_000;
const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The days asked for, today included. Days are of UTC. */
export function daysOf(range: Range, now: number): { readonly from?: string; readonly to?: string } {
  return range === 'all' ? {} : { from: dayAt(now - (Number(range) - 1) * DAY_MS), to: dayAt(now) };
}

/** Every day from the first to the last, also those on which nothing was spent; of all time, from the first that has something. */
export function everyDay(range: Range, now: number, known: readonly string[]): readonly string[] {
  const { from = known[0] } = daysOf(range, now);
  if (from === undefined) return [];
  const last = [dayAt(now), ...known].reduce((latest, day) => (day > latest ? day : latest));
  const days: string[] = [];
  for (let time = Date.parse(from); dayAt(time) <= last; time += DAY_MS) days.push(dayAt(time));
  return days;
}
