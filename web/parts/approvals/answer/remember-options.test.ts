import { expect, test } from 'vitest';
import type { Request } from '../request/request.ts';
import { rememberOptions, whyScopeRefused } from './remember-options.ts';

const request: Request = {
  requestId: 'r',
  sessionId: 's',
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  tool: 'Shell',
  kind: 'tool',
  input: { command: 'npm test' },
  subject: { kind: 'command', command: 'npm test' },
  suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
};
const shown = (proposals: Parameters<typeof rememberOptions>[1]) =>
  rememberOptions(request, proposals).map(({ text, remember, broader }) => [text, remember, broader]);
const theirs = ['Accept all edits from now on', { suggestions: [0] }, undefined];

test('without proposals, the exact request and the agent’s suggestions are offered', () => {
  expect(shown({ proposals: [] })).toEqual([['Exactly this command', {}, undefined], theirs]);
});

test('a rule that is broader than the request says so', () => {
  const exact = { tool: 'Shell', command: 'npm test' };
  const wide = { tool: 'Shell', command: 'npm *' };
  expect(
    shown({
      proposals: [
        { pattern: exact, words: 'this' },
        { pattern: wide, words: 'npm' },
        { pattern: { tool: 'Shell' }, words: 'all' },
      ],
    }),
  ).toEqual([
    ['this', { rule: exact }, undefined],
    ['npm', { rule: wide }, 'Broader than this request'],
    ['all', { rule: { tool: 'Shell' } }, 'Every call, whatever its arguments'],
    theirs,
  ]);
});

test('when no rule is possible, only the agent’s suggestions are offered', () => {
  expect(shown({ proposals: [], cannot: 'It can’t be fully understood.' })).toEqual([theirs]);
});

const scopes = [
  ['session', 'driver', undefined],
  ['project', 'driver', 'owners only; you are a driver'],
  ['everywhere', 'driver', 'owners only; you are a driver'],
  ['everywhere', 'owner', undefined],
  ['everywhere', undefined, undefined],
] as const;
for (const [scope, role, why] of scopes) {
  test(`whether ${role ?? 'an unknown person'} can create a rule for ${scope} is shown before they try`, () => expect(whyScopeRefused(scope, role)).toBe(why));
}
