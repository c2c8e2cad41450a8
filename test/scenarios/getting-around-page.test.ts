import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, type Person, PHONE, RECOVERY_LIMIT_MS, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { type DemoSessions, furnish } from '../support/demo-sessions.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const PICTURES = resolve(import.meta.dirname, '../../.cache/screenshots');

let server: TestServer;
let browser: Browser;
let sessions: DemoSessions;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  mkdirSync(PICTURES, { recursive: true });
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
  browser = await sharedChromium(chromium.path);
  sessions = await furnish(server);
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const titlesIn = (person: Person): Promise<readonly string[]> =>
  person.page
    .locator('.nav-row')
    .evaluateAll((rows) =>
      rows
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => row.querySelector('.nav-title')?.firstChild?.textContent ?? ''),
    );

for (const scheme of ['dark', 'light'] as const) {
  test(`[R385] beside a transcript is a list of all sessions, what needs you first, and keys go from one to the next (${scheme})`, async ({ skip }) => {
    if (missing) return skip(missing);
    const person = await signInWithoutPage(browser, server, DESKTOP, scheme);
    await person.open(`/s/${sessions.done}`);
    await person.page.locator('.nav-row').nth(4).waitFor();
    await person.page.locator('.nav-track').first().waitFor();
    const first = ['Which signal shall it be', 'Flaky test in the checkout suite', 'Upgrade to Node 24'];
    // A status that is still on its way moves a session.
    await expect.poll(async () => (await titlesIn(person)).slice(0, 3)).toEqual(first);
    // The address changes before the page does, and keys go from the session that is drawn.
    const isDrawn = (id: string) => person.page.locator(`.nav-row[aria-current][href$="/s/${id}"]`).waitFor();
    await person.page.screenshot({ path: join(PICTURES, `nav-1440-${scheme}.png`) });
    expect(await accessibilityViolations(person.page)).toEqual([]);
    await person.page.keyboard.press(']');
    await person.page.waitForURL(`**/s/${sessions.asking}`);
    await isDrawn(sessions.asking);
    await person.page.keyboard.press('[');
    await person.page.waitForURL(`**/s/${sessions.done}`);
    await isDrawn(sessions.done);
    await person.page.keyboard.press('w');
    await person.page.waitForURL(`**/s/${sessions.waiting}`);
    await person.page.getByRole('button', { name: 'Sessions' }).click();
    await person.page.locator('.session-nav').waitFor({ state: 'detached' });
    await person.page.reload();
    await person.page.locator('.row').first().waitFor();
    expect(await person.page.locator('.session-nav').count()).toBe(0);
    expect(person.complaints).toEqual([]);
  });
}

test('[R385] on a phone the list is a sheet that closes with a choice (390 px)', async ({ skip }) => {
  if (missing) return skip(missing);
  const person = await signInWithoutPage(browser, server, PHONE);
  await person.open(`/s/${sessions.done}`);
  await person.page.getByRole('button', { name: 'Sessions' }).click();
  await person.page.locator('.sheet .nav-row').nth(3).waitFor();
  await person.page.screenshot({ path: join(PICTURES, 'nav-390.png') });
  await person.page.locator('.sheet .nav-row', { hasText: 'Docs search relevance' }).click();
  await person.page.waitForURL(`**/s/${sessions.running}`);
  await person.page.locator('.sheet').waitFor({ state: 'detached' });
  expect(person.complaints).toEqual([]);
});

for (const viewport of [DESKTOP, PHONE]) {
  test(`[R386] the menu offers what the palette offers, and Delete says what goes and what stays (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const { id } = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, title: 'To be deleted', prompt: 'echo hello' }))
      .body;
    await waitFor('the turn', async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.status === 'idle', RECOVERY_LIMIT_MS);
    const person = await signInWithoutPage(browser, server, viewport);
    const { page } = person;
    await person.open(`/s/${id}`);
    await page.locator('.answer').waitFor();
    // Until its end is read, the menu says “Mark as read”.
    await waitFor('its end to be read', async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.unread !== true);
    const menu = page.locator('.session-head .popup, .popup:popover-open');
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    for (const name of [/^Rename/, /^Archive/, /^Export/, /^Compact/, /^Copy the link/, /^Search in this session/, /^Title, tags and note/, /^Delete/]) {
      await menu.getByRole('button', { name }).waitFor();
    }
    const titles = (texts: readonly string[]) => texts.map((text) => (text.split('\n')[0] ?? '').trim()).toSorted();
    const inMenu = titles(await menu.getByRole('button').evaluateAll((all) => all.map((one) => one.firstChild?.textContent ?? '')));
    await page.screenshot({ path: join(PICTURES, `menu-${viewport.width}.png`) });
    await menu.getByRole('button', { name: /^Export/ }).click();
    await menu.getByRole('button', { name: /^Markdown/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    const here = page.getByRole('group', { name: 'Here', exact: true }).getByRole('option');
    await here.first().waitFor();
    expect(titles(await here.locator('.palette-title').allInnerTexts())).toEqual(inMenu);
    await page.keyboard.press('Escape');
    // Tags on a message.
    await page.locator('.answer').hover();
    await page.locator('.answer').getByRole('button', { name: 'Message actions' }).click();
    await page.locator('.popup:popover-open').getByRole('button', { name: 'Tags…' }).click();
    await page.getByLabel('Tags of this message').fill('release, keys');
    await page.keyboard.press('Enter');
    await page.getByText('#release #keys').waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await menu.getByRole('button', { name: /^Delete/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete “To be deleted”?' });
    await dialog.getByText('Kept:').waitFor();
    await page.screenshot({ path: join(PICTURES, `delete-${viewport.width}.png`) });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${server.url}/`);
    expect((await api(server, 'GET', `/api/sessions/${id}`)).status).toBe(404);
    expect(person.complaints).toEqual([]);
  });
}

test('[R387] one Tab leads to the message field, the next to the transcript, and on other pages one leads to the content', async ({ skip }) => {
  if (missing) return skip(missing);
  const person = await signInWithoutPage(browser, server);
  const { page } = person;
  await person.open(`/s/${sessions.done}`);
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Message');
  await page.reload();
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Transcript');
  await person.open('/');
  await page.locator('.session-row').first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
});

// Last, because it answers what the other tests need.
test('[R385] after an answer the page offers the next session that needs you', async ({ skip }) => {
  if (missing) return skip(missing);
  const person = await signInWithoutPage(browser, server);
  await person.open(`/s/${sessions.asking}`);
  await person.page.locator('.approval').waitFor();
  await person.page.locator('.approval').getByRole('button', { name: /Green/ }).click();
  await person.page
    .locator('.approval')
    .getByRole('button', { name: /^Answer/ })
    .click();
  const next = person.page.locator('.next-up');
  await next.getByText('Flaky test in the checkout suite').waitFor();
  await person.page.screenshot({ path: join(PICTURES, 'next-up.png') });
  await next.click();
  await person.page.waitForURL(`**/s/${sessions.waiting}`);
  const { events } = (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${sessions.asking}/events?after=0`)).body;
  expect(events.some(({ type }) => type === 'permission.resolved')).toBe(true);
});
