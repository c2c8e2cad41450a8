import { api } from '../support/client.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Sent } from './blows.ts';
import { compareAnswers } from './compare/answers.ts';
import { compareClosed } from './compare/closed.ts';
import { compareInputs } from './compare/inputs.ts';
import { compareLines } from './compare/lines.ts';
import { compareStore } from './compare/store.ts';
import type { Plan } from './plan.ts';
import { markedBy } from './processes.ts';
import { ended } from './rest.ts';
import { playRound } from './round.ts';
import { runsOf } from './situations.ts';
import { openStage, type Stage } from './stage.ts';
import { count, type Tally } from './tally.ts';

/** Plays a plan and says in words everything that was lost, doubled, left open or told wrongly. */
export async function play(plan: Plan, tally: Tally): Promise<readonly string[]> {
  const stage = await openStage(`c${plan.seed}`, plan.agents);
  const sent: Sent[] = [];
  try {
    for (const [index, round] of plan.rounds.entries()) {
      sent.push(...(await playRound(stage, round, { seed: plan.seed, round: index }, tally)));
      count(tally, 'rounds');
    }
    await endAll(stage);
    return await compareAll(stage, sent, tally);
  } catch (error) {
    return [`${error instanceof Error ? error.message : String(error)}`, ...(await lastEvents(stage)), stage.server.log().slice(-3000)];
  } finally {
    await stage.close();
  }
}

/** From asking over INT and TERM to KILL, and the sweep behind it. */
const ORPHAN_LIMIT_MS = 30_000;

export async function endAll(stage: Stage): Promise<void> {
  for (const { id } of stage.actors) {
    await api(stage.server, 'POST', `/api/sessions/${id}/stop`, {});
    const runs = runsOf(await stage.events(id));
    await waitFor(`the end of ${id}`, () => markedBy(runs).length === 0, ORPHAN_LIMIT_MS).catch((error: Error) => {
      throw new Error(
        `${error.message}: ${markedBy(runs)
          .map(({ pid, run, command }) => `${pid} of ${run}: ${command}`)
          .join('; ')}`,
      );
    });
  }
}

async function compareAll(stage: Stage, sent: readonly Sent[], tally: Tally): Promise<readonly string[]> {
  const requests = await stage.model.requests();
  const found = await Promise.all(
    stage.actors.map(async (actor) => {
      const events = await ended(stage, actor);
      const problems = [
        ...compareClosed(events, tally),
        ...(await compareLines(stage, actor, events, tally)),
        ...(await compareInputs(stage, actor, events, sent, requests, tally)),
        ...(await compareStore(stage, actor, events, tally)),
        ...compareAnswers(stage, actor, events, sent, tally),
      ];
      return problems.map((what) => `${actor.agent} ${actor.id}: ${what}`);
    }),
  );
  return found.flat();
}

async function lastEvents(stage: Stage): Promise<readonly string[]> {
  const told = stage.actors.map(async ({ id, agent }) => {
    const events = await stage.events(id).catch(() => []);
    return `${agent} ${id}: ${events
      .slice(-12)
      .map((event) => `${event.seq} ${event.type}${event.type === 'session.status' ? `=${event.status}` : ''}`)
      .join(', ')}`;
  });
  return Promise.all(told);
}
