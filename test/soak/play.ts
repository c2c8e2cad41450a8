import { comparePage } from './compare.ts';
import { grownBeyond, type Held, heldBy } from './memory.ts';
import { type AgentKind, type Round, roundsOf } from './plan.ts';
import { outboxOf, runRound } from './round.ts';
import { openSetup, type Setup } from './setup.ts';

export interface Soak {
  readonly chromium: string;
  readonly seed: number;
  readonly agents: readonly AgentKind[];
  /** Rounds before memory is first measured. */
  readonly warmUp: number;
  /** Called after each round. */
  readonly isOver: (rounds: number) => boolean;
  /** Called after the warm-up, and then every few rounds. */
  readonly onMemory?: (rounds: number, memory: Held) => void;
}

export interface Outcome {
  readonly rounds: number;
  readonly messages: number;
  readonly problems: readonly string[];
}

const MEASURE_EVERY = 10;

/** Plays rounds until `isOver`, and lists what the page lost, duplicated, showed wrongly, logged as an error or leaked. */
export async function soak(options: Soak): Promise<Outcome> {
  const setup = await openSetup(options.chromium, options.agents);
  const typed = new Map<string, string[]>(setup.actors.map(({ id }) => [id, []]));
  const count = { rounds: 0 };
  try {
    await showAll(setup);
    const grown = await playAll(setup, options, typed, count);
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

async function playAll(setup: Setup, options: Soak, typed: ReadonlyMap<string, string[]>, count: { rounds: number }): Promise<readonly string[]> {
  let first: Held | undefined;
  for (const round of roundsOf(options.seed, options.agents)) {
    await play(setup, round, count.rounds, typed);
    count.rounds += 1;
    const isOver = count.rounds > options.warmUp && options.isOver(count.rounds);
    if (count.rounds < options.warmUp || ((count.rounds - options.warmUp) % MEASURE_EVERY !== 0 && !isOver)) continue;
    const memory = await heldBy(setup.watched.cdp);
    options.onMemory?.(count.rounds, memory);
    first ??= memory;
    if (isOver) return grownBeyond(first, memory);
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
