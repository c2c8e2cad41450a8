import type { CDPSession, Page } from 'playwright-core';
import type { Move } from '../../src/protocol/api/panel.ts';
import { buildWeb } from '../../test/support/browser/build-web.ts';
import { findChromium, launchChromium } from '../../test/support/browser/chromium.ts';
import { openReplayServer, type ReplayServer } from '../../test/support/replay/replay-server.ts';
import { manyBusySessions } from '../../test/support/replay/sample-deck.ts';

// npm run bench -- panel [--quick]: fifty lines on the panel, first while only time passes, then while all of them are working.
const LINES = 50;
const isQuick = process.argv.includes('--quick');
const SECONDS = isQuick ? 5 : 20;
const BEAT_MS = 100;
/** Higher than any seq of the recorded lines. */
const FIRST_SEQ = 1_000_000;

const found = findChromium();
if ('skip' in found) throw new Error(found.skip);
const replay = await openReplayServer(manyBusySessions(LINES), await buildWeb());
const browser = await launchChromium(found.path);
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.addInitScript(watchLongTasks);
await page.goto(replay.url);
await page.locator('.plan .blocks.live').first().waitFor();
const cdp = await page.context().newCDPSession(page);
// CPU time of the page's own thread, so that other load on the machine doesn't count.
await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
const rows = [await measured('only time passes', page, cdp, async () => undefined), await measured('all lines working', page, cdp, work(replay))];
console.table(rows);
await browser.close();
await replay.close();
process.exit(0);

function watchLongTasks(): void {
  const tasks: number[] = [];
  Object.assign(window, { longTasks: tasks });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ['longtask'] });
}

/** Every line starts or ends a call, and updates its last line, five times a second. */
function work({ book }: ReplayServer): (beat: number) => Promise<void> {
  const ids = [...book.pages.keys()];
  return async (beat) => {
    for (const [index, id] of ids.entries()) {
      if ((beat + index) % 2 === 0) continue;
      const call = `b${Math.floor(beat / 4)}`;
      const session = book.pages.get(id)?.session;
      if (session === undefined) continue;
      const moment = { seq: FIRST_SEQ + beat, at: Date.now(), id: call };
      const move: Move = beat % 4 < 2 ? { type: 'called', ...moment, what: `Bash step ${beat}` } : { type: 'returned', ...moment, failed: false };
      book.tell({ type: 'activity', sessionId: session.id, moves: [move] });
      book.tell({ type: 'status', sessionId: session.id, status: session.status, session: { ...session, lastLine: `step ${beat}` } });
    }
  };
}

async function measured(what: string, at: Page, metrics: CDPSession, beat: (count: number) => Promise<void>) {
  await at.evaluate('longTasks.length = 0');
  const before = await numbers(metrics);
  for (let count = 0; count < (SECONDS * 1000) / BEAT_MS; count++) {
    const until = new Promise((resolve) => setTimeout(resolve, BEAT_MS));
    await beat(count);
    await until;
  }
  const after = await numbers(metrics);
  const tasks: number[] = await at.evaluate('longTasks');
  const perSecond = (name: string): number => Math.round((((after.get(name) ?? 0) - (before.get(name) ?? 0)) / SECONDS) * 1e4) / 10;
  return {
    what,
    'tasks over 50 ms': tasks.length,
    'longest ms': Math.round(Math.max(0, ...tasks)),
    'all tasks ms/s': perSecond('TaskDuration'),
    'script ms/s': perSecond('ScriptDuration'),
    'layout ms/s': perSecond('LayoutDuration'),
    nodes: await at.evaluate<number>('document.querySelectorAll("*").length'),
  };
}

async function numbers(metrics: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics: all } = await metrics.send('Performance.getMetrics');
  return new Map(all.map(({ name, value }) => [name, value]));
}
