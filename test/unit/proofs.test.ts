import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/proofs.md'), 'utf8');
const prove = (...args: string[]) => spawnSync(process.execPath, [join(ROOT, 'scripts/prove.mjs'), ...args], { encoding: 'utf8' });
const namesIn = (list: string) =>
  list
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ')[0]);

test('npm run prove lists the proofs that docs/proofs.md describes', () => {
  const { stdout, status } = prove();
  expect(status).toBe(0);
  expect(namesIn(stdout)).toEqual([...PAGE.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name));
});

test('npm run prove refuses an unknown name and lists the known ones', () => {
  const { stdout, stderr, status } = prove('constructor');
  expect(status).toBe(1);
  expect(stderr).toContain('There is no proof "constructor"');
  expect(namesIn(stdout)).toContain('chaos');
});

test('every test file that a proof names exists', () => {
  const files = [PAGE, readFileSync(join(ROOT, 'scripts/prove.mjs'), 'utf8')].flatMap((text) => text.match(/(?:src|web|test)\/[\w/.-]+\.tsx?/g) ?? []);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
