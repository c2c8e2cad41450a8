import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBuilt } from '../../scripts/lib/sources.mjs';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE, RECOVERY_LIMIT_MS, signIn } from '../support/browser/person.ts';
import { type DemoSessions, furnish } from '../support/demo-sessions.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const chromium = findChromium();
const missing = 'skip' in chromium ? chromium.skip : isBuilt() ? undefined : 'dist/ is not built (npm run build)';
/** A host name that resolves to loopback but isn't loopback for the browser: plain http from there is not a secure context. */
const LAN_NAME = 'box.test';

let server: TestServer;
let browser: Browser;
let setup: DemoSessions;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20', SIGNALBOX_ALLOWED_HOSTS: LAN_NAME } });
  setup = await furnish(server);
  browser = await sharedChromium(chromium.path, [`--host-resolver-rules=MAP ${LAN_NAME} 127.0.0.1`]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('with reduced motion, nothing moves on its own on the deck or in a running session', async ({ skip }) => {
  if (missing) return skip(missing);
  const movesWith = async (reducedMotion: 'reduce' | 'no-preference') => {
    const page = await (await browser.newContext({ viewport: DESKTOP, reducedMotion })).newPage();
    await page.goto(`${server.url}/?token=${server.token}`);
    await page.locator('.plan .blocks').first().waitFor();
    const onDeck = await animationsOf(page);
    await page.goto(`${server.url}/s/${setup.running}`);
    const shadow = async (lamp: string) => page.locator(`.working-sign > .sign-live${lamp}`).evaluate((sign) => getComputedStyle(sign).boxShadow);
    const glow = (await shadow('.without-glow')) !== (await shadow(':not(.without-glow)'));
    const moves = { onDeck, inSession: await animationsOf(page), glow };
    await page.context().close();
    return moves;
  };
  expect(await movesWith('reduce')).toEqual({ onDeck: 0, inSession: 0, glow: false });
  // Never with animations: they make the browser redraw the whole page for as long as they run.
  expect(await movesWith('no-preference')).toEqual({ onDeck: 0, inSession: 0, glow: true });
});

/** Counts animations that never end on their own. */
const animationsOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Number.POSITIVE_INFINITY).length);

test('[R270] the keyboard of a phone does not cover the composer, and zooming in is not mistaken for a keyboard', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page, open } = await signIn(browser, server, PHONE);
  await open(`/s/${setup.done}`);
  await page.locator('.row').nth(2).waitFor();
  const field = page.getByLabel('Message', { exact: true });
  await field.tap();
  // The page requests this with interactive-widget=resizes-content: it becomes as high as the rest of the screen.
  await page.setViewportSize({ ...PHONE, height: PHONE.height - 336 });
  await expect.poll(() => isWithin(page, '.composer')).toBe(true);
  await expect.poll(() => page.locator('.transcript').evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)).toBeLessThan(4);
  await page.setViewportSize(PHONE);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
  await expect.poll(() => page.evaluate(() => window.visualViewport?.scale)).toBe(2);
  expect(await page.evaluate(() => document.querySelector('.shell')?.getBoundingClientRect().height)).toBe(PHONE.height);
  await page.context().close();
});

test('[R268] over plain http from another machine everything works except notifications, and the page says why and what to do', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await (await browser.newContext({ viewport: DESKTOP })).newPage();
  page.setDefaultTimeout(RECOVERY_LIMIT_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  const url = `http://${LAN_NAME}:${server.port}`;
  await page.goto(`${url}/?token=${server.token}`);
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  await page.goto(`${url}/s/${setup.done}`);
  const field = page.getByLabel('Message', { exact: true });
  await field.fill('echo over plain http');
  await page.keyboard.press('Enter');
  await page.locator('.row-text').getByText('over plain http', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Copy the session id' }).click();
  await field.focus();
  await page.keyboard.press('Control+v');
  await expect.poll(() => field.inputValue()).toBe(setup.done);
  await page.goto(`${url}/settings/notifications`);
  await page.getByText('Notifications need https or localhost').waitFor();
  await page.getByText('start it with --tls-cert and --tls-key').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

const isWithin = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluate((part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
