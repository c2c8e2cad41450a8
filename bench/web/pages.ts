import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { ReplayServer } from '../../test/support/replay-server.ts';
import type { Row } from '../relay/table.ts';

export interface Bench {
  readonly browser: Browser;
  readonly replay: ReplayServer;
  readonly say: (row: Row) => void;
}

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Bytes of script, compressed, that had come when it was asked. */
  scriptBytes(): Promise<number>;
  /** When the events of a session came, and when the first row of them was on the screen. */
  firstContent(): Promise<{ readonly data: number; readonly content: number }>;
}

/** Scripts of this address are answered only then. */
interface Held {
  readonly holdBack: RegExp;
  readonly until: Promise<void>;
}

const LIMIT_MS = 60_000;

export async function openPage({ browser, replay }: Bench, address: string, held?: Held): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 }, colorScheme: 'dark', serviceWorkers: 'block' });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(watchFirstContent);
  await page.addInitScript(watchKeys);
  if (held !== undefined) await page.route(held.holdBack, (route) => held.until.then(() => route.continue()));
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body().then(compressed, () => 0));
  });
  const cdp = await context.newCDPSession(page);
  // Of the page's own thread: what others take of a busy machine is not counted.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(replay.url + address);
  return {
    context,
    page,
    cdp,
    scriptBytes: async () => (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0),
    firstContent: () => firstContent(page),
  };
}

const compressed = (body: Buffer): number => gzipSync(body).length;

export const nodesOf = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);

async function firstContent(page: Page): Promise<{ readonly data: number; readonly content: number }> {
  await page.waitForFunction(() => Reflect.get(window, 'noted').content > 0);
  return page.evaluate(() => Reflect.get(window, 'noted'));
}

/** Notes when the snapshot of a session arrived, and when the first row of it was painted. */
function watchFirstContent(): void {
  const noted = { data: 0, content: 0 };
  Reflect.set(window, 'noted', noted);
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        if (noted.data === 0 && typeof data === 'string' && data.startsWith('{"type":"snapshot"')) noted.data = performance.now();
      });
    }
  };
  // The browser's own word for when the largest thing so far was on the screen: before the first rows come, nothing is as large as they are.
  new PerformanceObserver((list) => {
    for (const { element, startTime } of list.getEntries() as LargestContentfulPaint[])
      if (noted.content === 0 && element?.closest('.transcript .row')) noted.content = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}

/** Notes how long each keystroke took until it was on the screen; shorter ones than the browser tells of count as that. */
function watchKeys(): void {
  const keys: number[] = [];
  Reflect.set(window, 'keys', keys);
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'keydown') keys.push(entry.duration);
  });
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}
