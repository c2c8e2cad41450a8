import { expect, test } from 'vitest';
import { createBody, isOffered, modesFor } from './new-session-form.ts';

const base = { agent: 'demo', cwd: '/p' };

test('empty fields are not sent', () => {
  expect(createBody({ ...base, model: ' ', addDirs: '\n', env: '', maxTurns: '', resume: '' }, 'i')).toEqual({ ...base, id: 'i' });
});

test('lists have one entry per line, variables are name and value, numbers are numbers', () => {
  const typed = { addDirs: '/a\n /b \n', allowedTools: 'Read', env: 'A=1\nB=x=y', maxTurns: '7' };
  expect(createBody({ ...base, ...typed }, 'i')).toMatchObject({ addDirs: ['/a', '/b'], allowedTools: ['Read'], env: { A: '1', B: 'x=y' }, maxTurns: 7 });
});

test('a past conversation is continued, or continued in a copy', () => {
  expect(createBody({ ...base, resume: 'x' }, 'i')).toMatchObject({ resume: 'x' });
  expect(createBody({ ...base, resume: 'x', fork: true }, 'i')).toMatchObject({ resume: 'x', fork: true });
});

test('a variable without a value is refused with a message', () => {
  expect(() => createBody({ ...base, env: 'HOME' }, 'i')).toThrow('“HOME” is not a variable');
});

test('options typed for another agent stay visible and are sent even if this agent doesn’t support them; only empty ones are hidden', () => {
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

test('a mode chosen with another agent is shown as unsupported, because it would be sent', () => {
  const known = ['default', 'plan'];
  expect(modesFor({ permissionMode: 'plan' }, known).map(({ mode }) => mode)).toEqual(known);
  expect(modesFor({ permissionMode: 'acceptEdits' }, known).at(-1)).toEqual({ mode: 'acceptEdits', isKnown: false });
  expect(modesFor({ permissionMode: '' }, [])).toEqual([]);
});

test('[R412] Signalbox’s tools are on unless the switch is off', () => {
  expect(createBody({ ...base, tools: true }, 'i')).toEqual({ ...base, id: 'i' });
  expect(createBody({ ...base, tools: false }, 'i')).toEqual({ ...base, id: 'i', tools: false });
});
