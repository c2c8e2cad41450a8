import { expect, test } from 'vitest';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { sessionLine } from './session-line.ts';

const cases = [
  ['a file in the session folder is shown without the folder', '/home/u/p', 'Edits /home/u/p/src/a.ts', 'Edits src/a.ts'],
  [
    'several files in the session folder are shown without the folder',
    '/home/u/p',
    'wants to change 2 files: /home/u/p/a /home/u/p/b',
    'wants to change 2 files: a b',
  ],
  ['a session folder with a space is left out too', '/home/u/my p', 'Reads /home/u/my p/a.ts', 'Reads a.ts'],
  ['a requested command stays exactly as it would run', '/home/u/p', 'wants to run rm -rf /home/u/p/ /home/u/p/a', undefined],
  ['a running command stays exactly as it runs', '/home/u/p', 'Runs rm -rf /home/u/p/a', undefined],
  ['the folder itself is shown in full', '/home/u/p', 'Reads /home/u/p/', undefined],
  ['a path that only contains the folder is shown in full', '/home/u/p', 'Edits /mnt/home/u/p/x', undefined],
  ['no path is shortened to start at the root', '/home/u/p', 'Edits /home/u/p//etc/hosts', undefined],
  ['in the root every path is shown in full', '/', 'Reads //a and https://x', undefined],
] as const;
for (const [name, cwd, lastLine, expected] of cases) {
  test(name, () => expect(sessionLine(sessionOf({ id: 's', title: 't', cwd, lastLine }))).toBe(expected ?? lastLine));
}
