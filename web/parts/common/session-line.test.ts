import { expect, test } from 'vitest';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { lineOf } from './session-line.ts';

const cases = [
  ['a file of its folder is told without the folder', '/home/u/p', 'Edits /home/u/p/src/a.ts', 'Edits src/a.ts'],
  ['so are several', '/home/u/p', 'wants to change 2 files: /home/u/p/a /home/u/p/b', 'wants to change 2 files: a b'],
  ['a folder with a space is one as well', '/home/u/my p', 'Reads /home/u/my p/a.ts', 'Reads a.ts'],
  ['a command that is wished for stays as it would run', '/home/u/p', 'wants to run rm -rf /home/u/p/ /home/u/p/a', undefined],
  ['a command that runs stays as it is', '/home/u/p', 'Runs rm -rf /home/u/p/a', undefined],
  ['the folder itself is told whole', '/home/u/p', 'Reads /home/u/p/', undefined],
  ['a path that only holds that of the folder is told whole', '/home/u/p', 'Edits /mnt/home/u/p/x', undefined],
  ['nothing is made to begin at the root', '/home/u/p', 'Edits /home/u/p//etc/hosts', undefined],
  ['in the root every path is told whole', '/', 'Reads //a and https://x', undefined],
] as const;
for (const [name, cwd, lastLine, expected] of cases) {
  test(name, () => expect(lineOf(sessionOf({ id: 's', title: 't', cwd, lastLine }))).toBe(expected ?? lastLine));
}
