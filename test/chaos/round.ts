import { setTimeout as pause } from 'node:timers/promises';
import { injectFault, killAgain, type RoundContext, type RunningRound, type Sent, sendLate } from './faults.ts';
import type { Round, SessionStep } from './plan.ts';
import { waitUntilSettled } from './settle.ts';
import type { Actor, Setup } from './setup.ts';
import { scriptedTurnOf } from './situations.ts';
import type { Tally } from './tally.ts';

/** Starts all agents, injects faults, and waits until all sessions settle. */
export async function runRound(setup: Setup, round: Round, name: { readonly seed: number; readonly round: number }, tally: Tally): Promise<readonly Sent[]> {
  const startAll = (steps: readonly SessionStep[]) => steps.flatMap((step) => start(setup, step, `c${name.seed}r${name.round}s${step.session}`));
  const running = startAll(round.steps.filter(({ situation }) => situation !== 'anytime'));
  await Promise.all(running.map(({ turn }) => turn.inside()));
  for (const { step, actor } of running) personActs(setup, actor, step);
  const context: RoundContext = {
    setup,
    name,
    tally,
    running,
    late: [() => running.flatMap((first) => follow(setup, first)), () => startAll(round.steps.filter(({ situation }) => situation === 'anytime'))],
    down: { isDown: false, downMs: 0 },
  };
  for (const fault of round.faults) await injectFault(context, fault);
  while (context.late.length > 0) sendLate(context);
  const { down } = context;
  const finish = () => Promise.all(running.map(({ turn, step, hit }) => turn.finish(hit && step.victim === 'agent')));
  if (round.continuesOffline) await finish();
  if (down.isDown) {
    await pause(down.downMs);
    await setup.server.restart();
    if (down.againMs !== undefined) await killAgain(setup, down.againMs, name, tally);
    setup.browser.cockpit.nudge();
  }
  setup.proxy.set({ kind: 'none' });
  if (!round.continuesOffline) await finish();
  const answers = new Map(round.steps.map((step) => [setup.actors[step.session]?.id ?? '', step.answer]));
  await Promise.all(setup.actors.map((actor) => waitUntilSettled(setup, actor, answers.get(actor.id) ?? 'allow')));
  return running.map(({ hit, turn: _, ...sent }) => ({ ...sent, wasHit: hit }));
}

/** The person's command can still be in transit when the faults are injected. */
function personActs(setup: Setup, actor: Actor, step: SessionStep): void {
  if (step.person === 'interrupts') setup.browser.cockpit.interrupt(actor.id);
  if (step.person !== 'answers') return;
  const events = setup.browser.events(actor.id);
  const closed = new Set(events.flatMap((event) => (event.type === 'permission.resolved' ? [event.requestId] : [])));
  for (const event of events) {
    if (event.type === 'permission.requested' && !closed.has(event.requestId)) setup.browser.answer(event.requestId, actor.id, step.answer);
  }
}

function start(setup: Setup, step: SessionStep, token: string): RunningRound[] {
  const actor = setup.actors[step.session];
  if (actor === undefined) return [];
  const turn = scriptedTurnOf(setup, actor, step, token);
  return [{ commandId: setup.browser.send(actor.id, turn.text), actor, step, token, isFollower: false, turn, hit: false }];
}

/** A second message, sent while the first one is mid-turn. */
function follow(setup: Setup, { actor, step, token: first }: RunningRound): readonly RunningRound[] {
  if (!step.hasFollower) return [];
  const token = `${first}f`;
  const text = actor.agent === 'stand-in' ? 'flood 20' : `@PLAIN ${token}`;
  const turn = { text, inside: async () => undefined, finish: async () => undefined };
  return [{ commandId: setup.browser.send(actor.id, text), actor, step, token, isFollower: true, turn, hit: false }];
}
