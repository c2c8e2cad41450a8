import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Locator, Page } from 'playwright-core';
import { type DESK, PHONE } from './person.ts';
import type { TestServer } from './server.ts';

/** Pictures of every surface, for people to look at. */
const PICTURES = resolve(import.meta.dirname, '../../.cache/surfaces');

/** Something that a person can look at. */
export interface Surface<House> {
  readonly name: string;
  readonly address: (house: House) => string;
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

export async function openWalker(
  browser: Browser,
  server: TestServer,
  viewport: typeof DESK,
  colorScheme: 'dark' | 'light',
  appearance?: object,
): Promise<Walker> {
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
  return { page, server, complaints };
}

/** Walks over all surfaces, keeps a picture of each, and tells what is wrong with which. */
export async function faultsOf<House>(
  { page, server, complaints }: Walker,
  surfaces: readonly Surface<House>[],
  house: House,
  mark: string,
  also?: (page: Page) => Promise<readonly string[]>,
): Promise<Record<string, readonly string[]>> {
  mkdirSync(PICTURES, { recursive: true });
  const found: Record<string, readonly string[]> = {};
  for (const surface of surfaces) {
    const reached = await reach(page, `${server.url}${surface.address(house)}`, surface).then(
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

async function reach(page: Page, address: string, surface: Pick<Surface<never>, 'reach' | 'ready'>): Promise<void> {
  await page.goto(address);
  if (surface.reach !== undefined) {
    await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
    await surface.reach(page);
  }
  await surface.ready(page).waitFor();
  await page.evaluate(() => document.fonts.ready);
}

export const barriers = (page: Page): Promise<readonly string[]> => seriousOf(new AxeBuilder({ page }));
/** Another theme is other colours, and nothing else. */
export const contrast = (page: Page): Promise<readonly string[]> => seriousOf(new AxeBuilder({ page }).withRules('color-contrast'));

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
