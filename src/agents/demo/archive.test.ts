import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archive } from './archive.ts';
import { past } from './history.ts';
import { openRecollection } from './program/recollection.ts';

/** What the program writes of one turn, with a message that joined it. */
function remembered(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
  const recollection = openRecollection(folder, 'talk', { mustExist: false, copyOf: undefined, after: undefined });
  if ('missing' in recollection) throw new Error('a new conversation is never missing');
  recollection.took('input-1', 'Set the points');
  recollection.took('input-2', 'and the signal');
  recollection.answered('input-2', '', []);
  recollection.answered('input-1', 'Both are set.', ['turn1:1', 'turn1:3']);
  return readFileSync(join(folder, 'talk.jsonl'), 'utf8').trimEnd().split('\n');
}

test('what was remembered has the ids under which it was printed, and its times', () => {
  const told = remembered().flatMap((line) => archive.read(line, {}).observations);
  expect(told).toMatchObject([
    { type: 'user.message', itemId: 'input-1', uuid: 'input-1', text: 'Set the points', agentAt: expect.any(String) },
    { type: 'user.message', itemId: 'input-2', uuid: 'input-2', text: 'and the signal' },
    { type: 'assistant.text', itemId: 'turn1:3', uuid: 'turn1:3', messageId: 'turn1', index: 3, text: 'Both are set.' },
  ]);
});

test('line by line it is the same conversation as in one go', () => {
  const lines = remembered();
  const steps = past.reading(lines.join('\n'));
  let step = steps.next();
  while (!step.done) step = steps.next();
  expect(lines.flatMap((line) => archive.read(line, {}).observations)).toEqual(step.value.observations);
  expect(lines.map((line) => archive.read(line, {}).facts?.title)).toEqual([undefined, 'Set the points', 'and the signal', undefined, undefined]);
  expect(archive.read(lines[0] ?? '', {}).facts?.cwd).toBe(process.cwd());
});

test('a line that it never wrote is shown as it stands', () => {
  for (const line of ['', '{', 'null', '[]', '7', '{"type":"novelty"}', '{"type":{}}'])
    expect(archive.read(line, {}).observations).toMatchObject([{ type: 'unrecognised', raw: line }]);
  for (const line of ['{"type":"user","id":7,"text":"a"}', '{"type":"answered","id":"a","text":[]}', '{"type":"user","id":"","text":"a"}']) {
    expect(archive.read(line, {}).observations).toEqual([]);
  }
});

test('by its path, a file in the folder itself is a conversation, and nothing else is', () => {
  expect(archive.recordOf('talk.jsonl')).toEqual({ kind: 'lines', agentSessionId: 'talk' });
  for (const path of ['talk.json', 'a/talk.jsonl', '.talk.jsonl', 'talk.jsonl~']) expect(archive.recordOf(path)).toBeUndefined();
  expect(archive.roots({ HOME: '/home/dev' })).toEqual(['/home/dev/.signalbox-demo']);
});
