import { expect, test } from 'vitest';
import { suggestionWords } from './suggestion-words.ts';

const cases = [
  ['a mode', { type: 'setMode', mode: 'acceptEdits', destination: 'session' }, 'From now on it edits freely', 'session'],
  [
    'a rule',
    { type: 'addRules', rules: [{ toolName: 'Shell', ruleContent: 'npm test' }], behavior: 'allow', destination: 'localSettings' },
    'Allow Shell npm test',
    'project',
  ],
  ['a folder', { type: 'addDirectories', directories: ['/srv'], destination: 'userSettings' }, 'Let it work in /srv too', 'everywhere'],
  ['an option of its own', { optionId: 'always', name: 'Always allow' }, 'Always allow', 'everywhere'],
  ['something new', { type: 'x' }, '{"type":"x"}', 'everywhere'],
] as const;
for (const [name, suggestion, words, reach] of cases) {
  test(`an agent's suggestion of ${name} is told in words, with its reach`, () => expect(suggestionWords(suggestion)).toEqual({ words, reach }));
}
