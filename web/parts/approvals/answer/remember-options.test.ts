import { expect, test } from 'vitest';
import type { Request } from '../request/request.ts';
import { rememberOptions, whyNotKept } from './remember-options.ts';

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
const told = (proposals: Parameters<typeof rememberOptions>[1]) =>
  rememberOptions(request, proposals).map(({ words, remember, reachesFar }) => [words, remember, reachesFar]);
const theirs = ['From now on it edits freely', { suggestions: [0] }, undefined];

test('a server that proposes nothing leaves the request itself, and what the agent suggests', () => {
  expect(told({ proposals: [] })).toEqual([['Exactly this command', {}, undefined], theirs]);
});

test('a rule that allows more than what is asked says so', () => {
  const exact = { tool: 'Shell', command: 'npm test' };
  const wide = { tool: 'Shell', command: 'npm *' };
  expect(
    told({
      proposals: [
        { pattern: exact, words: 'this' },
        { pattern: wide, words: 'npm' },
        { pattern: { tool: 'Shell' }, words: 'all' },
      ],
    }),
  ).toEqual([
    ['this', { rule: exact }, undefined],
    ['npm', { rule: wide }, 'allows more than this one'],
    ['all', { rule: { tool: 'Shell' } }, 'every call of it, whatever its arguments'],
    theirs,
  ]);
});

test('what no rule may allow leaves only what the agent suggests', () => {
  expect(told({ proposals: [], cannot: 'It is not understood wholly.' })).toEqual([theirs]);
});

const kept = [
  ['session', 'driver', undefined],
  ['project', 'driver', 'needs the role owner; yours is driver'],
  ['everywhere', 'driver', 'needs the role owner; yours is driver'],
  ['everywhere', 'owner', undefined],
  ['everywhere', undefined, undefined],
] as const;
for (const [scope, role, why] of kept) {
  test(`what ${role ?? 'somebody unknown'} may keep for ${scope} is told before it is tried`, () => expect(whyNotKept(scope, role)).toBe(why));
}
