import { expect, test } from 'vitest';
import { openTranscript } from '../../../src/domain/transcript/transcript.ts';
import type { Event, EventBody } from '../../../src/protocol/event.ts';
import type { OpenSession } from '../state/app-state.ts';
import { marksBeyond } from './marks-beyond.ts';

const at = '2026-01-01T10:00:00Z';
const numbered = (first: number, ...bodies: readonly EventBody[]) => bodies.map((body, index) => ({ ...body, v: 1, seq: first + index, at }) as Event);
const answer: EventBody = { type: 'assistant.text', messageId: 'm1', index: 0, text: 'hello' };

test('what is noted at the end on something far from it is known to whoever looks there, in its order', () => {
  const marks: readonly EventBody[] = [
    { type: 'item.marked', target: 2, item: 'far', star: true },
    { type: 'item.marked', target: 3, item: 'other', star: true },
    { type: 'item.marked', target: 2, item: 'far', star: false, note: 'why' },
  ];
  const end: OpenSession = { transcript: openTranscript(numbered(900, answer, ...marks)), older: 'idle', jumps: 0 };
  const away: OpenSession = { ...end, away: { transcript: openTranscript(numbered(2, answer)), older: 'idle', newer: 'idle' } };

  expect(marksBeyond(away, 'far')?.map(({ seq }) => seq)).toEqual([901, 903]);
  expect(marksBeyond(away, 'none')).toBeUndefined();
  expect(marksBeyond(end, 'far')).toBeUndefined();
});
