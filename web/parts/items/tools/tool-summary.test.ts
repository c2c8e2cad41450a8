import { expect, test } from 'vitest';
import { toolSummary } from './tool-summary.ts';
import { toolVerb } from './tool-verb.ts';

const CWD = '/home/ada/shop';
const cases = [
  ['command', { command: 'make all' }, 'make all'],
  ['command', { command: 'make all\nmake test' }, 'make all …'],
  ['read', { file_path: '/home/ada/shop/src/a.ts' }, 'src/a.ts'],
  ['read', { file_path: '/etc/hosts', offset: 10, limit: 20 }, '/etc/hosts:10–29'],
  ['read', { path: 'a.ts', offset: 3 }, 'a.ts:3–'],
  ['search', { pattern: 'wait', path: '/home/ada/shop/test' }, 'wait in test'],
  ['search', { path: '/home/ada/shop/test' }, 'test'],
  ['web', { url: 'https://example.com/a' }, 'https://example.com/a'],
  ['agent', { subagent_type: 'explore', description: 'who waits', prompt: 'long' }, 'explore: who waits'],
  ['agent', { description: 'who waits' }, 'who waits'],
  [
    'todo',
    {
      todos: [
        { content: 'look', status: 'completed' },
        { content: 'change', status: 'in_progress' },
      ],
    },
    '1 of 2 done · change',
  ],
  ['todo', { plan: [{ step: 'look', status: 'completed' }] }, '1 of 1 done'],
  ['mcp', { issue: 41, body: 'Found it.\nAll of it.', labels: ['a'] }, 'issue: 41, body: Found it.'],
  ['other', undefined, ''],
] as const;
for (const [kind, input, summary] of cases) test(`a call of kind ${kind} reads “${summary}”`, () => expect(toolSummary(kind, input, CWD)).toBe(summary));

test('a call of one of Signalbox’s tools is named in words, whatever the agent calls it', () => {
  for (const name of ['mcp__signalbox__ask_person', 'mcp__signalbox-2__ask_person', 'signalbox_ask_person', 'ask_person']) {
    expect([toolVerb('mcp', name), toolSummary('mcp', { question: 'Which\ndatabase?' }, CWD, name)]).toEqual(['Ask you', 'Which database?']);
  }
  expect(toolVerb('mcp', 'mcp__other__ask_person')).toBe('other · ask_person');
});
