import { expect, test } from 'vitest';
import { openTranscript } from '../../../../src/domain/transcript/transcript.ts';
import { Event } from '../../../../src/protocol/event.ts';
import { type Recalled, recall, sentBefore } from './history.ts';

const message = (text: string, origin = 'person') => ({ type: 'user.message', text, origin });
const transcript = openTranscript(
  [
    message('first'),
    message('by itself', 'agent'),
    message('second'),
    message('first'),
    { type: 'input.accepted', commandId: 'c1', text: 'still waiting', mode: 'queue' },
  ].map((body, at) => Event.parse({ ...body, seq: at + 1, at: '2026-11-15T00:00:00.000Z' })),
);

test('sent messages are remembered, latest first and each once', () => {
  expect(sentBefore(transcript)).toEqual(['still waiting', 'first', 'second']);
});

const SENT = ['b', 'a'];
const steps = (...directions: readonly (1 | -1)[]): Recalled | undefined =>
  directions.reduce<Recalled | undefined>((now, by) => recall(SENT, now, now?.text ?? 'draft', by), undefined);

test('going back and forward again ends at the draft', () => {
  expect([steps(1)?.text, steps(1, 1)?.text, steps(1, 1, -1)?.text, steps(1, -1)?.text]).toEqual(['b', 'a', 'b', 'draft']);
});

test('there is nothing before the first message and nothing after the draft', () => {
  expect([steps(1, 1, 1), recall(SENT, undefined, 'draft', -1)]).toEqual([undefined, undefined]);
});

test('an edited message becomes the new draft', () => {
  expect(recall(SENT, steps(1), 'b, changed', 1)).toEqual({ back: 1, text: 'b', own: 'b, changed' });
});
