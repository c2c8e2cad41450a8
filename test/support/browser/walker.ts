import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestServer } from '../real-server.ts';
import { waitFor } from '../wait-for.ts';
import { barriersOf } from './accessibility.ts';
import { type DESKTOP, PHONE } from './person.ts';
import { signedInContext } from './signed-in.ts';

/** Pictures of every surface, for people to look at. */
const PICTURES = resolve(import.meta.dirname, '../../../.cache/surfaces');
/** What is measured again after a change, such as the rows of a list, has a moment to be so. */
const SETTLE_MS = 3_000;

/** Something that a person can look at. */
export interface Surface<Workspace> {
  readonly name: string;
  readonly address: (setup: Workspace) => string;
  /** What is there once it is whole. */
  readonly ready: (page: Page) => Locator;
  /** What a hand does at that address first, such as opening a layer. */
  readonly reach?: (page: Page) => Promise<void>;
}

export interface Walker {
  readonly page: Page;
  readonly server: TestServer;
  /** Of the policy, of scripts, of the console; since they were last taken. */
  readonly complaints: string[];
}

export async function openWalker(browser: Browser, server: TestServer, viewport: typeof DESKTOP): Promise<Walker> {
  const hasTouch = viewport.width === PHONE.width;
  const context = await signedInContext(browser, server, { viewport, colorScheme: 'dark', hasTouch, reducedMotion: 'reduce' });
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
  return { page, server, complaints };
}

/** Walks over all surfaces in both themes, with audits and with larger text, keeps pictures of each, and tells what is wrong with which. Each is loaded once. */
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
    const seen = await inAllForms(walker.page, surface.name, mark);
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

/** What a browser does that enlarges the page to 200 %: it has half the room. */
export async function enlarged(page: Page, name: string, mark: string, viewport: typeof DESKTOP): Promise<readonly string[]> {
  await page.setViewportSize({ width: viewport.width / 2, height: viewport.height / 2 });
  const faults = await once(page, name, `${mark}-zoom-200`);
  await page.setViewportSize(viewport);
  return faults.map((fault) => `enlarged to 200 %: ${fault}`);
}

/** To be looked at, not to be measured: what is packed with less care takes two thirds of the work. */
const picture = (page: Page, name: string, mark: string) => page.screenshot({ path: join(PICTURES, `${name}-${mark}.jpg`), type: 'jpeg', quality: 85 });

async function once(page: Page, name: string, mark: string): Promise<readonly string[]> {
  await picture(page, name, mark);
  return overflow(page);
}

/** What a person changes while he looks must fit as well. */
async function inAllForms(page: Page, name: string, mark: string): Promise<readonly string[]> {
  const dark = [...(await once(page, name, `${mark}-dark`)), ...(await barriersOf(page))];
  await page.emulateMedia({ colorScheme: 'light' });
  // Another theme is other colours, and nothing else.
  const light = [...(await once(page, name, `${mark}-light`)), ...(await barriersOf(page, { rules: ['color-contrast'] }))];
  await setText(page, '200');
  const large = await once(page, name, `${mark}-200`);
  await setText(page, '100');
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...dark, ...light.map((fault) => `light: ${fault}`), ...large.map((fault) => `200 %: ${fault}`)];
}

/** As another page of this browser would: this one hears of it and follows. */
async function setText(page: Page, text: '100' | '200'): Promise<void> {
  await page.evaluate((percent) => {
    localStorage.setItem('signalbox:appearance', JSON.stringify({ text: percent }));
    dispatchEvent(new StorageEvent('storage', { key: 'signalbox:appearance' }));
  }, text);
  await page.locator(`html[data-text="${text}"]`).waitFor();
}

/** Nothing lies beyond the right edge: neither the page itself nor a part that cannot be scrolled to. */
export async function overflow(page: Page): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  const fits = async () => {
    faults = await beyondIn(page);
    return faults.length === 0;
  };
  try {
    await waitFor('everything to fit', fits, SETTLE_MS);
  } catch (error) {
    // A page that cannot be looked at is not one on which everything fits.
    if (faults.length === 0) return [`not measured: ${error instanceof Error ? error.message : String(error)}`];
  }
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
