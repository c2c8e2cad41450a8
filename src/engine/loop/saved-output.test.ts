import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { withSavedOutput } from './saved-output.ts';

const completed = (outputFile: string) => ({ type: 'tool.completed', toolUseId: 't', output: 'head', isError: false, outputFile }) as const;

test('[R391] an output that the agent saved because it is too long to print is read from its file', () => {
  const folder = temporaryFolder('saved-output');
  const whole = 'line\n'.repeat(50_000);
  writeFileSync(join(folder, 'a.txt'), whole);
  expect(withSavedOutput(completed(join(folder, 'a.txt')))).toMatchObject({ output: whole });
});

test('a link, a folder or a missing file is not read, and what was printed stays', () => {
  const folder = temporaryFolder('saved-output');
  writeFileSync(join(folder, 'a.txt'), 'secret');
  symlinkSync(join(folder, 'a.txt'), join(folder, 'link.txt'));
  for (const path of [join(folder, 'link.txt'), folder, join(folder, 'missing.txt')])
    expect(withSavedOutput(completed(path))).toMatchObject({ output: 'head' });
});
