// `npm run mutate [-- part-of-a-name]`: breaks one rule at a time in a copy of the repository; each time a test must fail.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const LISTS = join(ROOT, 'test', 'mutations');
const COPIED = [
  'src',
  'test',
  'web',
  'scripts',
  'docs',
  'bench',
  'package.json',
  'vitest.config.ts',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.test.json',
];

const wanted = process.argv[2] ?? '';
const mutations = readdirSync(LISTS)
  .flatMap((list) => JSON.parse(readFileSync(join(LISTS, list), 'utf8')))
  .filter((mutation) => `${mutation.file} ${mutation.why}`.includes(wanted));

const copy = mkdtempSync(join(tmpdir(), 'signalbox-mutate-'));
try {
  for (const part of COPIED) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const survivors = mutations.filter((mutation) => !isCaught(mutation));
  for (const mutation of survivors) console.log(`survived: ${mutation.file}: ${mutation.why}`);
  console.log(`${mutations.length - survivors.length} passed, ${survivors.length} failed, 0 skipped`);
  process.exitCode = survivors.length > 0 ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function isCaught({ file, find, replace, tests, why }) {
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  if (before.split(find).length !== 2) throw new Error(`${file} must contain exactly once: ${find}`);
  // A function as the replacement, so that `$` in the text is literal.
  writeFileSync(
    path,
    before.replace(find, () => replace),
  );
  const run = spawnSync('npx', ['vitest', 'run', '--project', 'unit', ...[tests].flat()], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  writeFileSync(path, before);
  const isFailing = run.status !== 0 && /\d+ failed/.test(run.stdout);
  console.log(`${isFailing ? 'caught  ' : 'SURVIVED'} ${file}: ${why}`);
  return isFailing;
}
