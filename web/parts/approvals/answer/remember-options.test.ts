import { expect, test } from 'vitest';
import type { Request } from '../request/request.ts';
import { firstScope, rememberOptions, whyNeverRemembered, whyScopeRefused } from './remember-options.ts';

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

test('[R353] a rule that is broader than the request says what it gives away', () => {
  const exact = { tool: 'Shell', command: 'npm test' };
  const wide = { tool: 'Shell', command: 'npm *' };
  expect(
    shown({
      proposals: [
        { pattern: exact, words: 'this' },
        { pattern: wide, words: 'npm', gives: 'Runs the project’s own code' },
      ],
    }),
  ).toEqual([['this', { rule: exact }, undefined], ['npm', { rule: wide }, 'Runs the project’s own code'], theirs]);
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

test('[R354] the form starts with the scope that the button names', () => {
  const [rule, mode] = rememberOptions(request, { proposals: [{ pattern: { tool: 'Shell', command: 'x' }, words: 'x' }] });
  if (rule === undefined || mode === undefined) throw new Error('two options are expected');
  expect(firstScope(rule, 'owner')).toBe('project');
  expect(firstScope(rule, undefined)).toBe('project');
  expect(firstScope(rule, 'driver')).toBe('session');
  // The agent's own suggestion reaches no further than the session.
  expect(firstScope(mode, 'owner')).toBe('session');
});

test('[R355] "Always" is impossible only if neither a rule nor a suggestion is left', () => {
  const { suggestions: _, ...plain } = request;
  expect(whyNeverRemembered(plain, { proposals: [], cannot: 'No rule.' })).toBe('No rule.');
  expect(whyNeverRemembered(request, { proposals: [], cannot: 'No rule.' })).toBeUndefined();
  expect(whyNeverRemembered(request, { proposals: [], cannot: 'No rule.', guarded: true })).toBe('No rule.');
  expect(whyNeverRemembered(plain, { proposals: [] })).toBeUndefined();
  expect(whyNeverRemembered(plain, undefined)).toBeUndefined();
});
