import { expect, test } from 'vitest';
import { proofCount } from '../../../../../test/support/proof-length.ts';
import { seeded } from '../../../../../test/support/seeded.ts';
import type { Linked } from '../steps/step-view.ts';
import { inOrder, MAX_LANES, type Rail, railsOf } from './rails.ts';

const step = (id: string, ...needs: readonly string[]): Linked => ({ id, needs });
const DIAMOND = [step('schema'), step('server', 'schema'), step('page', 'schema'), step('docs', 'server', 'page')];

test('a diamond has two lanes, which meet again at its last step', () => {
  expect(railsOf(DIAMOND)).toEqual([
    { id: 'schema', lane: 0, through: [], into: [], isNeeded: true },
    { id: 'server', lane: 1, through: [0], into: [0], isNeeded: true },
    { id: 'page', lane: 0, through: [1], into: [0], isNeeded: true },
    { id: 'docs', lane: 0, through: [], into: [0, 1], isNeeded: false },
  ]);
});

test('a chain stays on one lane, and an independent step starts on the left when nothing passes by', () => {
  expect(railsOf([step('a'), step('b', 'a'), step('c', 'b'), step('alone')]).map(({ lane }) => lane)).toEqual([0, 0, 0, 0]);
});

test('a chain stays together, whatever the order in which its steps were added', () => {
  const steps = [step('a3', 'a2'), step('b1'), step('a1'), step('b2', 'b1'), step('a2', 'a1')];
  expect(inOrder(steps).map(({ id }) => id)).toEqual(['b1', 'b2', 'a1', 'a2', 'a3']);
});

test('every lane that leaves a row enters the next one, and each step comes after what it needs, in random graphs', () => {
  for (let seed = 1; seed <= proofCount(60); seed++) {
    const steps = randomGraph(seed);
    const rails = railsOf(steps);
    const order = rails.map(({ id }) => id);
    expect([...order].sort(), `seed ${seed}`).toEqual(steps.map(({ id }) => id).sort());
    for (const { id, needs } of steps) for (const need of needs) expect(order.indexOf(need), `seed ${seed}`).toBeLessThan(order.indexOf(id));
    let above: readonly number[] = [];
    for (const rail of rails) {
      expect(unique([...rail.through, ...rail.into]), `seed ${seed}, ${rail.id}`).toEqual(above);
      above = below(rail);
    }
    expect(above, `seed ${seed}`).toEqual([]);
    expect(Math.max(...rails.map(({ lane }) => lane))).toBeLessThan(MAX_LANES);
  }
});

const below = ({ through, lane, isNeeded }: Rail): readonly number[] => unique(isNeeded ? [...through, lane] : through);
const unique = (lanes: readonly number[]): readonly number[] => [...new Set(lanes)].sort((a, b) => a - b);

function randomGraph(seed: number): readonly Linked[] {
  const random = seeded(seed);
  const count = 1 + Math.floor(random() * 40);
  const steps = Array.from({ length: count }, (_, at) => {
    const needs = Array.from({ length: at }, (_, need) => `s${need}`).filter(() => random() < 2 / (at + 1));
    return step(`s${at}`, ...needs);
  });
  return steps.sort(() => random() - 0.5);
}
