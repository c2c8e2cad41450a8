import { expect, test } from 'vitest';
import { prettyPrinted } from './raw-line.tsx';

test('a raw line of JSON is pretty-printed, any other line is shown unchanged', () => {
  expect(prettyPrinted('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(prettyPrinted('{"a":')).toBe('{"a":');
});

test('[R299] a raw line that nests thousands deep is shown unchanged, because its indents would be megabytes', () => {
  const line = `${'['.repeat(4000)}${']'.repeat(4000)}`;
  expect(prettyPrinted(line)).toHaveLength(line.length);
});
