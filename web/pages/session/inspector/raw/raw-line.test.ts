import { expect, test } from 'vitest';
import { setOut } from './raw-line.tsx';

test('a raw line is set out by its values, and kept as it is when it is no JSON', () => {
  expect(setOut('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(setOut('{"a":')).toBe('{"a":');
});

test('[R299] a raw line that nests thousands deep is shown as it is: its indents would be megabytes', () => {
  const line = `${'['.repeat(4000)}${']'.repeat(4000)}`;
  expect(setOut(line)).toHaveLength(line.length);
});
