import { setTimeout as pause } from 'node:timers/promises';
import { type Fight, killAgain, type Playing, type Sent, sendLate, strikeWith } from './blows.ts';
import type { Round, Strike } from './plan.ts';
import { comeToRest } from './rest.ts';
import { sceneOf } from './situations.ts';
import type { Actor, Stage } from './stage.ts';
import type { Tally } from './tally.ts';

/** Everybody works, the blows fall, everybody comes to rest. */
export async function playRound(stage: Stage, round: Round, name: { readonly seed: number; readonly round: number }, tally: Tally): Promise<readonly Sent[]> {
  const beginAll = (strikes: readonly Strike[]) => strikes.flatMap((strike) => begin(stage, strike, `c${name.seed}r${name.round}s${strike.session}`));
  const playing = beginAll(round.strikes.filter(({ situation }) => situation !== 'anytime'));
  await Promise.all(playing.map(({ scene }) => scene.inside()));
  for (const { strike, actor } of playing) personActs(stage, actor, strike);
  const fight: Fight = {
    stage,
    name,
    tally,
    playing,
    late: [() => playing.flatMap((first) => follow(stage, first)), () => beginAll(round.strikes.filter(({ situation }) => situation === 'anytime'))],
    down: { isDown: false, downMs: 0 },
  };
  for (const blow of round.blows) await strikeWith(fight, blow);
  while (fight.late.length > 0) sendLate(fight);
  const { down } = fight;
  const goOn = () => Promise.all(playing.map(({ scene, strike, hit }) => scene.goOn(hit && strike.victim === 'agent')));
  if (round.goesOnUnseen) await goOn();
  if (down.isDown) {
    await pause(down.downMs);
    await stage.server.restart();
    if (down.againMs !== undefined) await killAgain(stage, down.againMs, name, tally);
    stage.browser.cockpit.nudge();
  }
  stage.proxy.set({ kind: 'none' });
  if (!round.goesOnUnseen) await goOn();
  const answers = new Map(round.strikes.map((strike) => [stage.actors[strike.session]?.id ?? '', strike.answer]));
  await Promise.all(stage.actors.map((actor) => comeToRest(stage, actor, answers.get(actor.id) ?? 'allow')));
  return playing.map(({ hit, scene: _, ...sent }) => ({ ...sent, wasHit: hit }));
}

/** What a person does may still be on its way when the blows fall. */
function personActs(stage: Stage, actor: Actor, strike: Strike): void {
  if (strike.person === 'interrupts') stage.browser.cockpit.interrupt(actor.id);
  if (strike.person !== 'answers') return;
  const events = stage.browser.events(actor.id);
  const closed = new Set(events.flatMap((event) => (event.type === 'permission.resolved' ? [event.requestId] : [])));
  for (const event of events) {
    if (event.type === 'permission.requested' && !closed.has(event.requestId)) stage.browser.answer(event.requestId, actor.id, strike.answer);
  }
}

function begin(stage: Stage, strike: Strike, token: string): Playing[] {
  const actor = stage.actors[strike.session];
  if (actor === undefined) return [];
  const scene = sceneOf(stage, actor, strike, token);
  return [{ commandId: stage.browser.send(actor.id, scene.text), actor, strike, token, isFollower: false, scene, hit: false }];
}

/** A second message, sent when the first one is in the middle of its turn. */
function follow(stage: Stage, { actor, strike, token: first }: Playing): readonly Playing[] {
  if (!strike.hasFollower) return [];
  const token = `${first}f`;
  const text = actor.agent === 'stand-in' ? 'flood 20' : `@PLAIN ${token}`;
  const scene = { text, inside: async () => undefined, goOn: async () => undefined };
  return [{ commandId: stage.browser.send(actor.id, text), actor, strike, token, isFollower: true, scene, hit: false }];
}
