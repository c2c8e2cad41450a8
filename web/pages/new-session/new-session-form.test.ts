import { expect, test } from 'vitest';
import { createBody, isOffered, modesFor } from './new-session-form.ts';

const base = { agent: 'demo', cwd: '/p' };

test('what is left empty is not sent', () => {
  expect(createBody({ ...base, model: ' ', addDirs: '\n', env: '', maxTurns: '', resume: '' }, 'i')).toEqual({ ...base, id: 'i' });
});

test('lists are one entry a line, variables are name and value, numbers are numbers', () => {
  const typed = { addDirs: '/a\n /b \n', allowedTools: 'Read', env: 'A=1\nB=x=y', maxTurns: '7' };
  expect(createBody({ ...base, ...typed }, 'i')).toMatchObject({ addDirs: ['/a', '/b'], allowedTools: ['Read'], env: { A: '1', B: 'x=y' }, maxTurns: 7 });
});

test('a past conversation is gone on with, or copied', () => {
  expect(createBody({ ...base, resume: 'x' }, 'i')).toMatchObject({ resume: 'x' });
  expect(createBody({ ...base, resume: 'x', fork: true }, 'i')).toMatchObject({ resume: 'x', fork: true });
});

test('a variable without a value is refused in words', () => {
  expect(() => createBody({ ...base, env: 'HOME' }, 'i')).toThrow('“HOME” is no variable');
});

test('what was typed for another agent and this one has nothing like stays in sight and is sent; only what is empty is hidden', () => {
  const refused = ['disallowedTools', 'appendSystemPrompt', 'maxTurns'];
  const form = { ...base, disallowedTools: 'Bash', maxTurns: ' ' };
  expect((['disallowedTools', 'appendSystemPrompt', 'maxTurns', 'addDirs'] as const).map((name) => isOffered(name, form, refused))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(createBody(form, 'i')).toEqual({ ...base, disallowedTools: ['Bash'], id: 'i' });
});

test('a mode that was chosen with another agent is shown, as one that this agent cannot, because it would be sent', () => {
  const known = ['default', 'plan'];
  expect(modesFor({ permissionMode: 'plan' }, known).map(({ mode }) => mode)).toEqual(known);
  expect(modesFor({ permissionMode: 'acceptEdits' }, known).at(-1)).toEqual({ mode: 'acceptEdits', isKnown: false });
  expect(modesFor({ permissionMode: '' }, [])).toEqual([]);
});
