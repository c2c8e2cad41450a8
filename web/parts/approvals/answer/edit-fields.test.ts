import { expect, test } from 'vitest';
import type { Request } from '../request/request.ts';
import { editFields, withTexts } from './edit-fields.ts';

const request = (input: Request['input'], subject?: Request['subject']): Request => ({
  requestId: 'r',
  sessionId: 's',
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  tool: 'any',
  kind: 'tool',
  input,
  subject,
});

test('only the command of a command request is editable, whatever its argument is called', () => {
  const asked = request({ cmd: 'ls -la', note: 'look' }, { kind: 'command', command: 'ls -la' });
  const fields = editFields(asked);

  expect(fields).toEqual([{ path: ['cmd'], label: 'Command', text: 'ls -la', lineEnd: '\n' }]);
  expect(withTexts(asked.input, fields, ['ls'])).toEqual({ input: { cmd: 'ls', note: 'look' } });
});

test('each new text of several edits is editable, and the others stay', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'd' },
  ];
  const asked = request({ file_path: 'x', edits }, { kind: 'edit', paths: ['x'] });
  const fields = editFields(asked);

  expect(fields.map((field) => field.label)).toEqual(['New text, edit 1', 'New text, edit 2']);
  expect(withTexts(asked.input, fields, ['b', 'D'])).toEqual({ input: { file_path: 'x', edits: [edits[0], { old_string: 'c', new_string: 'D' }] } });
});

test('everything else is edited as JSON, and anything but an object is a problem', () => {
  const asked = request({ n: 1 }, { kind: 'other' });
  const fields = editFields(asked);

  expect(withTexts(asked.input, fields, ['{"n":2}'])).toEqual({ input: { n: 2 } });
  expect(withTexts(asked.input, fields, ['[1]'])).toEqual({ problem: 'The arguments must be an object: { … }.' });
  expect(withTexts(asked.input, fields, ['{'])).toHaveProperty('problem');
});

test('a plan that is missing from the request is added to its arguments', () => {
  expect(withTexts({}, editFields(request({}), 'old'), ['new'])).toEqual({ input: { plan: 'new' } });
});

test('the argument that runs is edited, even when another has the same text', () => {
  const input = { description: 'x', command: 'x' };
  const fields = (field?: string) => editFields(request(input, { kind: 'command', command: 'x', ...(field !== undefined && { field }) }));
  expect(withTexts(input, fields('command'), ['y'])).toEqual({ input: { description: 'x', command: 'y' } });
  expect(fields().map(({ label }) => label)).toEqual(['Arguments (JSON)']);
});

test('a file keeps its line ends', () => {
  const input = { file_path: 'x', content: 'a\r\nb\r\n' };
  const fields = editFields(request(input, { kind: 'edit', paths: ['x'] }));
  expect(fields.map(({ text }) => text)).toEqual(['a\nb\n']);
  expect(withTexts(input, fields, ['a\nB\n'])).toEqual({ input: { file_path: 'x', content: 'a\r\nB\r\n' } });
});

for (const content of ['a\r\nb\n', 'a\rb']) {
  test(`text with line ends that a text area would lose is edited as JSON: ${JSON.stringify(content)}`, () => {
    expect(editFields(request({ content }, { kind: 'edit', paths: ['x'] })).map(({ path }) => path)).toEqual([[]]);
  });
}
