import { expect, test } from 'vitest';
import { planRounds } from '../chaos/plan.ts';
import { killsOf, realOf, reportOf } from '../chaos/report.ts';
import { runPlan } from '../chaos/run-plan.ts';
import { missingCli } from '../chaos/setup.ts';
import { fillSmallDisk } from '../chaos/small-disk.ts';
import { newTally } from '../chaos/tally.ts';

// The long form is `npm run chaos -- --minutes N --seed S`. What a seed found lies beside the source as a test of its own, since the same
// seed meets other instants on another day. This one has the most kinds of blows for its rounds: the test below says which.
const SEED = 4624;
const ROUNDS = 5;
const LIMIT_MS = 480_000;

test(`nothing is lost and nothing doubled when servers, agents, shells, feeders and sockets are cut by seed ${SEED}`, { timeout: LIMIT_MS }, async ({
  skip,
}) => {
  const missing = missingCli();
  if (missing !== undefined) return skip(missing);
  const tally = newTally();
  const plan = planRounds(SEED, ROUNDS);
  const problems = await runPlan(plan, tally);
  console.log(reportOf(tally));
  expect(problems, `seed ${SEED}: ${JSON.stringify(plan.rounds)}`).toEqual([]);
  expect(realOf(tally) * 3, 'kills that hit the real CLI').toBeGreaterThanOrEqual(killsOf(tally));
});

test('the seed cuts agents, shells and feeders of the real CLI in each situation, servers twice in a row, and sockets', () => {
  const { rounds, agents } = planRounds(SEED, ROUNDS);
  const real = rounds.flatMap(({ steps }) => steps).filter(({ session }) => agents[session] !== 'stand-in');
  const faults = rounds.flatMap((round) => round.faults);
  const situations = ['mid-text', 'mid-command', 'mid-approval', 'anytime'] as const;
  const wanted = situations.flatMap((situation) => (['agent', 'shell', 'feeder'] as const).map((victim) => `${victim} ${situation}`));
  expect(new Set(real.filter(({ victim }) => victim !== undefined).map(({ victim, situation }) => `${victim} ${situation}`))).toEqual(new Set(wanted));
  expect(new Set(rounds.flatMap(({ steps }) => steps.map(({ person }) => person)))).toEqual(new Set(['waits', 'answers', 'interrupts']));
  expect(faults.some((fault) => fault.kind === 'socket')).toBe(true);
  expect(new Set(faults.flatMap((fault) => (fault.kind === 'server' ? [fault.againMs !== undefined] : [])))).toEqual(new Set([true, false]));
  expect(new Set(rounds.map(({ continuesOffline }) => continuesOffline))).toEqual(new Set([true, false]));
});

test('a disk that fills in mid-turn loses nothing without a word, and the work goes on when there is room again', { timeout: LIMIT_MS }, async ({ skip }) => {
  const missing = missingCli();
  if (missing !== undefined) return skip(missing);
  const problems = await fillSmallDisk('disk', newTally());
  if ('skip' in problems) return skip(problems.skip);
  expect(problems).toEqual([]);
});
