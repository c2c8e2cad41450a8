import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const node = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8', cwd: tmpdir() });

/** A package folder that contains only bin/. */
function bareFolder(): string {
  const folder = temporaryFolder('bin');
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  return folder;
}

test('the command says that it is not built yet', () => {
  const { status, stderr } = node(join(bareFolder(), 'bin/signalbox.mjs'), 'ls');
  expect(status).toBe(1);
  expect(stderr).toContain('not built yet. Run `npm start`');
});

test('the command passes its arguments to the built program', () => {
  const folder = bareFolder();
  mkdirSync(join(folder, 'dist/server'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'dist/server/main.js'), 'console.log(process.argv.slice(2).join(" "))');
  expect(node(join(folder, 'bin/signalbox.mjs'), 'ls', '--json').stdout).toBe('ls --json\n');
});

const rows = (failed: number) => [
  { name: 'one', seconds: 1, passed: 3, failed, skipped: [{ name: 'a test', reason: 'no browser' }] },
  { name: 'two', seconds: 1, passed: 4, failed: 0, skipped: [] },
];
const report = (failed: number) =>
  node(
    '--input-type=module',
    '-e',
    `import { printTable } from ${JSON.stringify(join(ROOT, 'scripts/lib/report.mjs'))}; printTable(${JSON.stringify(rows(failed))}, 0)`,
  );

test('the table of a test run lists each skip with its reason and ends with the total', () => {
  const { stdout, status } = report(0);
  expect(stdout).toContain('- a test: no browser\n');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('7 passed, 0 failed, 1 skipped');
  expect(status).toBe(0);
});

test('one failure makes the whole run fail', () => {
  const { stdout, status } = report(1);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('7 passed, 1 failed, 1 skipped');
  expect(status).toBe(1);
});

test('a stage is skipped with a reason when the stage it needs failed', () => {
  const { stdout } = node(
    '--input-type=module',
    '-e',
    `import { runStages } from ${JSON.stringify(join(ROOT, 'scripts/lib/report.mjs'))};
     const bad = { name: 'build', limitMs: 1000, run: async () => ({ passed: 0, failed: 1, skipped: [] }) };
     const rows = await runStages([bad, { ...bad, name: 'scenarios', needs: 'build' }]);
     console.log(JSON.stringify(rows[1].skipped));`,
  );
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('[{"name":"scenarios","reason":"the stage \\"build\\" failed"}]');
});

test('a command that exceeds its limit is ended with its children, and the output says so', () => {
  const { stdout } = node(
    '--input-type=module',
    '-e',
    `import { run } from ${JSON.stringify(join(ROOT, 'scripts/lib/run.mjs'))};
     const { code, output, expired } = await run('sh', ['-c', 'sleep 60 & sleep 60'], { limitMs: 50, quiet: true });
     console.log(JSON.stringify({ code, output, expired }));`,
  );
  expect(JSON.parse(stdout)).toEqual({ code: 1, output: '\nended after its limit of 0.05 s', expired: true });
});
