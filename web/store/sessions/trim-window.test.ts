import { expect, test } from 'vitest';
import { todosAmong } from '../../../src/domain/transcript/todos.ts';
import { openTranscript, queueOf } from '../../../src/domain/transcript/transcript.ts';
import type { QueuedInput } from '../../../src/protocol/session.ts';
import { journalOf, longStory, type SampleEvent } from '../../../test/support/replay/sample-journal.ts';
import { settledBefore, trimWindow } from './trim-window.ts';

const opened = (story: readonly SampleEvent[]) => ({ transcript: openTranscript(journalOf(new Date(0), story)), older: 'none' as const, jumps: 0 });
const TASK: SampleEvent = { type: 'tool.started', toolUseId: 'task', name: 'Task', input: {} };

test('[R266] a long window at the end drops its oldest events, and shows the same rows at its end', () => {
  const before = opened(longStory(300));
  const after = trimWindow(before);

  expect(after.transcript.events).toHaveLength(600);
  expect(after.transcript.lastSeq).toBe(1200);
  expect(after.transcript.rows).toEqual(before.transcript.rows.slice(-after.transcript.rows.length));
  expect(after.transcript.items.get(after.transcript.rows.at(-1) ?? '')).toBe(before.transcript.items.get(before.transcript.rows.at(-1) ?? ''));
  expect(after.older).toBe('idle');
});

test('a window of usual length stays unchanged', () => {
  const before = opened(longStory(100));

  expect(trimWindow(before)).toBe(before);
});

test('a user who reads further up keeps everything', () => {
  const end = opened(longStory(300));
  const before = { ...end, away: { transcript: end.transcript, older: 'idle' as const, newer: 'idle' as const } };

  expect(trimWindow(before)).toBe(before);
});

const cases = [
  ['a call that has not returned', [TASK]],
  ['a request without an answer', [{ type: 'permission.requested', requestId: 'r', agentRequestId: 'a', tool: 'Bash', input: {}, kind: 'tool' }]],
  ['a queued message', [{ type: 'input.accepted', commandId: 'c', text: 'later', mode: 'queue' }]],
] as const;
for (const [name, open] of cases) {
  test(`nothing is dropped from ${name} on`, () => {
    const events = journalOf(new Date(0), [...longStory(2), ...open, ...longStory(300)]);

    expect(settledBefore(events, 600)).toBe(8);
  });
}

test('a message queued when the page was opened and consumed since is not queued again', () => {
  const seed = { commandId: 'c', text: 'early', mode: 'queue', state: 'accepted', images: 0 } as unknown as QueuedInput;
  const taken: SampleEvent = { type: 'input.consumed', commandId: 'c', turnId: 't' };
  const before = { ...opened([]), transcript: openTranscript(journalOf(new Date(0), [taken, ...longStory(300)]), [seed]) };
  const waiting = { ...opened([]), transcript: openTranscript(journalOf(new Date(0), longStory(300)), [seed]) };

  expect(trimWindow(before).transcript.events.length).toBeLessThan(700);
  expect(queueOf(trimWindow(before).transcript)).toEqual([]);
  expect(trimWindow(waiting).transcript).toBe(waiting.transcript);
});

test('an unfinished to-do list keeps its calls, and trimming is not retried with every word', () => {
  const list: readonly SampleEvent[] = [
    { type: 'tool.started', toolUseId: 'todo', name: 'TodoWrite', input: { todos: [{ content: 'Find it', status: 'in_progress' }] } },
    { type: 'tool.completed', toolUseId: 'todo', output: '', isError: false },
  ];
  const before = opened([...list, ...longStory(300)]);
  const after = trimWindow(before);

  expect(todosAmong(after.transcript.items.values())).toEqual([{ content: 'Find it', status: 'in_progress' }]);
  expect(after.transcript).toBe(before.transcript);
  expect(trimWindow(after)).toBe(after);
});

test('the duration of a turn is known even if its start was dropped', () => {
  const before = opened([{ type: 'turn.started', turnId: 'long', cause: 'input' }, ...longStory(300)]);

  expect(trimWindow(before).turnStart).toMatchObject({ type: 'turn.started', seq: expect.any(Number) });
});
