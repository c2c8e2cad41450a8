import { describe, expect, test } from 'vitest';
import { PlanNode } from '../../../../../src/protocol/plan.ts';
import { EMPTY_STEP, editOps, formOf, idFor, nodeOf } from './step-form.ts';

const node = PlanNode.parse({
  id: 'server',
  title: 'Server',
  prompt: 'Write the route',
  needs: ['schema'],
  agent: 'demo',
  verify: { command: 'npm test' },
  // biome-ignore lint/suspicious/noThenProperty: a field of the protocol
  fix: { max: 2, then: 'fail' },
  timeLimitMinutes: 0,
});

describe('the form of a step', () => {
  test('a step that is opened and saved without a change asks for nothing', () => {
    expect(editOps(node, formOf(node))).toEqual([]);
    expect(nodeOf(formOf(node), 'server')).toEqual(node);
  });

  test('fields and needs are two operations, each with only what changed', () => {
    const form = { ...formOf(node), title: 'The server', needs: ['schema', 'design'] };
    expect(editOps(node, form)).toEqual([
      { op: 'edit', node: 'server', set: { title: 'The server' } },
      { op: 'rewire', node: 'server', needs: ['schema', 'design'] },
    ]);
  });

  test('empty fields are not sent, so that the plan’s defaults count', () => {
    expect(nodeOf({ ...EMPTY_STEP, title: ' Docs ', prompt: 'Write them' }, 'docs')).toEqual({ id: 'docs', title: 'Docs', prompt: 'Write them', needs: [] });
  });

  test('a number out of bounds is refused before it is sent', () => {
    expect(() => nodeOf({ ...EMPTY_STEP, title: 'a', prompt: 'b', fixMax: '9' }, 'a')).toThrow();
    expect(() => nodeOf({ ...EMPTY_STEP, title: 'a', prompt: 'b', timeLimit: 'soon' }, 'a')).toThrow();
  });
});

describe('the id of a new step', () => {
  test.each([
    ['Write the docs!', 'write-the-docs'],
    ['Überprüfung', 'uberprufung'],
    ['…', 'step'],
    ['x'.repeat(100), 'x'.repeat(44)],
  ])('%s', (title, id) => expect(idFor(title, new Set())).toBe(id));

  test('is not one that exists', () => expect(idFor('Docs', new Set(['docs', 'docs-2']))).toBe('docs-3'));
});
