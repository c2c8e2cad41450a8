import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Blow, Strike, Victim } from './plan.ts';
import { pidOf, sizeOf } from './processes.ts';
import { runsOf, type Scene } from './situations.ts';
import type { Actor, Stage } from './stage.ts';
import type { Kill, Tally } from './tally.ts';

/** What was sent to a session, and what it was hit by while it ran. */
export interface Sent {
  readonly commandId: string;
  readonly actor: Actor;
  readonly strike: Strike;
  readonly token: string;
  /** It waited behind another one when the blow came. */
  readonly isFollower: boolean;
  /** The blow met its victim. */
  readonly wasHit: boolean;
}

export interface Playing extends Omit<Sent, 'wasHit'> {
  readonly scene: Scene;
  hit: boolean;
}

/** A round while the blows fall. */
export interface Fight {
  readonly stage: Stage;
  readonly name: Pick<Kill, 'seed' | 'round'>;
  readonly tally: Tally;
  readonly playing: Playing[];
  /** Messages that are sent just before a blow, to be hit wherever they are: on their way, being acknowledged, delivered, or just begun. */
  readonly late: (() => readonly Playing[])[];
  readonly down: { isDown: boolean; downMs: number; againMs?: number };
}

export function sendLate({ late, playing }: Fight): void {
  playing.push(...(late.shift()?.() ?? []));
}

/** In the middle of finding everything again. */
export async function killAgain(stage: Stage, afterMs: number, name: Pick<Kill, 'seed' | 'round'>, tally: Tally): Promise<void> {
  await pause(afterMs);
  tally.kills.push({ ...name, victim: 'server', bytes: stage.actors.map((actor) => outputBytes(stage, actor)) });
  await stage.server.restart();
}

export async function strikeWith(fight: Fight, blow: Blow): Promise<void> {
  await pause(blow.afterMs);
  switch (blow.kind) {
    case 'socket':
      return strikeSocket(fight, blow);
    case 'server':
      return strikeServer(fight, blow);
    case 'process':
      return strikeProcess(fight, blow.session, blow.victim);
  }
}

async function strikeSocket(fight: Fight, blow: Extract<Blow, { kind: 'socket' }>): Promise<void> {
  const { proxy } = fight.stage;
  proxy.set({ kind: 'stall' });
  sendLate(fight);
  await pause(blow.deafMs);
  proxy.cut();
  proxy.set({ kind: 'cut-after', bytes: blow.cutAfterBytes });
  fight.tally.kills.push({ ...fight.name, victim: 'socket', bytes: [] });
}

async function strikeServer(fight: Fight, blow: Extract<Blow, { kind: 'server' }>): Promise<void> {
  const { stage, down } = fight;
  while (fight.late.length > 0) sendLate(fight);
  await pause(blow.lateMs);
  fight.tally.kills.push({ ...fight.name, victim: 'server', bytes: stage.actors.map((actor) => outputBytes(stage, actor)) });
  down.isDown = true;
  down.downMs = blow.downMs;
  if (blow.againMs !== undefined) down.againMs = blow.againMs;
  await stage.server.kill9();
}

function strikeProcess({ stage, playing, name, tally }: Fight, session: number, victim: Victim): void {
  const actor = stage.actors[session];
  const run = actor && runsOf(stage.browser.events(actor.id)).at(-1);
  if (actor === undefined || run === undefined) return;
  const pid = pidOf(stage.folderOf(actor.id, run), run, victim);
  if (pid === undefined) return;
  const bytes = [outputBytes(stage, actor)];
  process.kill(pid, 'SIGKILL');
  const hit = playing.filter((one) => one.actor === actor);
  for (const one of hit) one.hit = true;
  tally.kills.push({ ...name, victim, agent: actor.agent, bytes, situation: hit[0]?.strike.situation ?? 'idle' });
}

function outputBytes(stage: Stage, actor: Actor): number {
  const run = runsOf(stage.browser.events(actor.id)).at(-1);
  return run === undefined ? 0 : sizeOf(join(stage.folderOf(actor.id, run), 'out.ndjson'));
}
