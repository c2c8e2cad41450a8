import { expect, test } from 'vitest';
import { nodeId, step } from '../../../test/support/engine/plans.ts';
import type { NodeId, PlanOp } from '../../protocol/plan.ts';
import { diffPlans } from './diff.ts';
import { applyOps, isProblem, type PlanShape } from './ops.ts';

const SHAPE: PlanShape = { head: { title: 'p' }, nodes: [step('a'), step('b', ['a']), step('c', ['b'])] };
const NONE: ReadonlySet<NodeId> = new Set();

const apply = (ops: readonly PlanOp[], started = NONE): PlanShape => {
  const shape = applyOps(SHAPE, ops, started);
  if (isProblem(shape)) throw new Error(`${shape.node}: ${shape.message}`);
  return shape;
};
const needs = ({ nodes }: PlanShape) => Object.fromEntries(nodes.map((node) => [node.id, node.needs]));

test('[R620] steps are inserted between two, beside one, removed and rewired; the names in capitals mean the same', () => {
  const between = { node: step('x'), from: nodeId('a'), to: nodeId('b') };
  for (const op of ['insert_between', 'INSERT_BETWEEN'] as const) expect(needs(apply([{ op, ...between }]))).toEqual({ a: [], b: ['x'], c: ['b'], x: ['a'] });
  for (const op of ['add_sibling', 'ADD_SIBLING'] as const) expect(needs(apply([{ op, node: step('x'), of: nodeId('b') }])).x).toEqual(['a']);
  expect(needs(apply([{ op: 'remove', node: nodeId('b') }]))).toEqual({ a: [], c: ['a'] });
  expect(needs(apply([{ op: 'rewire', node: nodeId('c'), needs: [nodeId('a')] }])).c).toEqual(['a']);
  expect(
    apply([
      { op: 'edit', node: nodeId('c'), set: { title: 'new' } },
      { op: 'set', set: { title: 'q', parallel: 3 } },
    ]),
  ).toMatchObject({
    head: { title: 'q', parallel: 3 },
    nodes: [{}, {}, { title: 'new' }],
  });
});

test.each<[string, PlanOp, string]>([
  ['removing a started step', { op: 'remove', node: nodeId('a') }, 'a'],
  ['editing a started step', { op: 'edit', node: nodeId('a'), set: { title: 'x' } }, 'a'],
  ['new needs for a started step', { op: 'rewire', node: nodeId('b'), needs: [] }, 'b'],
  ['inserting before a started step', { op: 'insert_between', node: step('x'), from: nodeId('a'), to: nodeId('b') }, 'b'],
  ['a step with a known id', { op: 'add', node: step('c') }, 'c'],
  ['an unknown step', { op: 'remove', node: nodeId('nobody') }, 'nobody'],
  ['an empty prompt', { op: 'edit', node: nodeId('c'), set: { prompt: '' } }, 'c'],
])('[R620] %s is refused with the name of the step, and nothing of the list applies', (_, op, node) => {
  const started = new Set([nodeId('a'), nodeId('b')]);
  expect(applyOps(SHAPE, [{ op: 'add', node: step('fine') }, op], started)).toMatchObject({ node, message: expect.stringContaining(node) });
});

test('a diff says what is added, removed, rewired and edited', () => {
  const after = apply([
    { op: 'insert_between', node: step('x'), from: nodeId('b'), to: nodeId('c') },
    { op: 'edit', node: nodeId('a'), set: { title: 'new', prompt: 'other' } },
    { op: 'set', set: { budget: { usd: 1 } } },
  ]);
  expect(diffPlans(SHAPE, after)).toMatchObject({
    added: [{ id: 'x' }],
    removed: [],
    rewired: [{ node: 'c', before: ['b'], after: ['x'] }],
    edited: [{ node: 'a', fields: ['title', 'prompt'] }],
    plan: ['budget'],
  });
});
