import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { extractOf, withinBytes } from './handover.ts';
import { bounded, type Inherited, inheritFrom } from './inherit.ts';

const at = '2026-11-15T01:00:00.000Z';
const event = (seq: number, body: object): Event =>
  ({ seq, at, src: { run: 'r', byte: 1 }, turnId: 't', actor: { kind: 'person', id: 'a', name: 'Ada' }, ...body }) as Event;
const past = [
  event(1, { type: 'session.created' }),
  event(2, { type: 'user.message', text: 'one', origin: 'person', commandId: 'c1' }),
  event(3, { type: 'permission.requested', requestId: 'r:1' }),
  event(4, { type: 'tool.started', toolUseId: 'x', name: 'Bash', input: {} }),
  event(5, { type: 'context.compacted', trigger: 'auto' }),
  event(6, { type: 'assistant.text', text: 'two', messageId: 'm', index: 0 }),
];

test('inherited events are those that a transcript shows, with their time and author, without the process, turn and command of the old session', () => {
  const inherited = inheritFrom(past, { messageSeq: 6 });
  expect(inherited.map((one) => one.type)).toEqual(['user.message', 'tool.started', 'context.compacted', 'assistant.text', 'tool.completed']);
  expect(inherited[0]).toEqual({ type: 'user.message', at, text: 'one', origin: 'person', actor: { kind: 'person', id: 'a', name: 'Ada' } });
});

test('messages after the one to continue from are not inherited, and a call without its result is closed', () => {
  const inherited = inheritFrom(past, { messageSeq: 4 });
  expect(inherited.map((one) => one.type)).toEqual(['user.message', 'tool.started', 'context.compacted', 'tool.completed']);
  expect(inherited.at(-1)).toMatchObject({ toolUseId: 'x', isError: true, closedBy: expect.any(String) });
});

const notice = (text: string): Inherited => ({ type: 'notice.shown', level: 'info', text, at });

test('a long past shows its last events and says how many are missing', () => {
  const many = Array.from({ length: LIMITS.inheritedEvents + 5 }, (_, n) => notice(`${n}`));
  const shown = bounded(many);
  expect(shown).toHaveLength(LIMITS.inheritedEvents + 1);
  expect(shown[0]).toMatchObject({ type: 'notice.shown', text: expect.stringMatching(/^5 earlier events/) });
  expect(shown.at(-1)).toEqual(many.at(-1));
  expect(bounded(many.slice(5))).toEqual(many.slice(5));
});

const person = (text: string): Inherited => ({ type: 'user.message', text, origin: 'person', at });
const answer = (text: string): Inherited => ({ type: 'assistant.text', text, messageId: 'm', index: 0, at });
const changed = (path: string): Inherited => ({
  type: 'tool.completed',
  toolUseId: path,
  output: '',
  isError: false,
  change: { kind: 'edit', path, patch: '' },
  at,
});

test('an extract has the first message, the last answers, the changed files and the later messages', () => {
  const text = extractOf([person('build it'), answer('built'), changed('/p/a.ts'), changed('/p/a.ts'), person('now test it'), answer('tested')]);
  expect(text.split('\n')).toEqual([
    'The first message:',
    '- build it',
    '',
    'The last answers:',
    '- built',
    '- tested',
    '',
    'Files that were changed:',
    '- /p/a.ts',
    '',
    'Later messages, the newest first:',
    '- now test it',
  ]);
});

test('an extract never exceeds its limit, and is never cut inside a character', () => {
  const text = extractOf(Array.from({ length: 500 }, () => person('🚂'.repeat(500))));
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(LIMITS.extractBytes);
  expect(encodeURIComponent(text)).not.toBe('');
  expect(withinBytes('short', 100)).toBe('short');
  expect(extractOf([])).toBe('Nothing was said.');
});
