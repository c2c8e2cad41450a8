import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/protocol/event.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Strike } from './plan.ts';
import { markedBy } from './processes.ts';
import type { Actor, Stage } from './stage.ts';

const INSIDE_LIMIT_MS = 60_000;
/** What is sent, how it is known that the agent is in the middle of it, and how it is let go on. */
export interface Scene {
  readonly text: string;
  inside(): Promise<void>;
  /** `isDead`: its agent was killed, so nobody is left who could. */
  goOn(isDead: boolean): Promise<void>;
}

/** `token` is in no other message: the model is asked about it by this name. */
export function sceneOf(stage: Stage, actor: Actor, strike: Strike, token: string): Scene {
  return actor.agent === 'stand-in' ? standInScene(stage, actor, strike) : claudeScene(stage, actor, strike, token);
}

const nothing = async (): Promise<void> => undefined;

function claudeScene(stage: Stage, actor: Actor, strike: Strike, token: string): Scene {
  const { model } = stage;
  const goOn = nothing;
  switch (strike.situation) {
    case 'mid-text':
      return { text: `@SLOW ${token} 12`, inside: () => midText(stage, token, strike.pieces), goOn: () => model.open(token) };
    case 'mid-command':
      // The command of a dead agent is not let go: were it not ended with the agent, it would be found afterwards.
      return {
        text: `@BASH until [ -e ${token}.go ]; do sleep 0.2; done`,
        inside: () => midCommand(stage, actor, `${token}.go`),
        goOn: async (isDead) => (isDead ? undefined : writeFileSync(join(stage.server.project, `${token}.go`), '')),
      };
    case 'mid-approval':
      return { text: `@WRITE ${token}.txt written by ${token}`, inside: midApproval(stage, actor), goOn };
    case 'anytime':
      return { text: `@PLAIN ${token}`, inside: nothing, goOn };
  }
}

async function midText({ model }: Stage, gate: string, pieces: number): Promise<void> {
  await limited(`a first piece at ${gate}`, model.arrived(gate, 1));
  await model.release(gate, pieces);
  await limited(`piece ${pieces + 1} at ${gate}`, model.arrived(gate, pieces + 1));
}

async function midCommand(stage: Stage, { id }: Actor, words: string): Promise<void> {
  await waitFor(`a command of ${id}`, () => markedBy(runsOf(stage.browser.events(id))).some(({ command }) => command.includes(words)), INSIDE_LIMIT_MS);
}

function midApproval(stage: Stage, { id }: Actor): () => Promise<void> {
  const before = stage.browser.events(id).length;
  const isNew = (event: Event): boolean => event.type === 'permission.requested';
  return async () => void (await waitFor(`a question of ${id}`, () => stage.browser.events(id).slice(before).some(isNew), INSIDE_LIMIT_MS));
}

function standInScene(stage: Stage, actor: Actor, strike: Strike): Scene {
  const before = stage.browser.events(actor.id).length;
  const began = async (): Promise<void> =>
    void (await waitFor(
      `a turn of ${actor.id}`,
      () =>
        stage.browser
          .events(actor.id)
          .slice(before)
          .some((event) => event.type === 'turn.started'),
      INSIDE_LIMIT_MS,
    ));
  switch (strike.situation) {
    case 'mid-text':
      return { text: `pace ${60 * strike.pieces} 200`, inside: began, goOn: nothing };
    case 'mid-command':
      return { text: 'tool 2500', inside: () => midCommand(stage, actor, 'sleep 600'), goOn: nothing };
    case 'mid-approval':
      return { text: 'flood 200;ask;flood 200', inside: midApproval(stage, actor), goOn: nothing };
    case 'anytime':
      return { text: `flood ${2000 * strike.pieces};tool 50;flood 100`, inside: nothing, goOn: nothing };
  }
}

/** The runs of a session that may still have processes. */
export const runsOf = (events: readonly Event[]): readonly string[] => events.flatMap((event) => (event.type === 'run.opened' ? [event.run] : []));

async function limited<T>(what: string, wait: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${INSIDE_LIMIT_MS} ms in vain for ${what}`)), INSIDE_LIMIT_MS);
  });
  return Promise.race([wait, expired]).finally(() => clearTimeout(timer));
}
