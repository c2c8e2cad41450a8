import { parseArgs } from 'node:util';
import { planOf } from './plan.ts';
import { play } from './play.ts';
import { reportOf } from './report.ts';
import { missingCli } from './stage.ts';
import { newTally } from './tally.ts';

// npm run chaos -- --minutes N --seed S [--rounds R]: seeds S, S + 1 … until the time is over, or one round of plans when a minute is enough.
const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' }, rounds: { type: 'string' } } });
const minutes = Number(values.minutes ?? 10);
const rounds = Number(values.rounds ?? 6);
const first = Number(values.seed ?? 1);
const missing = missingCli();
if (missing !== undefined) throw new Error(`The chaos test needs the real CLI: ${missing}`);

const tally = newTally();
const until = performance.now() + minutes * 60_000;
const failed: number[] = [];
for (let seed = first; performance.now() < until || seed === first; seed += 1) {
  const plan = planOf(seed, rounds);
  const began = performance.now();
  const problems = await play(plan, tally);
  process.stdout.write(
    `seed ${seed}: ${problems.length === 0 ? 'nothing lost, nothing doubled' : 'FAILED'} (${Math.round((performance.now() - began) / 1000)} s)\n`,
  );
  if (problems.length === 0) continue;
  failed.push(seed);
  process.stdout.write(`${problems.map((what) => `  ${what}`).join('\n')}\n  repeat with: npm run chaos -- --minutes 0 --seed ${seed} --rounds ${rounds}\n`);
  process.stdout.write(`  plan: ${JSON.stringify(plan.rounds)}\n`);
}
process.stdout.write(`\n${reportOf(tally)}\n${failed.length === 0 ? '' : `failed seeds: ${failed.join(', ')}\n`}`);
process.exit(failed.length === 0 ? 0 : 1);
