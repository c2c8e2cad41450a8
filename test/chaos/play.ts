import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/protocol/event.ts';
import { api } from '../support/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { compareClosed } from './compare/closed.ts';
import { compareInputs } from './compare/inputs.ts';
import { compareLines } from './compare/lines.ts';
import { compareStore } from './compare/store.ts';
import type { Plan } from './plan.ts';
import { markedBy } from './processes.ts';
import { playRound, type Sent } from './round.ts';
import { runsOf } from './situations.ts';
import { type Actor, openStage, type Stage } from './stage.ts';
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

/** The session's events once it says that it has ended. */
async function ended(stage: Stage, actor: Actor): Promise<readonly Event[]> {
  for (let round = 0; ; round += 1) {
    const { status } = await stage.session(actor.id);
    if (status === 'ended' || round > 200) return stage.events(actor.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** An answer that was taken was carried out: the file is there if and only if the tool says that it was written. */
function compareAnswers(stage: Stage, actor: Actor, events: readonly Event[], sent: readonly Sent[], tally: Tally): readonly string[] {
  if (actor.agent === 'stand-in') return [];
  return sent.flatMap((one) => {
    if (one.actor !== actor || one.strike.situation !== 'mid-approval' || one.isFollower) return [];
    const path = join(stage.server.project, `${one.token}.txt`);
    const wrote = events.some((event) => event.type === 'tool.completed' && event.change?.path === path);
    const isThere = existsSync(path) && readFileSync(path, 'utf8').includes(one.token);
    const mustBe = one.strike.answer === 'allow' && !one.wasHit;
    count(tally, 'approvals compared');
    if (mustBe && !isThere) return [`the approval of ${one.commandId} was given and not carried out`];
    if (one.strike.answer === 'deny' && isThere) return [`the approval of ${one.commandId} was denied and carried out`];
    return wrote && !isThere ? [`${path} is shown as written and is not there`] : [];
  });
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
