import { expect, test } from 'vitest';
import { PlanOp } from '../../../src/protocol/plan.ts';
import { budgetText, newSteps, opText } from './op-text.ts';

const node = { id: 'docs', title: 'Docs', prompt: 'Write them', needs: ['server', 'page'] };
const titles: Readonly<Record<string, string>> = { server: 'Server', page: 'Page' };
const text = (op: object): string => opText(PlanOp.parse(op), (id) => titles[id] ?? id);

test.each([
  [{ op: 'add', node }, 'Adds “Docs” after “Server” and “Page”'],
  [{ op: 'add', node: { ...node, needs: [] } }, 'Adds “Docs”'],
  [{ op: 'insert_between', node, from: 'server', to: 'page' }, 'Inserts “Docs” between “Server” and “Page”'],
  [{ op: 'ADD_SIBLING', node, of: 'server' }, 'Adds “Docs” next to “Server”'],
  [{ op: 'remove', node: 'page' }, 'Removes “Page”'],
  [{ op: 'rewire', node: 'page', needs: [] }, '“Page” now needs nothing'],
  [{ op: 'rewire', node: 'page', needs: ['server'] }, '“Page” now needs “Server”'],
  [{ op: 'edit', node: 'page', set: { prompt: 'x', verify: { command: 'npm test' } } }, 'Changes the prompt and check of “Page”'],
  [{ op: 'set', set: { budget: { usd: 5, turns: 1 }, parallel: 3 } }, 'Sets the plan’s budget to $5.00 and 1 turn and steps at once to 3'],
])('%j', (op, words) => expect(text(op)).toBe(words));

test('a budget without a number has no limit', () => expect(budgetText({})).toBe('no limit'));

test('steps that a change adds are named with their prompts', () => {
  expect(newSteps([PlanOp.parse({ op: 'remove', node: 'page' }), PlanOp.parse({ op: 'add', node })])).toEqual([node]);
});
