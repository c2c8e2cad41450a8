import { expect, test } from 'vitest';
import { newsOf } from '../../../../src/domain/plan/news.ts';
import { summarizePlan } from '../../../../src/domain/plan/summary.ts';
import { samplePlan, sampleStep } from '../../../../test/support/plans/sample-plan.ts';
import { bodyOf, FRESH_PLAN, isComplete } from './new-plan-form.ts';
import { plansMatching, plansWithNews } from './plan-list.ts';

const old = samplePlan([sampleStep('a')], { updatedAt: '2026-11-19T10:00:00.000Z', cwd: '/shop' });
const newer = { ...old, status: 'running' as const, updatedAt: '2026-11-19T11:00:00.000Z' };

test('[R672] what the server says about a plan replaces what was loaded, unless it is older', () => {
  expect(plansWithNews([summarizePlan(old)], new Map([[old.id, newsOf(newer)]])).map(({ status }) => status)).toEqual(['running']);
  expect(plansWithNews([summarizePlan(newer)], new Map([[old.id, newsOf(old)]])).map(({ status }) => status)).toEqual(['running']);
  expect(plansWithNews([], new Map([[old.id, newsOf(old)]]))).toHaveLength(1);
});

test('an empty filter matches every plan', () => {
  const plans = [summarizePlan(old)];
  expect(plansMatching(plans, { status: '', agent: '' })).toHaveLength(1);
  expect(plansMatching(plans, { status: 'running' })).toHaveLength(0);
  expect(plansMatching(plans, { project: '/shop' })).toHaveLength(1);
});

test('a plan from a task is named after its first line; a copy has the steps of the other plan', () => {
  const form = { ...FRESH_PLAN, cwd: '/shop', agent: 'demo', task: 'Add search\nwith tests', usd: '2' };
  expect(isComplete(form)).toBe(true);
  expect(isComplete({ ...form, task: ' ' })).toBe(false);
  expect(bodyOf(form, undefined)).toMatchObject({ title: 'Add search', goal: 'Add search\nwith tests', budget: { usd: 2 }, defaults: { agent: 'demo' } });
  expect(() => bodyOf({ ...form, usd: '-1' }, undefined)).toThrow('above zero');
  const file = { signalboxPlan: 1 as const, title: 'Nightly', nodes: [sampleNode('a')], parallel: 4 };
  expect(bodyOf({ ...form, way: 'copy' }, file)).toMatchObject({ title: 'Nightly', parallel: 4, nodes: [{ id: 'a' }], cwd: '/shop' });
});

function sampleNode(name: string) {
  const { id, title, prompt, needs } = sampleStep(name);
  return { id, title, prompt, needs };
}
