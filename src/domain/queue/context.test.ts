import { expect, test } from 'vitest';
import { withContext } from './context.ts';

const cases = [
  ['nothing', [], 'Fix it'],
  ['a file', [{ path: 'a.ts' }], 'Fix it\n\nThe person points at:\n- a.ts'],
  ['lines of a file', [{ path: 'a.ts', fromLine: 3, toLine: 9 }], 'Fix it\n\nThe person points at:\n- a.ts, lines 3 to 9'],
  ['one line', [{ path: 'a.ts', fromLine: 3, toLine: 3 }], 'Fix it\n\nThe person points at:\n- a.ts, line 3'],
  ['a text with a fence in it', [{ text: '```\nx\n```' }], 'Fix it\n\nThe person points at:\n- this text:\n````\n```\nx\n```\n````'],
] as const;
for (const [name, context, expected] of cases) {
  test(`a person can point at ${name}`, () => expect(withContext('Fix it', context)).toBe(expected));
}
