import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, tool } from './root.mjs';
import { run } from './run.mjs';

/**
 * The parts of the checks. A stage is `{name, limitMs, run(limitMs)}`; its run resolves with
 * `{passed, failed, skipped: [{name, reason}], output?}`. A stage that is a single command counts as one test.
 */
export const types = parallelStage('types', 120_000, [
  [tool('tsc'), '-p', 'tsconfig.json', '--noEmit'],
  [tool('tsc'), '-p', 'tsconfig.test.json', '--noEmit'],
  [tool('tsc'), '-p', 'web/tsconfig.json', '--noEmit'],
]);
export const lint = parallelStage('lint and format', 60_000, [[tool('biome'), 'check', '--error-on-warnings', '.']]);
export const unused = parallelStage('unused code', 60_000, [[tool('knip')]]);
export const build = parallelStage('build', 180_000, [[process.execPath, 'scripts/build.mjs']]);
export const unit = vitestStage('unit', 'unit', 1_200_000);
export const scenarios = vitestStage('scenarios', 'scenarios', 2_700_000);

/** More failing files than this (of about a hundred scenario files) can't be blamed on a busy machine. */
const AGAIN_FILES = 8;

function parallelStage(name, limitMs, commands) {
  return { name, limitMs, run: () => runAll(commands, limitMs) };
}

async function runAll(commands, limitMs) {
  const results = await Promise.all(commands.map(([command, ...args]) => run(command, args, { limitMs, quiet: true })));
  const failures = results.filter((result) => result.code !== 0);
  return {
    passed: failures.length === 0 ? 1 : 0,
    failed: failures.length === 0 ? 0 : 1,
    skipped: [],
    output: failures.map((failure) => failure.output.trim()).join('\n'),
  };
}

function vitestStage(name, project, limitMs) {
  return { name, limitMs, run: () => runVitest(project, limitMs) };
}

/**
 * Tests with real processes share a machine with whatever else runs on it. When a few files fail, they run once more, alone:
 * tests that pass then count as passed and are listed below the final table, so that nobody overlooks them.
 */
async function runVitest(project, limitMs) {
  const first = await vitestOnce(project, limitMs, []);
  if (first.failed === 0 || !first.files?.length || first.files.length > AGAIN_FILES) return first;
  process.stdout.write(`\n── again, alone: ${first.files.join(', ')}\n`);
  const again = await vitestOnce(project, limitMs, [...first.files, '--no-file-parallelism']);
  const failures = again.failures ?? first.failures;
  const flaky = first.failures.filter((name) => !failures.includes(name));
  return again.failed === 0 && flaky.length === first.failed
    ? { ...first, passed: first.passed + first.failed, failed: 0, failures: [], flaky }
    : { ...first, failures };
}

async function vitestOnce(project, limitMs, more) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-summary-'));
  const summary = join(folder, 'summary.json');
  const args = ['run', '--project', project, '--passWithNoTests', '--reporter=default', `--reporter=${ROOT}scripts/lib/vitest-summary.mjs`, ...more];
  const { code, output } = await run(tool('vitest'), args, { limitMs, env: testEnvironment(summary) });
  try {
    return outcomeOf(JSON.parse(readFileSync(summary, 'utf8')), code);
  } catch {
    return { passed: 0, failed: 1, skipped: [], output: output || `vitest ended with ${code} and left no summary` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run that failed without a failed test (a hook, a crashed worker) still counts as a failure. */
function outcomeOf(summary, code) {
  return code !== 0 && summary.failed === 0 ? { ...summary, failed: 1, output: `vitest ended with ${code}` } : summary;
}

/** Nothing from the developer's own setup must reach a test; CI makes a missing snapshot fail instead of being written. */
function testEnvironment(summary) {
  const own = /^(SIGNALBOX_(?!CACHE$)|ANTHROPIC_|CLAUDE|OPENAI_|CODEX_|PI_|OPENCLAW_)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  return { ...env, CI: '1', SIGNALBOX_TEST_SUMMARY: summary };
}
