import { expect, test } from 'vitest';
import { layoutGraph, STEP_HEIGHT, STEP_WIDTH } from './layout.ts';

const step = (id: string, ...needs: readonly string[]) => ({ id, needs });

test('a step is right of everything it needs, and no two steps overlap', () => {
  const steps = [step('d', 'b', 'c'), step('b', 'a'), step('c', 'a'), step('a'), step('e', 'a', 'd'), step('alone')];
  const { places, lines } = layoutGraph(steps);
  for (const { id, needs } of steps) for (const need of needs) expect(x(need) + STEP_WIDTH, `${need} → ${id}`).toBeLessThan(x(id));
  const all = [...places.values()];
  for (const [at, a] of all.entries()) {
    for (const b of all.slice(at + 1)) expect(Math.abs(a.x - b.x) >= STEP_WIDTH || Math.abs(a.y - b.y) >= STEP_HEIGHT).toBe(true);
  }
  expect(lines.map(({ id }) => id).sort()).toEqual(['a>b', 'a>c', 'a>e', 'b>d', 'c>d', 'd>e']);
  function x(id: string): number {
    return places.get(id)?.x ?? Number.NaN;
  }
});

test('the same steps get the same places, whatever else changes', () => {
  const steps = [step('a'), step('b', 'a'), step('c', 'a')];
  expect(layoutGraph(steps)).toEqual(layoutGraph(steps.map((one) => ({ ...one }))));
});

test('200 steps are placed', () => {
  const steps = Array.from({ length: 200 }, (_, at) => step(`s${at}`, ...(at < 10 ? [] : [`s${at - 10}`, `s${at - (at % 10) - 10}`])));
  const { places } = layoutGraph(steps);
  expect(places.size).toBe(200);
  expect(new Set([...places.values()].map((place) => JSON.stringify(place))).size).toBe(200);
});
