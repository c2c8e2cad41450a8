import { expect, test } from 'vitest';
import { suggestionText } from './suggestion-text.ts';

const cases = [
  ['a mode', { type: 'setMode', mode: 'acceptEdits', destination: 'session' }, 'Accept all edits from now on', 'session'],
  [
    'a rule',
    { type: 'addRules', rules: [{ toolName: 'Shell', ruleContent: 'npm test' }], behavior: 'allow', destination: 'localSettings' },
    'Allow Shell npm test',
    'project',
  ],
  ['a folder', { type: 'addDirectories', directories: ['/srv'], destination: 'userSettings' }, 'Also allow work in /srv', 'everywhere'],
  ['a named option', { optionId: 'always', name: 'Always allow' }, 'Always allow', 'everywhere'],
  ['something new', { type: 'x' }, '{"type":"x"}', 'everywhere'],
] as const;
for (const [name, suggestion, text, reach] of cases) {
  test(`an agent's suggestion of ${name} is readable text with its scope`, () => expect(suggestionText(suggestion)).toEqual({ text, reach }));
}
