import type { Browser, CDPSession, Page } from 'playwright-core';
import { DESKTOP, RECOVERY_LIMIT_MS } from '../support/browser/person.ts';

/** A page that reports all of its errors and warnings. */
export interface WatchedPage {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly origin: string;
  /** Policy violations, script errors and console errors. */
  readonly complaints: readonly string[];
}

/** The browser itself logs a failed connection; a page cannot prevent that. */
const CONNECTION_FAILED = /^(WebSocket connection to |Failed to load resource: net::ERR_)/;
/** On a slow connection the page asked for rule proposals for a request that had been answered in the meantime. */
const TOO_LATE = /^Failed to load resource: .* 404 .*\/api\/permissions\/[^/]+\/proposals$/;

export async function openWatchedPage(browser: Browser, origin: string, token: string): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: DESKTOP, colorScheme: 'dark', reducedMotion: 'reduce', serviceWorkers: 'block' });
  const complaints: string[] = [];
  await context.exposeFunction('reportToTest', (words: string) => void complaints.push(words));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      Reflect.get(window, 'reportToTest')(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(RECOVERY_LIMIT_MS);
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => {
    const words = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && !CONNECTION_FAILED.test(words) && !TOO_LATE.test(words)) complaints.push(`console: ${words}`);
  });
  await page.goto(`${origin}/?token=${token}`);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  return { page, cdp, origin, complaints };
}
