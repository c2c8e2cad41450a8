import { expect, test } from 'vitest';
import { nodeId, step } from '../../../test/support/engine/plans.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { NodeId, PlanId } from '../../protocol/plan.ts';
import { criticalPath, dependentsOf, graphProblem, lengthsToEnd } from './graph.ts';

test.each([
  ['a cycle', [step('a', ['c']), step('b', ['a']), step('c', ['b'])], 'a', 'wait for each other'],
  ['an unknown need', [step('a'), step('b', ['x'])], 'b', '"x"'],
  ['a step that needs itself', [step('a', ['a'])], 'a', 'needs itself'],
  ['a duplicate id', [step('a'), step('b'), step('b')], 'b', 'two steps'],
  ['a need named twice', [step('a'), step('b', ['a', 'a'])], 'b', 'twice'],
  ['an empty prompt', [step('a', [], { prompt: ' \n' })], 'a', 'no prompt'],
  ['a prompt of 11 MB', [step('a', [], { prompt: 'x'.repeat(LIMITS.messageTextBytes + 1) })], 'a', 'longer than'],
] as const)('[R619] %s is refused by the name of its step', (_, nodes, node, words) => {
  expect(graphProblem(nodes)).toEqual({ node, message: expect.stringContaining(words) });
});

test('[R619] 201 steps are refused, 200 are not; ids have their lengths', () => {
  const many = Array.from({ length: 201 }, (_, at) => step(`s${at}`));
  expect(graphProblem(many)?.message).toContain('at most 200');
  expect(graphProblem(many.slice(1))).toBeUndefined();
  expect([PlanId, NodeId].map((id, at) => [id.safeParse('a'.repeat([40, 48][at] ?? 0)).success, id.safeParse('a'.repeat([41, 49][at] ?? 0)).success])).toEqual([
    [true, false],
    [true, false],
  ]);
  expect(['A', 'a_b', '-a', ''].map((id) => NodeId.safeParse(id).success)).toEqual([false, false, false, false]);
});

test('a gate needs no prompt; dependents, lengths and the critical path follow the needs', () => {
  const nodes = [step('a'), step('b', ['a']), step('c', ['a']), step('d', ['b'], { kind: 'gate', prompt: '' }), step('e')];
  expect(graphProblem(nodes)).toBeUndefined();
  expect([...dependentsOf(nodes, nodeId('a'))].sort()).toEqual(['b', 'c', 'd']);
  expect(Object.fromEntries(lengthsToEnd(nodes))).toEqual({ a: 3, b: 2, c: 1, d: 1, e: 1 });
  expect(criticalPath(nodes)).toEqual(['a', 'b', 'd']);
});
