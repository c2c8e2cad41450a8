import { expect, test } from 'vitest';
import { type PlanOp, PlanOps } from '../../../../../src/protocol/plan.ts';
import { samplePlan, sampleStep } from '../../../../../test/support/plans/sample-plan.ts';
import { drawPlan, isRefused, type Preview, previewOf } from './drawing.ts';
import { stepViews } from './views.ts';

const diamond = samplePlan([sampleStep('schema'), sampleStep('server', ['schema']), sampleStep('page', ['schema']), sampleStep('docs', ['server', 'page'])]);
const agentTitle = (id: string | undefined): string => id ?? 'Demo';
const facts = { sessions: new Map(), agentTitle };

const ops = (...list: readonly object[]): readonly PlanOp[] => PlanOps.parse(list);
function preview(list: readonly PlanOp[], plan = diamond): Preview {
  const result = previewOf(plan, stepViews(plan, facts), list, agentTitle);
  if (isRefused(result)) throw new Error(result.message);
  return result;
}

test('a step that is inserted between two is new, and its lines replace theirs', () => {
  const node = { id: 'review', title: 'Review', prompt: 'Look at it', needs: [] };
  const { drawing } = preview(ops({ op: 'insert_between', node, from: 'server', to: 'docs' }));
  expect([...drawing.marks]).toEqual([
    ['docs', 'rewired'],
    ['review', 'added'],
  ]);
  expect(Object.fromEntries(drawing.lineMarks)).toEqual({ 'server>review': 'added', 'review>docs': 'added', 'server>docs': 'removed' });
});

test('a removed step stays in the picture, struck through, with its lines', () => {
  const { drawing } = preview(ops({ op: 'remove', node: 'page' }));
  expect(drawing.steps.map(({ id }) => id)).toContain('page');
  expect(drawing.marks.get('page')).toBe('removed');
  expect(Object.fromEntries(drawing.lineMarks)).toEqual({ 'schema>page': 'removed', 'page>docs': 'removed', 'schema>docs': 'added' });
});

test('a change that the plan does not allow says why', () => {
  const started = samplePlan([sampleStep('schema', [], { status: 'done' }), sampleStep('server', ['schema'])]);
  const refused = previewOf(started, stepViews(started, facts), ops({ op: 'remove', node: 'schema' }), agentTitle);
  expect(isRefused(refused) && refused.message).toContain('has started');
});

test('the longest chain is the critical path; of a single chain it would be everything', () => {
  const plan = samplePlan([sampleStep('a'), sampleStep('b', ['a']), sampleStep('c', ['b']), sampleStep('d', ['a'])]);
  expect([...drawPlan(plan, stepViews(plan, facts)).critical]).toEqual(['a', 'b', 'c']);
  const chain = samplePlan([sampleStep('a'), sampleStep('b', ['a'])]);
  expect(drawPlan(chain, stepViews(chain, facts)).critical.size).toBe(0);
});

test('views of steps that did not change are the same objects', () => {
  const before = stepViews(diamond, facts);
  const after = stepViews({ ...diamond, nodes: diamond.nodes.with(1, sampleStep('server', ['schema'], { status: 'ready' })) }, facts, before);
  expect(after.map((view, at) => view === before[at])).toEqual([true, false, true, true]);
  expect(stepViews(diamond, facts, before)).toBe(before);
});
