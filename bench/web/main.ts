import { cp, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../../test/support/chromium.ts';
import { pastSessions, withLibrary } from '../../test/support/replay-library.ts';
import { openReplayServer, type ReplayServer } from '../../test/support/replay-server.ts';
import { ms, quantile } from '../archive/measure.ts';
import { printTable, type Row } from '../relay/table.ts';
import { type Opened, openPage } from './pages.ts';
import { LONG, Streams, sessions, streamName } from './story.ts';
import { heapBytes, scriptSeconds, tasksWhile } from './tasks.ts';

// npm run bench:web [-- --quick] [--minutes N]: the page in Chromium beside a page that only appends text, in one run.
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, minutes: { type: 'string' } } });
const EVENTS = 50_000;
const STREAMS = 10;
/** The most that are shown side by side; the others move in the list of the same page. */
const TILES = 6;
/** Of every stream. */
const WORDS_A_SECOND = 25;
const STREAM_SECONDS = values.quick ? 10 : 30;
const SOAK_MINUTES = Number(values.minutes ?? (values.quick ? 1 : 30));
const OPENINGS = values.quick ? 5 : 15;
const KEYS = 200;
const KB = 1024;

const rows: Row[] = [];
const say = (row: Row): void => {
  rows.push(row);
  process.stderr.write(`  ${row.what}: ${row.ours}${row.floor === '' ? '' : `, floor ${row.floor}`} (load ${loadavg()[0]?.toFixed(1)})\n`);
};

const found = findChromium();
if ('skip' in found) throw new Error(found.skip);
const webRoot = await mkdtemp(join(tmpdir(), 'signalbox-bench-web-'));
await cp(resolve(import.meta.dirname, '../../dist/web'), webRoot, { recursive: true });
for (const name of ['floor.html', 'floor.js']) await cp(join(import.meta.dirname, name), join(webRoot, name));
const replay = await openReplayServer(sessions(EVENTS, STREAMS), webRoot);
withLibrary(replay, { sessions: pastSessions(10_000) });
const browser = await launchChromium(found.path);
try {
  await measureLong(browser, replay);
  await measureList(browser, replay);
  await measureStreams(browser, replay);
} finally {
  await browser.close();
  await replay.close();
  await rm(webRoot, { recursive: true, force: true });
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.versions.node}, Chromium ${browser.version()}\n`,
);
printTable(rows);
process.exit(rows.some((row) => row.holds === false) ? 1 : 0);

async function measureLong(browser: Browser, { url }: ReplayServer): Promise<void> {
  const taken: number[] = [];
  let [bytes, nodes] = [0, 0];
  for (let opening = 0; opening < OPENINGS; opening++) {
    const { page, context, scriptBytes } = await openPage(browser, `${url}s/${LONG}`);
    await page.waitForFunction(() => Reflect.get(window, 'noted').content > 0);
    bytes = await scriptBytes();
    const noted = await page.evaluate((): { data: number; content: number } => Reflect.get(window, 'noted'));
    taken.push(noted.content - noted.data);
    nodes = Math.max(nodes, await nodesOf(page));
    await context.close();
  }
  taken.sort((a, b) => a - b);
  say({ what: 'script before a session shows, compressed', ours: `${Math.round(bytes / KB)} KB`, floor: '', asked: '≤ 200 KB', holds: bytes <= 200 * KB });
  const [p50, worst] = [quantile(taken, 0.5), taken.at(-1) ?? Number.NaN];
  say({ what: `${EVENTS} events, from data to first content`, ours: `${ms(p50)}, worst ${ms(worst)}`, floor: '', asked: '≤ 100 ms', holds: p50 <= 100 });
  say({ what: 'nodes of that page', ours: String(nodes), floor: '', asked: '< 3,000', holds: nodes < 3000 });
}

async function measureList(browser: Browser, { url }: ReplayServer): Promise<void> {
  const { page, cdp, context } = await openPage(browser, `${url}sessions`);
  const list = page.getByRole('region', { name: 'Sessions' });
  await page.locator('.list-row').first().waitFor();
  let nodes = 0;
  const tasks = await tasksWhile(cdp, async () => {
    for (let step = 0; step < 60; step++) {
      await list.evaluate((area) => area.scrollBy(0, 2000));
      await page.evaluate(() => new Promise(requestAnimationFrame));
      nodes = Math.max(nodes, await nodesOf(page));
    }
  });
  sayTasks('scrolling 10,000 sessions, tasks p99', tasks);
  say({ what: 'nodes of that page', ours: String(nodes), floor: '', asked: '< 3,000', holds: nodes < 3000 });
  await context.close();
}

async function measureStreams(browser: Browser, replay: ReplayServer): Promise<void> {
  const streams = new Streams(replay, STREAMS);
  const floor = await openPage(browser, `${replay.url}floor.html`);
  const floorScript = await scriptWhile(floor, streams, () => stream(streams, STREAM_SECONDS));
  await floor.context.close();
  const shown = Array.from({ length: TILES }, (_, index) => streamName(index)).join(',');
  const ours = await openPage(browser, `${replay.url}tiles?s=${shown}`);
  await ours.page.locator('.transcript .row').first().waitFor();
  await stream(streams, 2);
  let script = 0;
  const tasks = await tasksWhile(ours.cdp, async () => {
    script = await scriptWhile(ours, streams, () => stream(streams, STREAM_SECONDS));
  });
  sayTasks(`${STREAMS} busy streams, ${TILES} of them side by side, tasks p99`, tasks);
  say({
    what: 'script a word',
    ours: `${(script * 1e6).toFixed(0)} µs (${(script / floorScript).toFixed(1)}×)`,
    floor: `${(floorScript * 1e6).toFixed(0)} µs`,
    asked: '≤ 2×',
    holds: script <= 2 * floorScript,
  });
  await measureKeys(ours, streams);
  const nodes = await nodesOf(ours.page);
  say({ what: 'nodes of that page', ours: String(nodes), floor: '', asked: '< 3,000', holds: nodes < 3000 });
  await measureMemory(ours, streams);
  await ours.context.close();
}

/** Seconds of script a word took. */
async function scriptWhile({ cdp }: Opened, streams: Streams, run: () => Promise<void>): Promise<number> {
  const [script, sent] = [await scriptSeconds(cdp), streams.sent];
  await run();
  return ((await scriptSeconds(cdp)) - script) / (streams.sent - sent);
}

async function measureKeys({ page }: Opened, streams: Streams): Promise<void> {
  const field = page.getByLabel('Message', { exact: true }).first();
  await field.focus();
  await page.evaluate(() => Reflect.get(window, 'keys').splice(0));
  let isDone = false;
  const streaming = streamUntil(streams, () => isDone);
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'e');
    await pause(20);
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

async function measureMemory({ cdp }: Opened, streams: Streams): Promise<void> {
  const seconds = SOAK_MINUTES * 60;
  await stream(streams, seconds / 6);
  const before = await heapBytes(cdp);
  await stream(streams, (seconds * 5) / 6);
  const after = await heapBytes(cdp);
  say({
    what: `memory over ${SOAK_MINUTES} minutes of it`,
    ours: `${(before / 2 ** 20).toFixed(0)} → ${(after / 2 ** 20).toFixed(0)} MB`,
    floor: '',
    asked: 'steady (≤ +10 %, or +5 MB)',
    holds: after <= Math.max(before * 1.1, before + 5 * 2 ** 20),
  });
}

function sayTasks(what: string, tasks: readonly number[]): void {
  const p99 = quantile(tasks, 0.99);
  say({ what, ours: `${ms(p99)}, longest ${ms(tasks.at(-1) ?? Number.NaN)}`, floor: '', asked: '≤ 50 ms', holds: p99 <= 50 });
}

function nodesOf(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('*').length);
}

async function stream(streams: Streams, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  await streamUntil(streams, () => performance.now() >= until);
}

async function streamUntil(streams: Streams, isDone: () => boolean): Promise<void> {
  for (let next = performance.now(); !isDone(); next += 1000 / WORDS_A_SECOND) {
    streams.step();
    await pause(Math.max(0, next + 1000 / WORDS_A_SECOND - performance.now()));
  }
}
