import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/protocol/event.ts';
import { waitFor } from '../support/wait-for.ts';
import type { SessionStep } from './plan.ts';
import { markedBy } from './processes.ts';
import type { Actor, Setup } from './setup.ts';

const INSIDE_LIMIT_MS = 60_000;
/** What is sent, how to wait until the agent is in the middle of it, and how to let it finish. */
export interface ScriptedTurn {
  readonly text: string;
  inside(): Promise<void>;
  /** `isDead`: its agent was killed, so nothing is left to finish. */
  finish(isDead: boolean): Promise<void>;
}

/** `token` is in no other message: it identifies this one in the model's requests. */
export function scriptedTurnOf(setup: Setup, actor: Actor, step: SessionStep, token: string): ScriptedTurn {
  return actor.agent === 'stand-in' ? standInTurn(setup, actor, step) : claudeTurn(setup, actor, step, token);
}

const nothing = async (): Promise<void> => undefined;

function claudeTurn(setup: Setup, actor: Actor, step: SessionStep, token: string): ScriptedTurn {
  const { model } = setup;
  const finish = nothing;
  switch (step.situation) {
    case 'mid-text':
      return { text: `@SLOW ${token} 12`, inside: () => midText(setup, token, step.pieces), finish: () => model.open(token) };
    case 'mid-command':
      // The command of a dead agent is not released: if it outlives the agent, the check for leftover processes finds it.
      return {
        text: `@BASH until [ -e ${token}.go ]; do sleep 0.2; done`,
        inside: () => midCommand(setup, actor, `${token}.go`),
        finish: async (isDead) => (isDead ? undefined : writeFileSync(join(setup.server.project, `${token}.go`), '')),
      };
    case 'mid-approval':
      return { text: `@WRITE ${token}.txt written by ${token}`, inside: midApproval(setup, actor), finish };
    case 'anytime':
      return { text: `@PLAIN ${token}`, inside: nothing, finish };
  }
}

async function midText({ model }: Setup, gate: string, pieces: number): Promise<void> {
  await limited(`a first piece at ${gate}`, model.arrived(gate, 1));
  await model.release(gate, pieces);
  await limited(`piece ${pieces + 1} at ${gate}`, model.arrived(gate, pieces + 1));
}

async function midCommand(setup: Setup, { id }: Actor, words: string): Promise<void> {
  await waitFor(`a command of ${id}`, () => markedBy(runsOf(setup.browser.events(id))).some(({ command }) => command.includes(words)), INSIDE_LIMIT_MS);
}

function midApproval(setup: Setup, { id }: Actor): () => Promise<void> {
  const before = setup.browser.events(id).length;
  const isNew = (event: Event): boolean => event.type === 'permission.requested';
  return async () => void (await waitFor(`a request from ${id}`, () => setup.browser.events(id).slice(before).some(isNew), INSIDE_LIMIT_MS));
}

function standInTurn(setup: Setup, actor: Actor, step: SessionStep): ScriptedTurn {
  const before = setup.browser.events(actor.id).length;
  const waitForTurn = async (): Promise<void> =>
    void (await waitFor(
      `a turn of ${actor.id}`,
      () =>
        setup.browser
          .events(actor.id)
          .slice(before)
          .some((event) => event.type === 'turn.started'),
      INSIDE_LIMIT_MS,
    ));
  switch (step.situation) {
    case 'mid-text':
      return { text: `pace ${60 * step.pieces} 200`, inside: waitForTurn, finish: nothing };
    case 'mid-command':
      return { text: 'tool 2500', inside: () => midCommand(setup, actor, 'sleep 600'), finish: nothing };
    case 'mid-approval':
      return { text: 'flood 200;ask;flood 200', inside: midApproval(setup, actor), finish: nothing };
    case 'anytime':
      return { text: `flood ${2000 * step.pieces};tool 50;flood 100`, inside: nothing, finish: nothing };
  }
}

/** The runs of a session that can still have processes. */
export const runsOf = (events: readonly Event[]): readonly string[] => events.flatMap((event) => (event.type === 'run.opened' ? [event.run] : []));

async function limited<T>(what: string, wait: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Timed out after ${INSIDE_LIMIT_MS} ms waiting for ${what}`)), INSIDE_LIMIT_MS);
  });
  return Promise.race([wait, expired]).finally(() => clearTimeout(timer));
}
