import type { Linked } from '../steps/step-view.ts';

/** What the rails beside one row look like. Lanes count from the left. */
export interface Rail {
  readonly id: string;
  /** The lane with the row's sign. */
  readonly lane: number;
  /** Lanes that pass by from top to bottom. */
  readonly through: readonly number[];
  /** Lanes that come from above and end at the sign. */
  readonly into: readonly number[];
  /** The lane goes on below the sign: other steps need this one. */
  readonly isNeeded: boolean;
}

/** More lanes would leave no room for words on a phone: the last one is then shared. */
export const MAX_LANES = 6;

/** The steps as a list from top to bottom, each below what it needs, with the rails that connect them. */
export function railsOf(steps: readonly Linked[]): readonly Rail[] {
  const ordered = inOrder(steps);
  const left = dependentCounts(ordered);
  /** By lane: the step whose rail it is. */
  const lanes: (string | undefined)[] = [];
  return ordered.map(({ id, needs }) => {
    const incoming = needs.flatMap((need) => (lanes.includes(need) ? [lanes.indexOf(need)] : []));
    for (const need of needs) left.set(need, (left.get(need) ?? 0) - 1);
    const ending = incoming.filter((lane) => (left.get(lanes[lane] ?? '') ?? 0) === 0);
    for (const lane of ending) lanes[lane] = undefined;
    const through = lanes.flatMap((step, lane) => (step === undefined ? [] : [lane]));
    const lane = Math.min(...ending, firstFree(lanes));
    const isNeeded = (left.get(id) ?? 0) > 0;
    lanes[lane] = isNeeded ? id : undefined;
    return { id, lane: shown(lane), through: unique(through), into: unique(incoming), isNeeded };
  });
}

const shown = (lane: number): number => Math.min(lane, MAX_LANES - 1);
const unique = (lanes: readonly number[]): readonly number[] => [...new Set(lanes.map(shown))].sort((a, b) => a - b);

const firstFree = (lanes: readonly (string | undefined)[]): number => (lanes.includes(undefined) ? lanes.indexOf(undefined) : lanes.length);

function dependentCounts(steps: readonly Linked[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { needs } of steps) for (const need of needs) counts.set(need, (counts.get(need) ?? 0) + 1);
  return counts;
}

/**
 * Every step after what it needs. Of those that could come next, the one that continues the latest rows comes first, so that a chain stays together.
 * Steps of a cycle, which a plan never has, keep their order at the end.
 */
export function inOrder<T extends Linked>(steps: readonly T[]): readonly T[] {
  const known = new Set(steps.map(({ id }) => id));
  const placed = new Map<string, number>();
  const ordered: T[] = [];
  const open = [...steps];
  while (open.length > 0) {
    const next = bestOf(open, known, placed);
    if (next === undefined) return [...ordered, ...open];
    open.splice(open.indexOf(next), 1);
    placed.set(next.id, ordered.length);
    ordered.push(next);
  }
  return ordered;
}

function bestOf<T extends Linked>(open: readonly T[], known: ReadonlySet<string>, placed: ReadonlyMap<string, number>): T | undefined {
  let best: { readonly step: T; readonly rank: number } | undefined;
  for (const step of open) {
    const needs = step.needs.filter((need) => known.has(need));
    if (!needs.every((need) => placed.has(need))) continue;
    const rank = Math.max(-1, ...needs.map((need) => placed.get(need) ?? -1));
    if (best === undefined || rank > best.rank) best = { step, rank };
  }
  return best?.step;
}
