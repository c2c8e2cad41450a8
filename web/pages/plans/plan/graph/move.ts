import type { Linked } from '../steps/step-view.ts';
import type { Place } from './layout.ts';

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

export const isArrow = (key: string): key is Arrow => /^Arrow(Left|Right|Up|Down)$/.test(key);

/** Left and right follow the lines to the nearest step; up and down stay in the column, or go to the nearest one if it has no other. */
export function stepBeside(steps: readonly Linked[], places: ReadonlyMap<string, Place>, from: string | undefined, to: Arrow): string | undefined {
  const at = from === undefined ? undefined : places.get(from);
  if (from === undefined || at === undefined) return firstOf(places);
  const distance = (id: string): number => {
    const place = places.get(id);
    return place === undefined ? Number.POSITIVE_INFINITY : Math.abs(place.y - at.y) + Math.abs(place.x - at.x) / 4;
  };
  const nearest = (ids: readonly string[]): string | undefined => ids.toSorted((a, b) => distance(a) - distance(b))[0];
  if (to === 'ArrowLeft') return nearest(steps.find(({ id }) => id === from)?.needs ?? []);
  if (to === 'ArrowRight') return nearest(steps.filter(({ needs }) => needs.includes(from)).map(({ id }) => id));
  const isBeyond = ({ y }: Place): boolean => (to === 'ArrowUp' ? y < at.y : y > at.y);
  const beyond = [...places].filter(([, place]) => isBeyond(place));
  const column = beyond.filter(([, { x }]) => x === at.x);
  return nearest((column.length > 0 ? column : beyond).map(([id]) => id));
}

/** The upper left one. */
const firstOf = (places: ReadonlyMap<string, Place>): string | undefined => [...places].sort(([, a], [, b]) => a.x - b.x || a.y - b.y)[0]?.[0];
