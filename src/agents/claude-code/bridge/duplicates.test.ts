import { expect, test } from 'vitest';
import { createRepeats } from './duplicates.ts';

const message = (uuid: string): string => JSON.stringify({ type: 'user', uuid });

test('a message with a known uuid is a repeat; one without a uuid never is', () => {
  const isRepeated = createRepeats();
  const lines = [message('a'), message('b'), message('a'), '{"type":"control_request"}', '{"type":"control_request"}', 'no json', 'no json'];
  expect(lines.map(isRepeated)).toEqual([false, false, true, false, false, false, false]);
});

test('the number of remembered uuids is limited; the oldest is forgotten first', () => {
  const isRepeated = createRepeats(2);
  expect(['a', 'b', 'c', 'b', 'c', 'a'].map(message).map(isRepeated)).toEqual([false, false, false, true, true, false]);
});
