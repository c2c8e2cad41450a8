import { expect, test } from 'vitest';
import { savedOutputOf } from './tool-result.ts';

const FILE = '/home/dev/.claude/projects/-home-dev-proj/3ace5bfe-78e6-4b0c-a485-6bab29386901/tool-results/bvkxa2cw0.txt';
const preview = (path: string) =>
  `<persisted-output>\nOutput too large (30.7KB). Full output saved to: ${path}\n\nPreview (first 2KB):\n1\n2\n...\n</persisted-output>`;

test('a long output has the 30,000 characters that were printed, and where all of it is', () => {
  const saved = savedOutputOf(preview(FILE), { stdout: 'x'.repeat(30_000), stderr: 'oops' });
  expect(saved?.file).toBe(FILE);
  expect(saved?.output).toBe(`${'x'.repeat(30_000)}\noops\n[The output continues. All of it is in ${FILE}]`);
});

test('inside a subagent there is only the preview', () =>
  expect(savedOutputOf(preview(FILE), undefined)?.output).toBe(`1\n2\n[The output continues. All of it is in ${FILE}]`));

const foreign = [
  '/etc/passwd',
  '/home/dev/.ssh/id.txt',
  FILE.replace('/tool-results', '/../tool-results'),
  FILE.replace('bvkxa2cw0.txt', '../x.txt'),
  `x${FILE}`,
];
for (const path of foreign)
  test(`${path} is not a file of the CLI, so it is not read`, () => expect(savedOutputOf(preview(path), undefined)?.file).toBeUndefined());

test('any other output stays as it is', () => expect(savedOutputOf('1\n2\n', { stdout: '1\n2\n' })).toBeUndefined());
