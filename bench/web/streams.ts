import { setTimeout as pause } from 'node:timers/promises';
import { ms, quantile } from '../archive/measure.ts';
import { type Bench, nodesOf, type Opened, openPage } from './pages.ts';
import { STREAMS, Streams, TILED } from './story.ts';
import { heapBytes, sayTasks, scriptSeconds, tasksWhile } from './tasks.ts';

/** Of every stream. */
const WORDS_A_SECOND = 25;
const WORD_MS = 1000 / WORDS_A_SECOND / STREAMS.length;
const WARM_UP_SECONDS = 3;
/** So many that the slowest of a hundred are more than two, which any hiccup of the machine could decide. */
const KEYS = 600;
const LOOK_MS = 500;
/** Faster than anybody types. */
const KEY_MS = 60;

export interface Length {
  /** Of each round. */
  readonly seconds: number;
  /** Of streaming while memory is watched. */
  readonly minutes: number;
}

/** Many that write at once: the page that appends their words and ours take turns, so that both meet the same machine. */
export async function measureStreams(bench: Bench, { seconds, minutes }: Length): Promise<void> {
  const streams = new Streams(bench.replay);
  const floor = [await measureFloor(bench, streams, seconds)];
  const ours = await openPage(bench, `tiles?s=${TILED.join(',')}`);
  await ours.page
    .locator('.branch .markdown')
    .first()
    .waitFor({ state: 'attached', ...(await said(streams)) });
  await stream(streams, WARM_UP_SECONDS);
  let script = 0;
  const tasks = await tasksWhile(ours.cdp, async () => {
    script = await scriptWhile(ours, streams, () => stream(streams, seconds));
  });
  sayTasks(bench.say, `${STREAMS.length} busy streams in ${TILED.length} sessions side by side, tasks p99`, tasks);
  await measureKeys(bench, ours, streams);
  const nodes = await mostNodesWhile(ours, () => measureMemory(bench, ours, streams, minutes));
  bench.say({ what: 'most nodes of that page meanwhile', ours: String(nodes), floor: '', asked: '< 3,000', holds: nodes < 3000 });
  await ours.context.close();
  floor.push(await measureFloor(bench, streams, seconds));
  sayScript(bench, script, floor.reduce((sum, each) => sum + each, 0) / floor.length);
}

/** A word in every stream, so that there is something to wait for. */
async function said(streams: Streams): Promise<{ readonly timeout: number }> {
  for (const _ of STREAMS) streams.step();
  return { timeout: 30_000 };
}

async function measureFloor(bench: Bench, streams: Streams, seconds: number): Promise<number> {
  const floor = await openPage(bench, 'floor.html');
  await stream(streams, WARM_UP_SECONDS);
  const script = await scriptWhile(floor, streams, () => stream(streams, seconds));
  await floor.context.close();
  return script;
}

function sayScript({ say }: Bench, script: number, floor: number): void {
  const micro = (value: number): string => `${(value * 1e6).toFixed(0)} µs`;
  say({
    what: 'script a word (processor time)',
    ours: `${micro(script)} (${(script / floor).toFixed(1)}×)`,
    floor: micro(floor),
    asked: '≤ 2×',
    holds: script <= 2 * floor,
  });
}

/** Seconds of script a word took. */
async function scriptWhile({ cdp }: Opened, streams: Streams, run: () => Promise<void>): Promise<number> {
  const [script, sent] = [await scriptSeconds(cdp), streams.sent];
  await run();
  return ((await scriptSeconds(cdp)) - script) / (streams.sent - sent);
}

async function measureKeys({ say }: Bench, { page }: Opened, streams: Streams): Promise<void> {
  const field = page.getByLabel('Message', { exact: true }).first();
  await field.focus();
  await page.evaluate(() => Reflect.get(window, 'keys').splice(0));
  let isDone = false;
  const streaming = streamUntil(streams, () => isDone);
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'e');
    await pause(KEY_MS);
  }
  isDone = true;
  await streaming;
  const told = await page.evaluate((): number[] => Reflect.get(window, 'keys'));
  // What the browser does not tell of took less than it tells of.
  const all = [...told, ...Array.from({ length: Math.max(0, KEYS - told.length) }, () => 16)].sort((a, b) => a - b);
  const p99 = quantile(all, 0.99);
  say({ what: 'a keystroke on the screen meanwhile, p99', ours: `${ms(p99)} (p50 ${ms(quantile(all, 0.5))})`, floor: '', asked: '≤ 50 ms', holds: p99 <= 50 });
  await field.fill('');
}

async function measureMemory({ say }: Bench, { cdp }: Opened, streams: Streams, minutes: number): Promise<void> {
  const seconds = minutes * 60;
  await stream(streams, seconds / 6);
  const before = await heapBytes(cdp);
  await stream(streams, (seconds * 5) / 6);
  const after = await heapBytes(cdp);
  const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  say({
    what: `memory over ${minutes} minutes of it`,
    ours: `${megabytes(before)} → ${megabytes(after)} MB`,
    floor: '',
    asked: 'steady (≤ +10 %, or +5 MB)',
    holds: after <= Math.max(before * 1.1, before + 5 * 2 ** 20),
  });
}

/** Looked at again and again: answers grow, and those that are finished scroll away. */
async function mostNodesWhile({ page }: Opened, run: () => Promise<void>): Promise<number> {
  let [most, isDone] = [0, false];
  const running = run().finally(() => (isDone = true));
  for (; !isDone; await pause(LOOK_MS)) most = Math.max(most, await nodesOf(page));
  await running;
  return most;
}

async function stream(streams: Streams, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  await streamUntil(streams, () => performance.now() >= until);
}

async function streamUntil(streams: Streams, isDone: () => boolean): Promise<void> {
  for (let next = performance.now(); !isDone(); next += WORD_MS) {
    streams.step();
    await pause(Math.max(0, next + WORD_MS - performance.now()));
  }
}
