import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, type Person, PHONE, RECOVERY_LIMIT_MS, signIn } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { WAIT_LIMIT_MS } from '../support/wait-limit.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const PICTURES = resolve(import.meta.dirname, '../../.cache/screenshots');

let server: TestServer;
let browser: Browser;
/** The same person at a desk and on a phone. */
let desk: Person;
let phone: Person;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  mkdirSync(PICTURES, { recursive: true });
  server = await startServer({ from: 'dist' });
  browser = await sharedChromium(chromium.path);
  desk = await signIn(browser, server);
  phone = await signIn(browser, server, PHONE, 'light');
  for (const { page } of [desk, phone]) await page.getByText('The lines are clear').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const start = async (title: string, prompt: string): Promise<string> => {
  const { body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, title, prompt });
  await waitFor('its end', async () => (await session(body.id)).finished !== undefined && (await session(body.id)).status === 'idle');
  return body.id;
};
const session = async (id: string): Promise<Session> => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
const unreadIn = ({ page }: Person): Promise<readonly (string | null)[]> =>
  page.locator('.session-row.unread .row-title').evaluateAll((titles) => titles.map(({ firstChild }) => firstChild?.textContent ?? null));
const show = (person: Person, titles: readonly string[]) => expect.poll(() => unreadIn(person), { timeout: RECOVERY_LIMIT_MS }).toEqual(titles);
const crash = async () => {
  await server.kill9();
  await server.restart();
};

test('[R763] what finished unseen is unread on a desk and a phone, until it is read to its end on one of them, over kills of the server', async ({ skip }) => {
  if (missing) return skip(missing);
  const id = await start('Rotate the signing keys', 'long 120');
  for (const person of [desk, phone]) await show(person, ['Rotate the signing keys']);
  await desk.page.getByRole('link', { name: 'Deck, 1 unread' }).waitFor();
  await desk.page.screenshot({ path: join(PICTURES, 'unread-1440-dark.png') });
  await phone.page.screenshot({ path: join(PICTURES, 'unread-390-light.png') });
  expect(await accessibilityViolations(desk.page)).toEqual([]);
  await crash();
  for (const person of [desk, phone]) await person.open('/');
  for (const person of [desk, phone]) await show(person, ['Rotate the signing keys']);

  await phone.open(`/s/${id}#e1`);
  await phone.page.getByText('long 120').first().waitFor();
  const toEnd = phone.page.locator('.new-pill');
  await toEnd.waitFor();
  expect((await session(id)).unread).toBe(true);
  await toEnd.click();
  await show(desk, []);
  await desk.page.getByRole('link', { name: 'Deck', exact: true }).waitFor();
  await crash();
  await desk.open('/');
  await desk.page.locator('.session-row').waitFor();
  expect(await unreadIn(desk)).toEqual([]);
});

test('[R763] a session that is marked as unread stays so while it is open, on every device and over a kill, until it is opened again', async ({ skip }) => {
  if (missing) return skip(missing);
  const id = await start('Docs search relevance', 'echo done');
  await desk.open(`/s/${id}`);
  await expect.poll(async () => (await session(id)).unread, { timeout: WAIT_LIMIT_MS }).toBeUndefined();
  await phone.open('/');
  await phone.page.locator('.session-row').nth(1).waitFor();
  expect(await unreadIn(phone)).toEqual([]);
  await desk.choose('More', /Mark as unread/);
  await show(phone, ['Docs search relevance']);
  await desk.page.locator('.nav-row.unread').waitFor();
  await desk.page.screenshot({ path: join(PICTURES, 'unread-nav-1440-dark.png') });
  await crash();
  await desk.page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
  expect((await session(id)).unread).toBe(true);
  await desk.open('/sessions');
  await desk.page.locator('.list-row.unread').waitFor();
  await desk.page.screenshot({ path: join(PICTURES, 'unread-list-1440-dark.png') });
  await desk.open(`/s/${id}`);
  await show(phone, []);
});

test('[R766] someone who was away reads in one line what happened, until they dismiss it', async ({ skip }) => {
  if (missing) return skip(missing);
  const person = await signIn(browser, server, DESKTOP, 'light');
  const since = Date.now() - 30 * 60_000;
  // As if this browser had last been looked at half an hour ago; once, not with every load.
  await person.page.addInitScript((at) => {
    if (sessionStorage.getItem('was-away') === null) localStorage.setItem('signalbox:seen-at', String(at));
    sessionStorage.setItem('was-away', 'yes');
  }, since);
  const words = person.page.getByText(/While you were away, .*: 2 finished, 2 turns of unknown cost|While you were away, .*: 2 finished, .*\$/);
  for (const _ of ['first', 'after a reload']) {
    await person.open('/');
    await words.waitFor();
  }
  await person.page.screenshot({ path: join(PICTURES, 'recap-1440-light.png') });
  expect(await accessibilityViolations(person.page)).toEqual([]);
  await person.page.setViewportSize(PHONE);
  await person.page.screenshot({ path: join(PICTURES, 'recap-390-light.png') });
  await person.page.getByRole('button', { name: 'Dismiss' }).click();
  await words.waitFor({ state: 'detached' });
  await person.open('/');
  await person.page.locator('.session-row').nth(1).waitFor();
  expect(await words.count()).toBe(0);
  expect(person.complaints).toEqual([]);
});
