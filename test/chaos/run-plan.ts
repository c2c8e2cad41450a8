import { api } from '../support/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { compareAnswers } from './compare/answers.ts';
import { compareClosed } from './compare/closed.ts';
import { compareInputs } from './compare/inputs.ts';
import { compareLines } from './compare/lines.ts';
import { compareStore } from './compare/store.ts';
import type { Sent } from './faults.ts';
import type { Plan } from './plan.ts';
import { markedBy } from './processes.ts';
import { runRound } from './round.ts';
import { ended } from './settle.ts';
import { openSetup, type Setup } from './setup.ts';
import { runsOf } from './situations.ts';
import { count, type Tally } from './tally.ts';

/** Runs a plan and lists everything that was lost, duplicated, left open or reported wrongly. */
export async function runPlan(plan: Plan, tally: Tally): Promise<readonly string[]> {
  const setup = await openSetup(`c${plan.seed}`, plan.agents);
  const sent: Sent[] = [];
  try {
    for (const [index, round] of plan.rounds.entries()) {
      sent.push(...(await runRound(setup, round, { seed: plan.seed, round: index }, tally)));
      count(tally, 'rounds');
    }
    await endAll(setup);
    return await compareAll(setup, sent, tally);
  } catch (error) {
    return [`${error instanceof Error ? error.message : String(error)}`, ...(await lastEvents(setup)), setup.server.log().slice(-3000)];
  } finally {
    await setup.close();
  }
}

/** Enough for a polite stop, INT, TERM and KILL, and the sweep after them. */
const ORPHAN_LIMIT_MS = 30_000;

export async function endAll(setup: Setup): Promise<void> {
  for (const { id } of setup.actors) {
    await api(setup.server, 'POST', `/api/sessions/${id}/stop`, {});
    const runs = runsOf(await setup.events(id));
    await waitFor(`the end of ${id}`, () => markedBy(runs).length === 0, ORPHAN_LIMIT_MS).catch((error: Error) => {
      throw new Error(
        `${error.message}: ${markedBy(runs)
          .map(({ pid, run, command }) => `${pid} of ${run}: ${command}`)
          .join('; ')}`,
      );
    });
  }
}

async function compareAll(setup: Setup, sent: readonly Sent[], tally: Tally): Promise<readonly string[]> {
  const requests = await setup.model.requests();
  const found = await Promise.all(
    setup.actors.map(async (actor) => {
      const events = await ended(setup, actor);
      const problems = [
        ...compareClosed(events, tally),
        ...(await compareLines(setup, actor, events, tally)),
        ...(await compareInputs(setup, actor, events, sent, requests, tally)),
        ...(await compareStore(setup, actor, events, tally)),
        ...compareAnswers(setup, actor, events, sent, tally),
      ];
      return problems.map((what) => `${actor.agent} ${actor.id}: ${what}`);
    }),
  );
  return found.flat();
}

async function lastEvents(setup: Setup): Promise<readonly string[]> {
  const summaries = setup.actors.map(async ({ id, agent }) => {
    const events = await setup.events(id).catch(() => []);
    return `${agent} ${id}: ${events
      .slice(-12)
      .map((event) => `${event.seq} ${event.type}${event.type === 'session.status' ? `=${event.status}` : ''}`)
      .join(', ')}`;
  });
  return Promise.all(summaries);
}
