import { expect, test } from 'vitest';
import { RuleInUse } from '../../../../src/protocol/rule.ts';
import { draftOf, NEW_DRAFT, ruleOf } from './rule-draft.ts';
import { ruleText, scopeText, usageText } from './rule-text.ts';

const rule = (fields: object) =>
  RuleInUse.parse({
    id: 'x',
    behavior: 'allow',
    tool: 'Shell',
    scope: { kind: 'everywhere' },
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: { kind: 'person', id: 'a', name: 'Ada' },
    uses: 0,
    ...fields,
  });

test('a rule is complete only with a pattern', () => {
  expect(ruleOf(NEW_DRAFT)).toBeUndefined();
  expect(ruleOf({ ...NEW_DRAFT, pattern: ' npm test * ' })).toEqual({ behavior: 'allow', tool: '*', command: 'npm test *', scope: { kind: 'everywhere' } });
  expect(ruleOf({ ...NEW_DRAFT, pattern: 'x', scope: 'project' })).toBeUndefined();
});

test('narrowing a rule starts from its current values', () => {
  const existing = rule({ path: 'src/**', scope: { kind: 'project', folder: '/p' }, note: 'why' });
  const { behavior, tool, path, scope, note } = existing;
  expect(ruleOf(draftOf(existing))).toEqual({ behavior, tool, path, scope, note });
});

const words = [
  [{ command: 'npm test *' }, 'Allows the command', 'npm test *'],
  [{ behavior: 'deny', path: '.env' }, 'Denies Shell on', '.env'],
  [{ tool: '*', host: '*.example.org' }, 'Allows any tool at', '*.example.org'],
  [{ tool: 'Fetch*' }, 'Allows every call to', 'Fetch*'],
] as const;
for (const [fields, phrase, pattern] of words) {
  test(`a rule reads as: ${phrase} ${pattern}`, () => expect(ruleText(rule(fields))).toEqual({ words: phrase, pattern }));
}

test('scope and usage of a rule read as text', () => {
  expect(scopeText(rule({ scope: { kind: 'session', sessionId: 's' } }), () => 'Title')).toBe('in the session “Title”');
  expect(scopeText(rule({ scope: { kind: 'project', folder: '/p' } }), () => undefined)).toBe('in /p');
  expect(usageText(rule({}))).toBe('never used');
  expect(usageText(rule({ uses: 1, lastUsedAt: '2026-01-01T00:00:00.000Z' }))).toBe('used 1 time, last');
});
