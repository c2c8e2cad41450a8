import { expect, test } from 'vitest';
import { parseFrame } from './parse-frame.ts';

test('an event from a newer server keeps its number and text', () => {
  const event = { seq: 7, at: '2026-01-01T00:00:00.000Z', type: 'future.thing', x: 1 };
  const frame = parseFrame(JSON.stringify({ type: 'event', sessionId: 's', seq: 7, event }));

  expect(frame).toMatchObject({ type: 'event', seq: 7, event: { type: 'unrecognised', seq: 7, raw: JSON.stringify(event) } });
});

const unknownFrames = ['', 'null', '7', '{"type":"nobody"}', '{"type":"delta","sessionId":"s"}', '{"type":"event","sessionId":"s"}'];
for (const text of unknownFrames) test(`${text || 'an empty line'} is not a frame`, () => expect(parseFrame(text)).toBeUndefined());
