import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Bytes of script, compressed, that had been fetched when it was asked. */
  scriptBytes(): Promise<number>;
}

export async function openPage(browser: Browser, url: string): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  const page = await context.newPage();
  await page.addInitScript(watchFirstContent);
  await page.addInitScript(watchKeys);
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      scripts.push(
        response
          .body()
          .then((body) => gzipSync(body).length)
          .catch(() => 0),
      );
  });
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  await page.goto(url);
  return { context, page, cdp, scriptBytes: async () => (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0) };
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
  new MutationObserver((_, observer) => {
    if (document.querySelector('.transcript .row') === null) return;
    observer.disconnect();
    // The frame after the next has been painted for sure.
    requestAnimationFrame(() => requestAnimationFrame(() => (noted.content = performance.now())));
  }).observe(document, { childList: true, subtree: true });
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
