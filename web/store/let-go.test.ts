import { expect, test } from 'vitest';
import { openTranscript } from '../../src/domain/transcript/transcript.ts';
import { journalOf, longStory, type SampleEvent } from '../../test/support/sample-journal.ts';
import { letGo, settledBefore } from './let-go.ts';

const opened = (story: readonly SampleEvent[]) => ({ transcript: openTranscript(journalOf(new Date(0), story)), older: 'none' as const, jumps: 0 });
const TASK: SampleEvent = { type: 'tool.started', toolUseId: 'task', name: 'Task', input: {} };

test('[R266] a window at the end that grew long lets go of its oldest events, and shows the same at its end', () => {
  const before = opened(longStory(300));
  const after = letGo(before);

  expect(after.transcript.events).toHaveLength(600);
  expect(after.transcript.lastSeq).toBe(1200);
  expect(after.transcript.rows).toEqual(before.transcript.rows.slice(-after.transcript.rows.length));
  expect(after.transcript.items.get(after.transcript.rows.at(-1) ?? '')).toBe(before.transcript.items.get(before.transcript.rows.at(-1) ?? ''));
  expect(after.older).toBe('idle');
});

test('a window of usual length stays as it is', () => {
  const before = opened(longStory(100));

  expect(letGo(before)).toBe(before);
});

test('a person who reads further up keeps everything', () => {
  const end = opened(longStory(300));
  const before = { ...end, away: { transcript: end.transcript, older: 'idle' as const, newer: 'idle' as const } };

  expect(letGo(before)).toBe(before);
});

const cases = [
  ['a call that has not returned', [TASK]],
  ['a request without an answer', [{ type: 'permission.requested', requestId: 'r', agentRequestId: 'a', tool: 'Bash', input: {}, kind: 'tool' }]],
  ['a message that waits', [{ type: 'input.accepted', commandId: 'c', text: 'later', mode: 'queue' }]],
] as const;
for (const [name, open] of cases) {
  test(`nothing is let go of from ${name} on`, () => {
    const events = journalOf(new Date(0), [...longStory(2), ...open, ...longStory(300)]);

    expect(settledBefore(events, 600)).toBe(8);
  });
}
