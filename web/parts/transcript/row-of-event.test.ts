import { expect, test } from 'vitest';
import { openTranscript } from '../../../src/domain/transcript/transcript.ts';
import { Event } from '../../../src/protocol/event.ts';
import { rowOfEvent } from './row-of-event.ts';

const events = [
  { type: 'user.message', text: 'look', origin: 'person', itemId: 'u1' },
  { type: 'tool.started', toolUseId: 't1', name: 'Task', input: {}, itemId: 'i1' },
  { type: 'assistant.text', text: 'outside', messageId: 'm1', index: 0, itemId: 'i2' },
  { type: 'tool.started', toolUseId: 't2', name: 'Read', input: {}, itemId: 'i3', parentToolUseId: 't1' },
  { type: 'tool.completed', toolUseId: 't2', output: 'deep', isError: false, parentToolUseId: 't1' },
  { type: 'session.status', status: 'idle', cause: 'x' },
].map((body, at) => Event.parse({ ...body, seq: at + 1, at: '2026-01-01T00:00:00.000Z' }));
const transcript = openTranscript(events);

const cases = [
  ['a message', 1, 'u1', []],
  ['a call with its own row', 2, 'tool:t1', ['tool:t1']],
  ['a subagent’s call, inside the call that started it', 4, 'tool:t1', ['tool:t2', 'branch:t1']],
  ['the output of a subagent’s call', 5, 'tool:t1', ['tool:t2', 'branch:t1']],
] as const;
for (const [name, seq, key, folds] of cases) {
  test(`an address shows ${name}`, () => {
    const row = rowOfEvent(transcript, seq);
    expect(row).toEqual({ index: transcript.rows.indexOf(key), key, folds });
  });
}

test('an event without a row is shown at the last row before it', () => {
  expect(rowOfEvent(transcript, 6)?.key).toBe(transcript.rows.at(-1));
});
