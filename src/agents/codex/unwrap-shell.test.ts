import { expect, test } from 'vitest';
import { unwrapShell } from './unwrap-shell.ts';

const cases = [
  ["/bin/bash -lc 'echo one > one.txt'", 'echo one > one.txt'],
  ['/bin/bash -lc ls', 'ls'],
  [`/bin/zsh -lc "echo 'a' \\"b\\" \\$HOME"`, `echo 'a' "b" $HOME`],
  ["bash -c 'two\nlines'", 'two\nlines'],
  // Not certain, so shown unchanged.
  [`/bin/bash -lc 'it'"'"'s'`, `/bin/bash -lc 'it'"'"'s'`],
  ["/bin/bash -lc 'a' 'b'", "/bin/bash -lc 'a' 'b'"],
  ['/bin/bash -lc "$(evil)"', '/bin/bash -lc "$(evil)"'],
  ['python3 -c print', 'python3 -c print'],
] as const;

for (const [line, command] of cases) test(`${line} is the command ${command}`, () => expect(unwrapShell(line)).toBe(command));
