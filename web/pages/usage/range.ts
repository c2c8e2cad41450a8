export const RANGES = ['7', '30', '90', 'all'] as const;
export type Range = (typeof RANGES)[number];

export const rangeTitle = (range: Range): string => (range === 'all' ? 'All time' : `${range} days`);

const DAY_MS = 86_400_000;
const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The days of a range, including today. Days are in UTC. */
export function daysOf(range: Range, now: number): { readonly from?: string; readonly to?: string } {
  return range === 'all' ? {} : { from: dayAt(now - (Number(range) - 1) * DAY_MS), to: dayAt(now) };
}

/** Every day of a range, including days without usage. All time starts with the first day that has any. */
export function everyDay(range: Range, now: number, known: readonly string[]): readonly string[] {
  const { from = known[0] } = daysOf(range, now);
  if (from === undefined) return [];
  const last = [dayAt(now), ...known].reduce((latest, day) => (day > latest ? day : latest));
  const days: string[] = [];
  for (let time = Date.parse(from); dayAt(time) <= last; time += DAY_MS) days.push(dayAt(time));
  return days;
}
