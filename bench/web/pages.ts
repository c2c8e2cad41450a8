import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { ReplayServer } from '../../test/support/replay/replay-server.ts';
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
  /** When a session's events arrived, and when the first row was on the screen. */
  firstContent(): Promise<{ readonly data: number; readonly content: number }>;
}

const LIMIT_MS = 60_000;

/** `prepare` gets the page before it navigates. */
export async function openPage({ browser, replay }: Bench, address: string, prepare?: (page: Page) => Promise<void>): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 }, colorScheme: 'dark', serviceWorkers: 'block' });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(watchFirstContent);
  await page.addInitScript(watchKeys);
  await prepare?.(page);
  const cdp = await context.newCDPSession(page);
  // CPU time of the page's own thread, so that other load on the machine doesn't count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(replay.url + address);
  return {
    context,
    page,
    cdp,
    firstContent: () => firstContent(page),
  };
}

export const nodesOf = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);

/** A promise inside the page, not a poll: answering polls would be extra work for the page. */
const firstContent = (page: Page): Promise<{ readonly data: number; readonly content: number }> => page.evaluate(() => Reflect.get(window, 'noted'));

/** Notes when the snapshot of a session arrived, and when the first row of it was painted. */
function watchFirstContent(): void {
  const GONE_MS = 1000;
  let arrivedAt = 0;
  Reflect.set(window, 'noted', new Promise((resolve) => Reflect.set(window, 'note', resolve)));
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        if (arrivedAt === 0 && typeof data === 'string' && data.startsWith('{"type":"snapshot"')) arrivedAt = performance.now();
      });
    }
  };
  // The browser reports when the largest element so far was painted. Before the first rows, nothing is as large as they are.
  new PerformanceObserver((list) => {
    for (const { element, startTime } of list.getEntries() as LargestContentfulPaint[]) {
      const times = { data: arrivedAt, content: startTime };
      if (element?.closest('.transcript .row')) Reflect.get(window, 'note')(times);
      // A row that was since rendered again as Markdown is gone, and a larger one may never be painted.
      else if (element === null && arrivedAt > 0) setTimeout(() => Reflect.get(window, 'note')(times), GONE_MS);
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}

/** Notes how long each keystroke took until it was on the screen. The browser reports none below 16 ms. */
function watchKeys(): void {
  const keys: number[] = [];
  Reflect.set(window, 'keys', keys);
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'keydown') keys.push(entry.duration);
  });
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}
