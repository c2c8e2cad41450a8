import { expect, test } from 'vitest';
import { wireText } from './wire-frame.ts';

const sizes: readonly (readonly [bytes: number, head: string])[] = [
  [0, '8100'],
  [1, '8101'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
];
for (const [bytes, head] of sizes) {
  test(`a text of ${bytes} bytes has the header ${head}`, () => {
    const frame = wireText('a'.repeat(bytes));
    expect(frame.toString('hex', 0, head.length / 2)).toBe(head);
    expect(frame.length).toBe(head.length / 2 + bytes);
  });
}

test('the length counts bytes, not characters', () => {
  expect(wireText('ü').toString('hex')).toBe('8102c3bc');
});
