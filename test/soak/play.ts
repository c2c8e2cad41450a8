import { comparePage } from './compare.ts';
import { grownBeyond, type Held, heldBy } from './memory.ts';
import { type AgentKind, type Round, roundsOf } from './plan.ts';
import { outboxOf, runRound } from './round.ts';
import { openSetup, type Setup } from './setup.ts';

export interface Soak {
  readonly chromium: string;
  readonly seed: number;
  readonly agents: readonly AgentKind[];
  /** Rounds after which memory is first weighed. */
  readonly warmUp: number;
  /** Asked after each round. */
  readonly isOver: (rounds: number) => boolean;
  /** Told after the warm-up, and again after so many rounds. */
  readonly onHeld?: (rounds: number, held: Held) => void;
}

export interface Outcome {
  readonly rounds: number;
  readonly messages: number;
  readonly problems: readonly string[];
}

const WEIGH_EVERY = 10;

/** Plays rounds until it is over, and says in words what the page lost, doubled, showed wrongly, complained of or held on to. */
export async function soak(wish: Soak): Promise<Outcome> {
  const setup = await openSetup(wish.chromium, wish.agents);
  const typed = new Map<string, string[]>(setup.actors.map(({ id }) => [id, []]));
  const count = { rounds: 0 };
  try {
    await showAll(setup);
    const grown = await playAll(setup, wish, typed, count);
    return outcome(count.rounds, typed, [...grown, ...(await compareAll(setup, typed))]);
  } catch (error) {
    return outcome(count.rounds, typed, [error instanceof Error ? error.message : String(error), ...setup.watched.complaints, setup.server.log().slice(-2000)]);
  } finally {
    await setup.close();
  }
}

async function showAll({ watched: { page, origin }, actors }: Setup): Promise<void> {
  await page.goto(`${origin}/tiles?s=${actors.map(({ id }) => id).join(',')}`);
  await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
  for (const { id } of actors) await page.locator(`[data-tile="${id}"] .composer`).waitFor();
}

async function playAll(setup: Setup, wish: Soak, typed: ReadonlyMap<string, string[]>, count: { rounds: number }): Promise<readonly string[]> {
  let first: Held | undefined;
  for (const round of roundsOf(wish.seed, wish.agents)) {
    await play(setup, round, count.rounds, typed);
    count.rounds += 1;
    const isOver = count.rounds > wish.warmUp && wish.isOver(count.rounds);
    if (count.rounds < wish.warmUp || ((count.rounds - wish.warmUp) % WEIGH_EVERY !== 0 && !isOver)) continue;
    const held = await heldBy(setup.watched.cdp);
    wish.onHeld?.(count.rounds, held);
    first ??= held;
    if (isOver) return grownBeyond(first, held);
  }
  return [];
}

async function play(setup: Setup, round: Round, number: number, typed: ReadonlyMap<string, string[]>): Promise<void> {
  try {
    for (const [id, texts] of await runRound(setup, round)) typed.get(id)?.push(...texts);
  } catch (error) {
    throw new Error(`round ${number + 1}, ${JSON.stringify(round)}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function compareAll(setup: Setup, typed: ReadonlyMap<string, readonly string[]>): Promise<readonly string[]> {
  const problems: string[] = [];
  const left = await outboxOf(setup.watched.page);
  if (left > 0) problems.push(`${left} messages are still in the outbox`);
  for (const actor of setup.actors) {
    const found = await comparePage(setup, actor, typed.get(actor.id) ?? []);
    problems.push(...found.map((what) => `${actor.agent} ${actor.id}: ${what}`));
  }
  return [...problems, ...setup.watched.complaints];
}

const outcome = (rounds: number, typed: ReadonlyMap<string, readonly string[]>, problems: readonly string[]): Outcome => ({
  rounds,
  messages: [...typed.values()].reduce((sum, texts) => sum + texts.length, 0),
  problems,
});
