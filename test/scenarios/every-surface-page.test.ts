import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type Furnished, furnish } from '../support/furnished.ts';
import { DESK, PHONE } from '../support/person.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { SURFACES, type Surface } from '../support/surfaces.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Pictures of every surface, for people to look at. */
const PICTURES = join(ROOT, '.cache/surfaces');
const chromium = findChromium();
const isBuilt = existsSync(join(ROOT, 'dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
/** About thirty surfaces, each with a whole audit, on a busy machine. */
const WALK_MS = 900_000;

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
  for (const scheme of ['dark', 'light'] as const) {
    test(`every surface keeps the policy, has no serious barrier, fits and complains of nothing (${size} px, ${scheme})`, { timeout: WALK_MS }, async ({
      skip,
    }) => {
      if (missing) return skip(missing);
      expect(await faultsOf(await openWalker(viewport, scheme), `${size}-${scheme}`, scheme === 'dark' ? barriers : contrast)).toEqual({});
    });
  }

  test(`every surface fits with text of 200 % (${size} px)`, { timeout: WALK_MS }, async ({ skip }) => {
    if (missing) return skip(missing);
    expect(await faultsOf(await openWalker(viewport, 'dark', { text: '200' }), `${size}-200`)).toEqual({});
  });
}

interface Walker {
  readonly page: Page;
  /** Of the policy, of scripts, of the console; since they were last taken. */
  readonly complaints: string[];
}

async function openWalker(viewport: typeof DESK, colorScheme: 'dark' | 'light', appearance?: object): Promise<Walker> {
  const context = await browser.newContext({ viewport, colorScheme, hasTouch: viewport.width === PHONE.width, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  await context.exposeFunction('tellTest', (words: string) => void complaints.push(words));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      Reflect.get(window, 'tellTest')(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  if (appearance !== undefined) await context.addInitScript((kept) => localStorage.setItem('signalbox:appearance', kept), JSON.stringify(appearance));
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && complaints.push(`console: ${message.text()}`));
  await page.goto(`${server.url}/?token=${server.token}`);
  return { page, complaints };
}

/** Walks over all surfaces, keeps a picture of each, and tells what is wrong with which. */
async function faultsOf(
  { page, complaints }: Walker,
  mark: string,
  also?: (page: Page) => Promise<readonly string[]>,
): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const surface of SURFACES) {
    const reached = await reach(page, surface).then(
      () => [],
      (error: Error) => [`not reached: ${error.message}`],
    );
    await page.screenshot({ path: join(PICTURES, `${surface.name}-${mark}.png`) });
    const faults = [...reached, ...(await overflow(page)), ...((await also?.(page)) ?? []), ...complaints.splice(0)];
    if (faults.length > 0) found[surface.name] = faults;
  }
  await page.context().close();
  return found;
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

const barriers = (page: Page) => seriousOf(new AxeBuilder({ page }));
/** Another theme is other colours, and nothing else. */
const contrast = (page: Page) => seriousOf(new AxeBuilder({ page }).withRules('color-contrast'));

async function seriousOf(audit: AxeBuilder): Promise<readonly string[]> {
  const { violations } = await audit.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `axe: ${id} ${html.slice(0, 200)}`));
}

/** Nothing lies beyond the right edge: neither the page itself nor a part that cannot be scrolled to. */
async function overflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
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
}
