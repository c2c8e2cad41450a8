import { expect, test } from 'vitest';
import { RuleInUse } from '../../../../src/protocol/rule.ts';
import { draftOf, NEW_DRAFT, ruleOf } from './rule-draft.ts';
import { ruleWords, scopeWords, usedWords } from './rule-words.ts';

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

test('a rule is whole only when what it speaks of is written', () => {
  expect(ruleOf(NEW_DRAFT)).toBeUndefined();
  expect(ruleOf({ ...NEW_DRAFT, pattern: ' npm test * ' })).toEqual({ behavior: 'allow', tool: '*', command: 'npm test *', scope: { kind: 'everywhere' } });
  expect(ruleOf({ ...NEW_DRAFT, pattern: 'x', scope: 'project' })).toBeUndefined();
});

test('a rule that is narrowed begins as it stands', () => {
  const given = rule({ path: 'src/**', scope: { kind: 'project', folder: '/p' }, note: 'why' });
  const { behavior, tool, path, scope, note } = given;
  expect(ruleOf(draftOf(given))).toEqual({ behavior, tool, path, scope, note });
});

const words = [
  [{ command: 'npm test *' }, 'Allows the command', 'npm test *'],
  [{ behavior: 'deny', path: '.env' }, 'Denies Shell on', '.env'],
  [{ tool: '*', host: '*.example.org' }, 'Allows any tool at', '*.example.org'],
  [{ tool: 'Fetch*' }, 'Allows every call of', 'Fetch*'],
] as const;
for (const [fields, said, pattern] of words) {
  test(`a rule is told in words: ${said} ${pattern}`, () => expect(ruleWords(rule(fields))).toEqual({ words: said, pattern }));
}

test('where it holds and how often it was used are told in words', () => {
  expect(scopeWords(rule({ scope: { kind: 'session', sessionId: 's' } }), () => 'Title')).toBe('in the session “Title”');
  expect(scopeWords(rule({ scope: { kind: 'project', folder: '/p' } }), () => undefined)).toBe('in /p');
  expect(usedWords(rule({}))).toBe('never used');
  expect(usedWords(rule({ uses: 1, lastUsedAt: '2026-01-01T00:00:00.000Z' }))).toBe('used 1 time, last');
});
