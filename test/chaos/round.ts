import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import type { Blow, Round, Strike, Victim } from './plan.ts';
import { markedBy, pidOf, sizeOf } from './processes.ts';
import { runsOf, type Scene, sceneOf } from './situations.ts';
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

interface Playing extends Omit<Sent, 'wasHit'> {
  readonly scene: Scene;
  hit: boolean;
}

/** Everybody works, the blows fall, everybody comes to rest. */
export async function playRound(stage: Stage, round: Round, name: { readonly seed: number; readonly round: number }, tally: Tally): Promise<readonly Sent[]> {
  const beginAll = (strikes: readonly Strike[]) => strikes.flatMap((strike) => begin(stage, strike, `c${name.seed}r${name.round}s${strike.session}`));
  const playing = beginAll(round.strikes.filter(({ situation }) => situation !== 'anytime'));
  await Promise.all(playing.map(({ scene }) => scene.inside()));
  // These are hit wherever they happen to be: on the way to the server, being delivered, or just begun.
  playing.push(...beginAll(round.strikes.filter(({ situation }) => situation === 'anytime')));
  const server = { isDown: false, downMs: 0 };
  for (const blow of round.blows) await strikeWith(stage, blow, playing, name, tally, server);
  const goOn = () => Promise.all(playing.map(({ scene, strike, hit }) => scene.goOn(hit && strike.victim === 'agent')));
  if (round.goesOnUnseen) await goOn();
  if (server.isDown) {
    await pause(server.downMs);
    await stage.server.restart();
    stage.browser.cockpit.nudge();
  }
  stage.proxy.set({ kind: 'none' });
  if (!round.goesOnUnseen) await goOn();
  const answers = new Map(round.strikes.map((strike) => [stage.actors[strike.session]?.id ?? '', strike.answer]));
  await Promise.all(stage.actors.map((actor) => comeToRest(stage, actor, answers.get(actor.id) ?? 'allow')));
  return playing.map(({ hit, scene: _, ...sent }) => ({ ...sent, wasHit: hit }));
}

function begin(stage: Stage, strike: Strike, token: string): Playing[] {
  const actor = stage.actors[strike.session];
  if (actor === undefined) return [];
  const scene = sceneOf(stage, actor, strike, token);
  const first = { commandId: stage.browser.send(actor.id, scene.text), actor, strike, token, isFollower: false, scene, hit: false };
  if (!strike.hasFollower) return [first];
  const text = actor.agent === 'stand-in' ? 'flood 20' : `@PLAIN ${token}f`;
  const quiet = { text, inside: async () => undefined, goOn: async () => undefined };
  return [first, { commandId: stage.browser.send(actor.id, text), actor, strike, token: `${token}f`, isFollower: true, scene: quiet, hit: false }];
}

async function strikeWith(
  stage: Stage,
  blow: Blow,
  playing: readonly Playing[],
  name: Pick<Kill, 'seed' | 'round'>,
  tally: Tally,
  server: { isDown: boolean; downMs: number },
): Promise<void> {
  await pause(blow.afterMs);
  switch (blow.kind) {
    case 'socket':
      stage.proxy.set({ kind: 'cut-after', bytes: blow.cutAfterBytes });
      stage.proxy.cut();
      tally.kills.push({ ...name, victim: 'socket', bytes: [] });
      return;
    case 'server':
      tally.kills.push({ ...name, victim: 'server', bytes: stage.actors.map((actor) => outputBytes(stage, actor)) });
      server.isDown = true;
      server.downMs = blow.downMs;
      return stage.server.kill9();
    case 'process':
      return strikeProcess(stage, blow.session, blow.victim, playing, name, tally);
  }
}

function strikeProcess(stage: Stage, session: number, victim: Victim, playing: readonly Playing[], name: Pick<Kill, 'seed' | 'round'>, tally: Tally): void {
  const actor = stage.actors[session];
  const run = actor && runsOf(stage.browser.events(actor.id)).at(-1);
  if (actor === undefined || run === undefined) return;
  const pid = pidOf(stage.folderOf(actor.id, run), run, victim);
  if (pid === undefined) return;
  const bytes = [outputBytes(stage, actor)];
  process.kill(pid, 'SIGKILL');
  const hit = playing.filter((one) => one.actor === actor);
  for (const one of hit) one.hit = true;
  tally.kills.push({ ...name, victim, agent: actor.agent, bytes, ...(hit[0] && { situation: hit[0].strike.situation }) });
}

function outputBytes(stage: Stage, actor: Actor): number {
  const run = runsOf(stage.browser.events(actor.id)).at(-1);
  return run === undefined ? 0 : sizeOf(join(stage.folderOf(actor.id, run), 'out.ndjson'));
}

const REST_LIMIT_MS = 60_000;
const RESTING = new Set(['idle', 'ended', 'failed', 'sleeping']);

/** Answers what is asked until nothing runs and nothing waits any more; then no process may be left that the status does not tell of. */
export async function comeToRest(stage: Stage, actor: Actor, behavior: 'allow' | 'deny'): Promise<Session> {
  const answered = new Set<string>();
  const deadline = performance.now() + REST_LIMIT_MS;
  for (;;) {
    const session = await stage.session(actor.id);
    const left = await whatIsLeft(stage, actor, session);
    if (left === undefined) return session;
    if (performance.now() > deadline) throw new Error(`${actor.agent} ${actor.id} does not come to rest: ${left}`);
    for (const requestId of await waitingIn(stage, actor.id)) {
      if (!answered.has(requestId)) stage.browser.answer(requestId, actor.id, behavior);
      answered.add(requestId);
    }
    await pause(30);
  }
}

async function whatIsLeft(stage: Stage, actor: Actor, session: Session): Promise<string | undefined> {
  const { unsent } = stage.browser.cockpit.store.getState();
  const mine = unsent.filter((entry) => entry.sessionId === actor.id);
  if (mine.length > 0) return `the page still has ${mine.map((entry) => entry.commandId).join(', ')} to send`;
  if (!RESTING.has(session.status) || session.queue.length > 0) {
    return `it is ${session.status} (${session.statusCause.cause}) with ${session.queue.length} messages: ${JSON.stringify(session.queue)}`;
  }
  const runs = runsOf(await stage.events(actor.id));
  const live = session.status === 'idle' ? runs.at(-1) : undefined;
  if (live !== undefined && pidOf(stage.folderOf(actor.id, live), live, 'agent') === undefined) return 'it is shown as idle and has no process';
  const orphans = markedBy(runs.filter((run) => run !== live));
  return orphans.length > 0
    ? `it is ${session.status}, and these live on: ${orphans.map(({ pid, run, command }) => `${pid} of ${run}: ${command}`).join('; ')}`
    : undefined;
}

async function waitingIn(stage: Stage, id: string): Promise<readonly string[]> {
  const answer = await api<{ permissions: { requestId: string }[] }>(stage.server, 'GET', `/api/permissions?session=${id}`);
  return answer.body.permissions.map(({ requestId }) => requestId);
}
