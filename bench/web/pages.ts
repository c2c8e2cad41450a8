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
  /** When the events of a session came, and when the first row of them was on the screen. */
  firstContent(): Promise<{ readonly data: number; readonly content: number }>;
}

const LIMIT_MS = 60_000;

/** `prepare` sees the page before it is sent anywhere. */
export async function openPage({ browser, replay }: Bench, address: string, prepare?: (page: Page) => Promise<void>): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 }, colorScheme: 'dark', serviceWorkers: 'block' });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(watchFirstContent);
  await page.addInitScript(watchKeys);
  await prepare?.(page);
  const cdp = await context.newCDPSession(page);
  // Of the page's own thread: what others take of a busy machine is not counted.
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

/** Nothing asks the page meanwhile: an answer would be work of its own. */
const firstContent = (page: Page): Promise<{ readonly data: number; readonly content: number }> => page.evaluate(() => Reflect.get(window, 'noted'));

/** Notes when the snapshot of a session arrived, and when the first row of it was painted. */
function watchFirstContent(): void {
  const GONE_MS = 1000;
  let came = 0;
  Reflect.set(window, 'noted', new Promise((resolve) => Reflect.set(window, 'note', resolve)));
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        if (came === 0 && typeof data === 'string' && data.startsWith('{"type":"snapshot"')) came = performance.now();
      });
    }
  };
  // The browser's own word for when the largest thing so far was on the screen: before the first rows come, nothing is as large as they are.
  new PerformanceObserver((list) => {
    for (const { element, startTime } of list.getEntries() as LargestContentfulPaint[]) {
      const told = { data: came, content: startTime };
      if (element?.closest('.transcript .row')) Reflect.get(window, 'note')(told);
      // A row whose words have been drawn with their grammar since is not there any more, and none larger may come.
      else if (element === null && came > 0) setTimeout(() => Reflect.get(window, 'note')(told), GONE_MS);
    }
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
