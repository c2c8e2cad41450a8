import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestServer } from '../real-server.ts';
import { waitFor } from '../wait-for.ts';
import { accessibilityViolations } from './accessibility.ts';
import { type DESKTOP, PHONE } from './person.ts';
import { signedInContext } from './signed-in.ts';

/** Screenshots of every surface, for people to look at. */
const PICTURES = resolve(import.meta.dirname, '../../../.cache/surfaces');
/** Time for what is measured again after a change, such as the rows of a list. */
const SETTLE_MS = 3_000;

/** A page, or a layer over one. */
export interface Surface<Workspace> {
  readonly name: string;
  readonly address: (setup: Workspace) => string;
  /** Visible once it has loaded. */
  readonly ready: (page: Page) => Locator;
  /** What to do at that address first, such as opening a layer. */
  readonly reach?: (page: Page) => Promise<void>;
}

export interface Walker {
  readonly page: Page;
  readonly server: TestServer;
  /** CSP violations, script errors and console errors since the last check. */
  readonly complaints: string[];
}

export async function openWalker(browser: Browser, server: TestServer, viewport: typeof DESKTOP): Promise<Walker> {
  const hasTouch = viewport.width === PHONE.width;
  const context = await signedInContext(browser, server, { viewport, colorScheme: 'dark', hasTouch, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  await context.exposeFunction('reportToTest', (words: string) => void complaints.push(words));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      Reflect.get(window, 'reportToTest')(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && complaints.push(`console: ${message.text()}`));
  return { page, server, complaints };
}

/** Checks all surfaces in both themes, with accessibility audits and with larger text, and saves screenshots. Returns the faults by surface. Each is loaded once. */
export async function faultsOf<Workspace>(
  walker: Walker,
  surfaces: readonly Surface<Workspace>[],
  setup: Workspace,
  mark: string,
  further: (page: Page, name: string) => Promise<readonly string[]> = async () => [],
): Promise<Record<string, readonly string[]>> {
  mkdirSync(PICTURES, { recursive: true });
  const found: Record<string, readonly string[]> = {};
  for (const surface of surfaces) {
    const reached = await reach(walker, surface, setup);
    const seen = await inAllVariants(walker.page, surface.name, mark);
    const more = await further(walker.page, surface.name);
    const faults = [...reached, ...seen, ...more, ...walker.complaints.splice(0)];
    if (faults.length > 0) found[surface.name] = faults;
  }
  await walker.page.context().close();
  return found;
}

async function reach<Workspace>({ page, server }: Walker, surface: Surface<Workspace>, setup: Workspace): Promise<readonly string[]> {
  try {
    await page.goto(`${server.url}${surface.address(setup)}`);
    if (surface.reach !== undefined) {
      await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
      await surface.reach(page);
    }
    await surface.ready(page).waitFor();
    await page.evaluate(() => document.fonts.ready);
    return [];
  } catch (error) {
    return [`not reached: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Like browser zoom at 200 %: half the viewport. */
export async function enlarged(page: Page, name: string, mark: string, viewport: typeof DESKTOP): Promise<readonly string[]> {
  await page.setViewportSize({ width: viewport.width / 2, height: viewport.height / 2 });
  const faults = await captureAndMeasure(page, name, `${mark}-zoom-200`);
  await page.setViewportSize(viewport);
  return faults.map((fault) => `enlarged to 200 %: ${fault}`);
}

/** The pictures are for people, not for comparison: JPEG takes two thirds of the work. */
const takeScreenshot = (page: Page, name: string, mark: string) => page.screenshot({ path: join(PICTURES, `${name}-${mark}.jpg`), type: 'jpeg', quality: 85 });

async function captureAndMeasure(page: Page, name: string, mark: string): Promise<readonly string[]> {
  await takeScreenshot(page, name, mark);
  return overflow(page);
}

/** Changes the theme and the text size on the open page: it must still fit. */
async function inAllVariants(page: Page, name: string, mark: string): Promise<readonly string[]> {
  const dark = [...(await captureAndMeasure(page, name, `${mark}-dark`)), ...(await accessibilityViolations(page))];
  await page.emulateMedia({ colorScheme: 'light' });
  // The themes differ only in color.
  const light = [...(await captureAndMeasure(page, name, `${mark}-light`)), ...(await accessibilityViolations(page, { rules: ['color-contrast'] }))];
  await setText(page, '200');
  const large = await captureAndMeasure(page, name, `${mark}-200`);
  await setText(page, '100');
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...dark, ...light.map((fault) => `light: ${fault}`), ...large.map((fault) => `200 %: ${fault}`)];
}

/** Like another tab of this browser: the page gets the storage event and follows. */
async function setText(page: Page, text: '100' | '200'): Promise<void> {
  await page.evaluate((percent) => {
    localStorage.setItem('signalbox:appearance', JSON.stringify({ text: percent }));
    dispatchEvent(new StorageEvent('storage', { key: 'signalbox:appearance' }));
  }, text);
  await page.locator(`html[data-text="${text}"]`).waitFor();
}

/** What is beyond the right edge: the page itself, or an element that can't be scrolled to. */
export async function overflow(page: Page): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  const fits = async () => {
    faults = await overflowingIn(page);
    return faults.length === 0;
  };
  try {
    await waitFor('everything to fit', fits, SETTLE_MS);
  } catch (error) {
    // If the page can't be measured, that is a fault too.
    if (faults.length === 0) return [`not measured: ${error instanceof Error ? error.message : String(error)}`];
  }
  return faults;
}

const overflowingIn = (page: Page): Promise<readonly string[]> =>
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
