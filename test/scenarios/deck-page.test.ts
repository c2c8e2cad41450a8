import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, type Person, PHONE, RECOVERY_LIMIT_MS, signIn } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const PICTURES = resolve(import.meta.dirname, '../../.cache/screenshots');

/** One session for every state that the panel can show. */
interface Sessions {
  readonly running: string;
  readonly waiting: string;
  readonly failed: string;
  readonly sleeping: string;
  readonly fork: string;
}

let server: TestServer;
let browser: Browser;
let sessions: Sessions;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  mkdirSync(PICTURES, { recursive: true });
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '8' } });
  browser = await sharedChromium(chromium.path);
  sessions = await everyState();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function everyState(): Promise<Sessions> {
  const sleeping = await create('Asleep after its work', 'echo done for now');
  await reached(sleeping, 'idle');
  await api(server, 'POST', `/api/sessions/${sleeping}/sleep`, {});
  await reached(sleeping, 'sleeping');
  const failed = await create('Died in the middle', 'crash');
  await reached(failed, 'failed');
  const parent = await create('Runs on and on', 'echo before the fork');
  await reached(parent, 'idle');
  const { body } = await api<Session>(server, 'POST', `/api/sessions/${parent}/fork`, { prompt: 'echo on its own line' });
  await api(server, 'PATCH', `/api/sessions/${body.id}`, { title: 'Fork of what runs' });
  await reached(body.id, 'idle');
  await api(server, 'POST', `/api/sessions/${parent}/input`, { text: 'wait' });
  await reached(parent, 'busy');
  const waiting = await create('Stands at a signal', 'write a note');
  await reached(waiting, 'waiting');
  return { running: parent, waiting, failed, sleeping, fork: body.id };
}

async function create(title: string, prompt: string): Promise<string> {
  return (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, title, prompt })).body.id;
}

const reached = (id: string, status: string) =>
  waitFor(`session ${id} to be ${status}`, async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.status === status, RECOVERY_LIMIT_MS);

/** The panel's HTML without its current scroll offset. */
const panelHtml = (page: Page): Promise<string> =>
  page.locator('.plan-frame').evaluate((frame) => frame.innerHTML.replace(/translate\(-?[\d.]+ 0\)/, 'translate(now)'));

/** Positions are relative to the last quarter hour: after it changes, the same panel has other numbers. */
const quarterNow = (): number => Math.floor(Date.now() / (15 * 60_000));

const line = ({ page }: Person, title: string) => page.locator('.panel-row', { has: page.locator('.panel-title', { hasText: title }) });

for (const [scheme, viewport] of [
  ['dark', DESKTOP],
  ['light', DESKTOP],
  ['dark', PHONE],
  ['light', PHONE],
] as const) {
  test(`the deck shows every state by shape and text, has no serious accessibility issue and fits (${scheme}, ${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const person = await signIn(browser, server, viewport, scheme);
    await line(person, 'Runs on and on').locator('.lamp-disc').waitFor();
    await line(person, 'Stands at a signal').locator('.lamp-diamond').waitFor();
    await line(person, 'Died in the middle').locator('.lamp-square').waitFor();
    await line(person, 'Asleep after its work').locator('.lamp-dotted').waitFor();
    expect(await line(person, 'Stands at a signal').textContent()).toMatch(/needs you/);
    expect(await line(person, 'Died in the middle').textContent()).toMatch(/failed/);
    for (const part of ['rails', 'siding', 'points', 'blocks.past', 'blocks.stands', 'signals', 'train.live', 'train.stands', 'buffers']) {
      expect([part, await person.page.locator(`.plan .${part}`).count()]).not.toEqual([part, 0]);
    }
    await person.page.screenshot({ path: join(PICTURES, `deck-${viewport.width}-${scheme}.png`) });
    const barriers = await accessibilityViolations(person.page);
    expect(barriers).toEqual([]);
    expect(await person.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    expect(person.complaints).toEqual([]);
    await person.page.context().close();
  });
}

test('on a phone, sessions that need you come before the panel', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page } = await signIn(browser, server, PHONE);
  await page.locator('.plan .blocks').first().waitFor();
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
  expect(await top('.waiting-column')).toBeLessThan(await top('.panel'));
  expect(await top('.panel')).toBeLessThan(await top('.deck-list'));
  await page.context().close();
});

test('the panel looks the same when updated live, freshly loaded, and after the server was killed', async ({ skip }) => {
  if (missing) return skip(missing);
  const [live, loaded] = [await signIn(browser, server), await signIn(browser, server)];
  await line(live, 'Runs on and on').waitFor();
  const busy = await create('Started while somebody looked', 'echo one thing after the other');
  await reached(busy, 'idle');
  await line(live, 'Started while somebody looked').getByText('finished').waitFor();
  await expect.poll(() => live.page.locator('.plan .blocks.past').count()).toBeGreaterThan(3);
  await loaded.open('/');
  await line(loaded, 'Started while somebody looked').getByText('finished').waitFor();
  await expect.poll(async () => (await panelHtml(loaded.page)) === (await panelHtml(live.page))).toBe(true);
  const [before, quarter] = [await panelHtml(live.page), quarterNow()];
  await server.kill9();
  await server.restart();
  await live.page.getByText('Live', { exact: true }).waitFor();
  const after = await signIn(browser, server);
  await line(after, 'Started while somebody looked').getByText('finished').waitFor();
  const isSame = (picture: string, other: string) => picture === other && (picture === before || quarterNow() !== quarter);
  await expect.poll(async () => isSame(await panelHtml(after.page), await panelHtml(live.page))).toBe(true);
  for (const { page } of [live, loaded, after]) await page.context().close();
});

test('hovering over a block shows what it is, and a click opens that moment', async ({ skip }) => {
  if (missing) return skip(missing);
  const person = await signIn(browser, server);
  const signal = await placeOf(person.page, '.signals');
  await person.page.mouse.move(signal.x, signal.y + 8);
  await person.page.locator('.moment-tip', { hasText: 'waiting for you for' }).waitFor();
  await person.page.mouse.click(signal.x, signal.y + 8);
  await person.page.waitForURL(new RegExp(`/s/${sessions.waiting}#e\\d+$`));
  await person.page.locator('[data-request]').first().waitFor();
  await person.page.context().close();
});

test('arrow keys move through the panel and announce the position, and Enter opens it', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page } = await signIn(browser, server);
  await page.locator('.plan .blocks').first().waitFor();
  await page.locator('.panel-cursor').focus();
  await page.locator('.plan .ring').waitFor();
  const announced = () => page.locator('.panel-body output').textContent();
  const first = await announced();
  await page.keyboard.press('ArrowDown');
  await expect.poll(announced).not.toBe(first);
  for (let steps = 0; steps < 20 && !(await announced())?.startsWith('Stands at a signal'); steps++) await page.keyboard.press('ArrowUp');
  expect(await announced()).toMatch(/^Stands at a signal: /);
  await page.screenshot({ path: join(PICTURES, 'deck-keys.png') });
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/s/${sessions.waiting}#e\\d+$`));
  await page.context().close();
});

test('after an answer the train moves again, without a reload', async ({ skip }) => {
  if (missing) return skip(missing);
  const person = await signIn(browser, server);
  await line(person, 'Stands at a signal').locator('.lamp-diamond').waitFor();
  const { body } = await api<{ permissions: WaitingPermission[] }>(server, 'GET', '/api/permissions');
  await person
    .card(body.permissions[0] ?? expect.fail('no request is pending'))
    .getByRole('button', { name: 'Allow' })
    .click();
  await line(person, 'Stands at a signal').locator('.lamp-ring').waitFor();
  await expect.poll(() => person.page.locator('.plan .passed').count()).toBe(1);
  expect(await person.page.locator('.plan .signals').count()).toBe(0);
  await person.page.context().close();
});

test('two keystrokes start a session in the last folder with the last agent', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page } = await signIn(browser, server);
  await page.locator('.plan .blocks').first().waitFor();
  await page.keyboard.press('c');
  await page.getByLabel('First message').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/s\/[\w-]+$/);
  const { body } = await api<Session>(server, 'GET', `/api/sessions/${page.url().split('/').at(-1)}`);
  expect(body).toMatchObject({ agent: 'demo', cwd: server.project });
  await page.context().close();
});

/** The center of the last element on the panel that matches. */
async function placeOf(page: Page, selector: string): Promise<{ readonly x: number; readonly y: number }> {
  const found = await page.locator(`.plan ${selector}`).last().boundingBox();
  if (found === null) return expect.fail(`there is no ${selector}`);
  return { x: found.x + found.width / 2, y: found.y + found.height / 2 };
}
