import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realPath } from './real-path.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-paths-')));
  mkdirSync(join(home, 'project', 'src'), { recursive: true });
  mkdirSync(join(home, 'secret', 'deep'), { recursive: true });
  writeFileSync(join(home, 'secret', 'key'), '');
  symlinkSync(join(home, 'secret'), join(home, 'project', 'away'));
  symlinkSync('../secret/key', join(home, 'project', 'near'));
  symlinkSync(join(home, 'secret', 'not-yet'), join(home, 'project', 'dangling'));
  symlinkSync(join(home, 'secret', 'deep'), join(home, 'project', 'src', 'down'));
  symlinkSync('round', join(home, 'project', 'round'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const cases: readonly (readonly [string, string, string])[] = [
  ['a plain path', 'src/a.ts', 'project/src/a.ts'],
  ['a path that does not exist yet', 'src/new/deeper/a.ts', 'project/src/new/deeper/a.ts'],
  ['dots and double slashes', './src//../src/./a.ts', 'project/src/a.ts'],
  ['a link to a folder', 'away/key', 'secret/key'],
  ['a link followed by parts that do not exist yet', 'away/new/key', 'secret/new/key'],
  ['a relative link to a file', 'near', 'secret/key'],
  ['a link whose target does not exist (writing would create it)', 'dangling', 'secret/not-yet'],
  ['a path out of the folder', '../secret/key', 'secret/key'],
];
for (const [name, path, expected] of cases) {
  test(`${name} is resolved to its real path`, () => {
    expect(realPath(path, join(home, 'project'))).toBe(join(home, expected));
    expect(realPath(join(home, 'project', path), '/')).toBe(join(home, expected));
  });
}

test('a path that means one file to a shell and another to a program resolves to nothing', () => {
  // To a shell `src/down/..` is secret/; to a program that normalizes paths first it is src/.
  expect(realPath('src/down/../key', join(home, 'project'))).toContain('\0');
});

test('a circular link resolves to nothing', () => {
  expect(realPath('round/a.ts', join(home, 'project'))).toContain('\0');
});
