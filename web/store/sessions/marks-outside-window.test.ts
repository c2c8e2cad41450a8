import { expect, test } from 'vitest';
import { openTranscript } from '../../../src/domain/transcript/transcript.ts';
import type { Event, EventBody } from '../../../src/protocol/event.ts';
import type { OpenSession } from '../state/app-state.ts';
import { marksOutsideWindow } from './marks-outside-window.ts';

const at = '2026-01-01T10:00:00Z';
const numbered = (first: number, ...bodies: readonly EventBody[]) => bodies.map((body, index) => ({ ...body, v: 1, seq: first + index, at }) as Event);
const answer: EventBody = { type: 'assistant.text', messageId: 'm1', index: 0, text: 'hello' };

test('recent marks on an item far from the end are shown, in order, in the window around it', () => {
  const marks: readonly EventBody[] = [
    { type: 'item.marked', target: 2, item: 'far', star: true },
    { type: 'item.marked', target: 3, item: 'other', star: true },
    { type: 'item.marked', target: 2, item: 'far', star: false, note: 'why' },
  ];
  const end: OpenSession = { transcript: openTranscript(numbered(900, answer, ...marks)), older: 'idle', jumps: 0 };
  const away: OpenSession = { ...end, away: { transcript: openTranscript(numbered(2, answer)), older: 'idle', newer: 'idle' } };

  expect(marksOutsideWindow(away, 'far')?.map(({ seq }) => seq)).toEqual([901, 903]);
  expect(marksOutsideWindow(away, 'none')).toBeUndefined();
  expect(marksOutsideWindow(end, 'far')).toBeUndefined();
});
