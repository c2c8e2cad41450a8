import { expect, test } from 'vitest';
import { createRepeats } from './repeats.ts';

const message = (uuid: string): string => JSON.stringify({ type: 'user', uuid });

test('a message is repeated when its uuid was there; what has none never is', () => {
  const isRepeated = createRepeats();
  const lines = [message('a'), message('b'), message('a'), '{"type":"control_request"}', '{"type":"control_request"}', 'no json', 'no json'];
  expect(lines.map(isRepeated)).toEqual([false, false, true, false, false, false, false]);
});

test('only so many are remembered, the oldest is forgotten first', () => {
  const isRepeated = createRepeats(2);
  expect(['a', 'b', 'c', 'b', 'c', 'a'].map(message).map(isRepeated)).toEqual([false, false, false, true, true, false]);
});
