import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, SessionStep, Victim } from './plan.ts';
import { pidOf, sizeOf } from './processes.ts';
import type { Actor, Setup } from './setup.ts';
import { runsOf, type ScriptedTurn } from './situations.ts';
import type { Kill, Tally } from './tally.ts';

/** A message sent to a session, and whether a fault hit the session while it ran. */
export interface Sent {
  readonly commandId: string;
  readonly actor: Actor;
  readonly step: SessionStep;
  readonly token: string;
  /** It was queued behind another message when the fault was injected. */
  readonly isFollower: boolean;
  /** The fault hit its victim. */
  readonly wasHit: boolean;
}

export interface RunningRound extends Omit<Sent, 'wasHit'> {
  readonly turn: ScriptedTurn;
  hit: boolean;
}

/** A round while faults are injected. */
export interface RoundContext {
  readonly setup: Setup;
  readonly name: Pick<Kill, 'seed' | 'round'>;
  readonly tally: Tally;
  readonly running: RunningRound[];
  /** Messages that are sent just before a fault, to be hit wherever they are: in transit, being acknowledged, delivered, or just started. */
  readonly late: (() => readonly RunningRound[])[];
  readonly down: { isDown: boolean; downMs: number; againMs?: number };
}

export function sendLate({ late, running }: RoundContext): void {
  running.push(...(late.shift()?.() ?? []));
}

/** Kills the server again while it recovers. */
export async function killAgain(setup: Setup, afterMs: number, name: Pick<Kill, 'seed' | 'round'>, tally: Tally): Promise<void> {
  await pause(afterMs);
  tally.kills.push({ ...name, victim: 'server', bytes: setup.actors.map((actor) => outputBytes(setup, actor)) });
  await setup.server.restart();
}

export async function injectFault(context: RoundContext, fault: Fault): Promise<void> {
  await pause(fault.afterMs);
  switch (fault.kind) {
    case 'socket':
      return cutSocket(context, fault);
    case 'server':
      return killServer(context, fault);
    case 'process':
      return killProcess(context, fault.session, fault.victim);
  }
}

async function cutSocket(context: RoundContext, fault: Extract<Fault, { kind: 'socket' }>): Promise<void> {
  const { proxy } = context.setup;
  proxy.set({ kind: 'stall' });
  sendLate(context);
  await pause(fault.stalledMs);
  proxy.cut();
  proxy.set({ kind: 'cut-after', bytes: fault.cutAfterBytes });
  context.tally.kills.push({ ...context.name, victim: 'socket', bytes: [] });
}

async function killServer(context: RoundContext, fault: Extract<Fault, { kind: 'server' }>): Promise<void> {
  const { setup, down } = context;
  while (context.late.length > 0) sendLate(context);
  await pause(fault.lateMs);
  context.tally.kills.push({ ...context.name, victim: 'server', bytes: setup.actors.map((actor) => outputBytes(setup, actor)) });
  down.isDown = true;
  down.downMs = fault.downMs;
  if (fault.againMs !== undefined) down.againMs = fault.againMs;
  await setup.server.kill9();
}

function killProcess({ setup, running, name, tally }: RoundContext, session: number, victim: Victim): void {
  const actor = setup.actors[session];
  const run = actor && runsOf(setup.browser.events(actor.id)).at(-1);
  if (actor === undefined || run === undefined) return;
  const pid = pidOf(setup.folderOf(actor.id, run), run, victim);
  if (pid === undefined) return;
  const bytes = [outputBytes(setup, actor)];
  process.kill(pid, 'SIGKILL');
  const hit = running.filter((one) => one.actor === actor);
  for (const one of hit) one.hit = true;
  tally.kills.push({ ...name, victim, agent: actor.agent, bytes, situation: hit[0]?.step.situation ?? 'idle' });
}

function outputBytes(setup: Setup, actor: Actor): number {
  const run = runsOf(setup.browser.events(actor.id)).at(-1);
  return run === undefined ? 0 : sizeOf(join(setup.folderOf(actor.id, run), 'out.ndjson'));
}
