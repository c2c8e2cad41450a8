import { parseArgs } from 'node:util';
import { planRounds } from './plan.ts';
import { reportOf } from './report.ts';
import { runPlan } from './run-plan.ts';
import { missingCli } from './setup.ts';
import { fillSmallDisk } from './small-disk.ts';
import { newTally } from './tally.ts';

// npm run chaos -- --minutes N --seed S [--rounds R]: a small disk once, then the seeds S, S + 1 … until the time is up; `--minutes 0` plays S alone.
const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' }, rounds: { type: 'string' } } });
const minutes = Number(values.minutes ?? 10);
const rounds = Number(values.rounds ?? 6);
const first = Number(values.seed ?? 1);
const missing = missingCli();
if (missing !== undefined) throw new Error(`The chaos test needs the real CLI: ${missing}`);

const tally = newTally();
const until = performance.now() + minutes * 60_000;
const failed: (number | string)[] = [];
if (minutes > 0) await smallDisk();
for (let seed = first; performance.now() < until || seed === first; seed += 1) {
  const plan = planRounds(seed, rounds);
  const startedAt = performance.now();
  const problems = await runPlan(plan, tally);
  process.stdout.write(
    `seed ${seed}: ${problems.length === 0 ? 'nothing lost, nothing doubled' : 'FAILED'} (${Math.round((performance.now() - startedAt) / 1000)} s)\n`,
  );
  if (problems.length === 0) continue;
  failed.push(seed);
  process.stdout.write(`${problems.map((what) => `  ${what}`).join('\n')}\n  repeat with: npm run chaos -- --minutes 0 --seed ${seed} --rounds ${rounds}\n`);
  process.stdout.write(`  plan: ${JSON.stringify(plan.rounds)}\n`);
}
process.stdout.write(`\n${reportOf(tally)}\n${failed.length === 0 ? '' : `failed: ${failed.join(', ')}\n`}`);
process.exit(failed.length === 0 ? 0 : 1);

async function smallDisk(): Promise<void> {
  const problems = await fillSmallDisk('disk', tally);
  const isSkipped = 'skip' in problems;
  process.stdout.write(`small disk: ${isSkipped ? `skipped, ${problems.skip}` : problems.join('\n  ') || 'every loss reported'}\n`);
  if (!isSkipped && problems.length > 0) failed.push('small disk');
}
