import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { WaitingPermission } from '../../../src/protocol/http.ts';
import type { TestServer } from '../real-server.ts';
import { WAIT_LIMIT_MS } from '../wait-limit.ts';
import { signedInContext } from './signed-in.ts';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** For steps that need a new server or a new agent process first. */
export const RECOVERY_LIMIT_MS = WAIT_LIMIT_MS;

/** A person with the page open, signed in through the link with the token. */
export interface Person {
  readonly page: Page;
  /** Uncaught errors of the page. */
  readonly complaints: readonly string[];
  open(path: string): Promise<void>;
  say(text: string): Promise<void>;
  /** Pastes an image into the composer. */
  paste(png: Buffer): Promise<void>;
  /** Opens a menu and clicks the choice with this name. */
  choose(menu: string | RegExp, choice: RegExp): Promise<void>;
  /** Presses Tab until the button with this name has the focus. */
  tabTo(name: string): Promise<void>;
  card(request: Pick<WaitingPermission, 'requestId'>): ReturnType<Page['locator']>;
  /** Selects the card with the arrow key if needed, waits until it accepts keys, and presses one. */
  pressOn(request: Pick<WaitingPermission, 'requestId'>, key: string): Promise<void>;
}

/** A signed-in person who has the deck open. */
export async function signIn(...who: Parameters<typeof signInWithoutPage>): Promise<Person> {
  const person = await signInWithoutPage(...who);
  await person.open('/');
  return person;
}

/** A signed-in person with no page loaded yet, for tests that start on another page than the deck. */
export async function signInWithoutPage(
  browser: Browser,
  server: Pick<TestServer, 'url' | 'token'>,
  viewport = DESKTOP,
  colorScheme: 'dark' | 'light' = 'dark',
  // Requests through a service worker can't be intercepted by a test, so it is blocked unless the test is about it.
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<Person> {
  const hasTouch = viewport.width === PHONE.width;
  const context = await signedInContext(browser, server, { viewport, colorScheme, hasTouch, reducedMotion: 'reduce', serviceWorkers });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  const card: Person['card'] = ({ requestId }) => page.locator(`[data-request="${requestId}"]`);
  return {
    page,
    complaints,
    card,
    open: async (path) => void (await page.goto(`${server.url}${path}`)),
    say: async (text) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.locator('.composer .send').click();
    },
    paste: (png) => paste(page, png),
    choose: async (menu, choice) => {
      await page.getByRole('button', { name: menu }).click();
      await page.locator('.popup').getByRole('button', { name: choice }).click();
    },
    tabTo: (name) => tabTo(page, name),
    pressOn: async (request, key) => {
      await card(request).waitFor();
      while ((await card(request).getAttribute('aria-current')) === null) await page.keyboard.press('ArrowDown');
      await card(request).locator('[aria-keyshortcuts="n"]').waitFor();
      await page.keyboard.press(key);
    },
  };
}

const paste = (page: Page, png: Buffer): Promise<void> =>
  page.getByLabel('Message', { exact: true }).evaluate((area, base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, png.toString('base64'));

/** More buttons than any card has. */
const MOST_TABS = 40;

async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement?.textContent ?? '')).startsWith(name)) return;
  }
  expect.fail(`Tab did not reach “${name}”`);
}
