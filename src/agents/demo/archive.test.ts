import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archive } from './archive.ts';
import { past } from './past.ts';
import { openConversation } from './program/conversation-file.ts';

/** What the program records for one turn, with a message that joined it. */
function recordedLines(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
  const conversation = openConversation(folder, 'talk', { mustExist: false, copyOf: undefined, after: undefined });
  if ('missing' in conversation) throw new Error('a new conversation is never missing');
  conversation.took('input-1', 'Set the points');
  conversation.took('input-2', 'and the signal');
  conversation.answered('input-2', '', []);
  conversation.answered('input-1', 'Both are set.', ['turn1:1', 'turn1:3']);
  return readFileSync(join(folder, 'talk.jsonl'), 'utf8').trimEnd().split('\n');
}

test('recorded messages have the ids they were printed with, and their times', () => {
  const observed = recordedLines().flatMap((line) => archive.read(line, {}).observations);
  expect(observed).toMatchObject([
    { type: 'user.message', itemId: 'input-1', uuid: 'input-1', text: 'Set the points', agentAt: expect.any(String) },
    { type: 'user.message', itemId: 'input-2', uuid: 'input-2', text: 'and the signal' },
    { type: 'assistant.text', itemId: 'turn1:3', uuid: 'turn1:3', messageId: 'turn1', index: 3, text: 'Both are set.' },
  ]);
});

test('reading line by line results in the same conversation as reading all at once', () => {
  const lines = recordedLines();
  const steps = past.reading(lines.join('\n'));
  let step = steps.next();
  while (!step.done) step = steps.next();
  expect(lines.flatMap((line) => archive.read(line, {}).observations)).toEqual(step.value.observations);
  expect(lines.map((line) => archive.read(line, {}).facts?.title)).toEqual([undefined, 'Set the points', 'and the signal', undefined, undefined]);
  expect(archive.read(lines[0] ?? '', {}).facts?.cwd).toBe(process.cwd());
});

test('an unknown line is shown as it is', () => {
  for (const line of ['', '{', 'null', '[]', '7', '{"type":"novelty"}', '{"type":{}}'])
    expect(archive.read(line, {}).observations).toMatchObject([{ type: 'unrecognised', raw: line }]);
  for (const line of ['{"type":"user","id":7,"text":"a"}', '{"type":"answered","id":"a","text":[]}', '{"type":"user","id":"","text":"a"}']) {
    expect(archive.read(line, {}).observations).toEqual([]);
  }
});

test('by its path, only a file directly in the folder is a conversation', () => {
  expect(archive.recordOf('talk.jsonl')).toEqual({ kind: 'lines', agentSessionId: 'talk' });
  for (const path of ['talk.json', 'a/talk.jsonl', '.talk.jsonl', 'talk.jsonl~']) expect(archive.recordOf(path)).toBeUndefined();
  expect(archive.roots({ HOME: '/home/dev' })).toEqual(['/home/dev/.signalbox-demo']);
});
