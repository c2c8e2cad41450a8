import { setTimeout as pause } from 'node:timers/promises';
import { ms, quantile } from '../archive/measure.ts';
import { type Bench, nodesOf, type Opened, openPage } from './pages.ts';
import { STREAMS, Streams, TILED } from './sample-streams.ts';
import { heapBytes, reportTasks, scriptSeconds, tasksWhile } from './tasks.ts';

/** Per stream. */
const WORDS_PER_SECOND = 25;
const WORD_MS = 1000 / WORDS_PER_SECOND / STREAMS.length;
const WARM_UP_SECONDS = 3;
/** Enough that the p99 doesn't depend on one or two hiccups of the machine. */
const KEYS = 600;
const LOOK_MS = 500;
/** Faster than anyone types. */
const KEY_MS = 60;

export interface Length {
  /** Length of each round. */
  readonly seconds: number;
  /** How long to stream while watching memory. */
  readonly minutes: number;
}

/** Many streams at once. The floor page and ours take turns, so that both run under the same conditions. */
export async function measureStreams(bench: Bench, { seconds, minutes }: Length): Promise<void> {
  const streams = new Streams(bench.replay);
  const floor = [await measureFloor(bench, streams, seconds)];
  const ours = await openPage(bench, `tiles?s=${TILED.join(',')}`);
  await ours.page
    .locator('.branch .markdown')
    .first()
    .waitFor({ state: 'attached', ...(await firstWords(streams)) });
  await stream(streams, WARM_UP_SECONDS);
  let script = 0;
  const tasks = await tasksWhile(ours.cdp, async () => {
    script = await scriptWhile(ours, streams, () => stream(streams, seconds));
  });
  reportTasks(bench.say, `${STREAMS.length} busy streams in ${TILED.length} sessions side by side, tasks p99`, tasks);
  await measureKeys(bench, ours, streams);
  const nodes = await mostNodesWhile(ours, () => measureMemory(bench, ours, streams, minutes));
  bench.say({ what: 'most nodes of that page while streaming', ours: String(nodes), floor: '', target: '< 3,000', holds: nodes < 3000 });
  await ours.context.close();
  floor.push(await measureFloor(bench, streams, seconds));
  reportScript(bench, script, floor.reduce((sum, each) => sum + each, 0) / floor.length);
}

/** Sends a word to every stream, so that there is something to wait for. */
async function firstWords(streams: Streams): Promise<{ readonly timeout: number }> {
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

function reportScript({ say }: Bench, script: number, floor: number): void {
  const micro = (value: number): string => `${(value * 1e6).toFixed(0)} µs`;
  say({
    what: 'script per word (CPU time)',
    ours: `${micro(script)} (${(script / floor).toFixed(1)}×)`,
    floor: micro(floor),
    target: '≤ 2×',
    holds: script <= 2 * floor,
  });
}

/** Seconds of script per word. */
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
  const reported = await page.evaluate((): number[] => Reflect.get(window, 'keys'));
  // The browser doesn't report keystrokes below 16 ms, so the missing ones count as 16.
  const all = [...reported, ...Array.from({ length: Math.max(0, KEYS - reported.length) }, () => 16)].sort((a, b) => a - b);
  const p99 = quantile(all, 0.99);
  say({ what: 'keystroke to screen while streaming, p99', ours: `${ms(p99)} (p50 ${ms(quantile(all, 0.5))})`, floor: '', target: '≤ 50 ms', holds: p99 <= 50 });
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
    what: `memory over ${minutes} minutes of streaming`,
    ours: `${megabytes(before)} → ${megabytes(after)} MB`,
    floor: '',
    target: 'steady (≤ +10 %, or +5 MB)',
    holds: after <= Math.max(before * 1.1, before + 5 * 2 ** 20),
  });
}

/** Checked repeatedly: answers grow, and finished ones scroll away. */
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
