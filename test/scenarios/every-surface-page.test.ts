import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriersOf } from '../support/barriers.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type Furnished, furnish } from '../support/furnished.ts';
import { DESK, PHONE } from '../support/person.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { SURFACES, type Surface } from '../support/surfaces.ts';
import { waitFor } from '../support/wait-for.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Pictures of every surface, for people to look at. */
const PICTURES = join(ROOT, '.cache/surfaces');
const chromium = findChromium();
const isBuilt = existsSync(join(ROOT, 'dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
/** About thirty surfaces, each with a whole audit, on a busy machine. */
const WALK_MS = 900_000;
const SETTLE_MS = 3_000;

let server: TestServer;
let browser: Browser;
let house: Furnished;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  mkdirSync(PICTURES, { recursive: true });
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
  house = await furnish(server);
  browser = await launchChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const SIZES = [
  ['1440', DESK],
  ['390', PHONE],
] as const;

for (const [size, viewport] of SIZES) {
  test(`every surface keeps the policy, has no serious barrier, fits and complains of nothing, in both themes and with text of 200 % (${size} px)`, {
    timeout: WALK_MS,
  }, async ({ skip }) => {
    if (missing) return skip(missing);
    expect(await faultsOf(await openWalker(viewport), size)).toEqual({});
  });
}

interface Walker {
  readonly page: Page;
  /** Of the policy, of scripts, of the console; since they were last taken. */
  readonly complaints: string[];
}

async function openWalker(viewport: typeof DESK): Promise<Walker> {
  const context = await browser.newContext({ viewport, colorScheme: 'dark', hasTouch: viewport.width === PHONE.width, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  await context.exposeFunction('tellTest', (words: string) => void complaints.push(words));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      Reflect.get(window, 'tellTest')(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && complaints.push(`console: ${message.text()}`));
  await context.request.get(`${server.url}/?token=${server.token}`);
  return { page, complaints };
}

/** Walks over all surfaces and tells what is wrong with which. Each is loaded once: what a person changes while he looks must fit as well. */
async function faultsOf(walker: Walker, size: string): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const surface of SURFACES) {
    const faults = await faultsIn(walker, surface, size);
    if (faults.length > 0) found[surface.name] = faults;
  }
  await walker.page.context().close();
  return found;
}

async function faultsIn({ page, complaints }: Walker, surface: Surface, size: string): Promise<readonly string[]> {
  const keepPicture = (mark: string) => page.screenshot({ path: join(PICTURES, `${surface.name}-${size}-${mark}.png`) });
  await page.emulateMedia({ colorScheme: 'dark' });
  const reached = await reach(page, surface).then(
    () => [],
    (error: Error) => [`not reached: ${error.message}`],
  );
  await keepPicture('dark');
  const dark = [...(await overflow(page)), ...(await barriersOf(page))];
  await page.emulateMedia({ colorScheme: 'light' });
  await keepPicture('light');
  // Another theme is other colours, and nothing else.
  const light = [...(await overflow(page)), ...(await barriersOf(page, { rules: ['color-contrast'] }))];
  await setText(page, '200');
  await keepPicture('200');
  const large = await overflow(page);
  await setText(page, '100');
  return [...reached, ...dark, ...light.map((fault) => `light: ${fault}`), ...large.map((fault) => `200 %: ${fault}`), ...complaints.splice(0)];
}

/** As another page of this browser would: this one hears of it and follows. */
async function setText(page: Page, text: '100' | '200'): Promise<void> {
  await page.evaluate((percent) => {
    localStorage.setItem('signalbox:appearance', JSON.stringify({ text: percent }));
    dispatchEvent(new StorageEvent('storage', { key: 'signalbox:appearance' }));
  }, text);
  await page.locator(`html[data-text="${text}"]`).waitFor();
}

async function reach(page: Page, surface: Surface): Promise<void> {
  await page.goto(`${server.url}${surface.address(house)}`);
  if (surface.reach !== undefined) {
    await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
    await surface.reach(page);
  }
  await surface.ready(page).waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** Nothing lies beyond the right edge: neither the page itself nor a part that cannot be scrolled to. */
async function overflow(page: Page): Promise<readonly string[]> {
  return settled(() => beyondIn(page));
}

/** What is measured again after a change, such as the rows of a list, has a moment to be so. */
async function settled(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  const isFree = async () => {
    faults = await look();
    return faults.length === 0;
  };
  await waitFor('everything to fit', isFree, SETTLE_MS).catch(() => undefined);
  return faults;
}

const beyondIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const canScroll = (part: Element): boolean => {
      for (let at = part.parentElement; at !== null && at !== document.body; at = at.parentElement) {
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX) && !at.matches('.stage, #root')) return true;
      }
      return false;
    };
    const beyond = [...document.querySelectorAll('main *, dialog[open] *, nav *')].filter(
      (part) => part.getBoundingClientRect().right > innerWidth + 1 && part.getClientRects().length > 0 && !canScroll(part),
    );
    return [...(wide > 0 ? [`overflow: ${wide} px`] : []), ...beyond.slice(0, 3).map((part) => `beyond the edge: ${part.outerHTML.slice(0, 160)}`)];
  });
