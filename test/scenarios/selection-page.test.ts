import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, type Person, PHONE, RECOVERY_LIMIT_MS, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { pendingRequestsOf } from '../support/demo-sessions.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const PICTURES = resolve(import.meta.dirname, '../../.cache/screenshots');

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  mkdirSync(PICTURES, { recursive: true });
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
  browser = await sharedChromium(chromium.path);
});
afterEach(async () => {
  if (missing) return;
  for (const context of browser.contexts()) await context.close();
  for (const { id } of (await api<{ sessions: Session[] }>(server, 'GET', '/api/sessions')).body.sessions) await api(server, 'DELETE', `/api/sessions/${id}`);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

for (const viewport of [DESKTOP, PHONE]) {
  test(`[R288] on the deck every key acts on the session that j selected, on its card or its row (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const oldest = await ask('Oldest', 'run echo oldest');
    const busy = await start('Busy', 'wait');
    const newest = await ask('Newest', 'run echo newest');
    const person = await signInWithoutPage(browser, server, viewport);
    await person.open('/');
    await person.card(oldest).waitFor();
    await person.card(newest).waitFor();
    await row(person.page, busy).waitFor();
    // A session that needs you is there once, as its card.
    expect(await row(person.page, newest.sessionId).count()).toBe(0);
    // Nothing is selected yet, so nothing can be answered.
    for (const key of ['y', 'e', 'r', 'n']) await person.page.keyboard.press(key);
    expect(await selected(person.page)).toEqual({ rows: [], cards: [], keys: [] });

    await person.page.keyboard.press('j');
    await person.page.keyboard.press('j');
    expect(await selected(person.page)).toEqual({ rows: [], cards: [newest.requestId], keys: [newest.requestId] });
    expect(await isInView(person.page, newest)).toBe(true);
    await person.page.screenshot({ path: join(PICTURES, `selection-deck-${viewport.width}.png`) });
    expect(await accessibilityViolations(person.page)).toEqual([]);
    await person.page.keyboard.press('y');
    expect(await resolutionOf(newest)).toMatchObject({ outcome: 'allowed', actor: { kind: 'person' } });
    expect(await stillPending()).toEqual([oldest.requestId]);

    // Its turn ends, and its row moves down: the selection moves with it.
    await person.page.locator(`.deck-recent a[aria-current][href$="/s/${newest.sessionId}"]`).waitFor();
    await moveTo(person.page, busy);
    for (const key of ['y', 'e', 'r', 'n']) await person.page.keyboard.press(key);
    expect(await selected(person.page)).toEqual({ rows: [busy], cards: [], keys: [] });
    expect(await person.page.locator('.approval textarea, .approval input').count()).toBe(0);

    for (let presses = 0; presses < 5; presses++) await person.page.keyboard.press('k');
    await person.page.keyboard.press('n');
    await person.card(oldest).getByLabel('Reason').fill('not this one');
    expect(await selected(person.page)).toMatchObject({ rows: [], cards: [oldest.requestId] });
    await person.page.keyboard.press('Enter');
    expect(await resolutionOf(oldest)).toMatchObject({ outcome: 'denied', message: 'not this one' });
    expect(person.complaints).toEqual([]);
  });

  test(`on the deck a request that somebody else decides leaves nothing to answer in its position (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const other = await ask('Other', 'run echo other');
    const mine = await ask('Mine', 'run echo mine');
    const person = await signInWithoutPage(browser, server, viewport);
    await person.open('/');
    await person.card(other).waitFor();
    await person.card(mine).waitFor();
    await person.page.keyboard.press('j');
    await person.page.keyboard.press('j');
    await denyElsewhere(mine);
    await person.card(mine).getByText('You denied this').waitFor();
    await person.page.keyboard.press('y');
    await person.card(mine).waitFor({ state: 'detached' });
    await person.page.keyboard.press('y');
    expect(await selected(person.page)).toEqual({ rows: [mine.sessionId], cards: [], keys: [] });
    // A clicked card is selected, and no row is.
    await person.card(other).click({ position: { x: 5, y: 5 } });
    await person.card(other).locator('[aria-keyshortcuts="y"]').waitFor();
    expect(await selected(person.page)).toEqual({ rows: [], cards: [other.requestId], keys: [other.requestId] });
    expect(await stillPending()).toEqual([other.requestId]);
    await person.page.keyboard.press('Escape');
    await person.page.keyboard.press('y');
    expect(await selected(person.page)).toEqual({ rows: [], cards: [], keys: [] });
    expect(await stillPending()).toEqual([other.requestId]);
  });

  test(`in the inbox keys act on no other card after the selected one is decided elsewhere and disappears (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const first = await ask('First', 'run echo first');
    const second = await ask('Second', 'run echo second');
    const person = await signInWithoutPage(browser, server, viewport);
    await person.open('/inbox');
    await person.card(second).waitFor();
    await person.card(first).locator('[aria-keyshortcuts="y"]').waitFor();
    await denyElsewhere(first);
    await person.card(first).getByText('You denied this').waitFor();
    await person.card(first).waitFor({ state: 'detached' });
    await person.page.keyboard.press('y');
    expect(await selected(person.page)).toEqual({ rows: [], cards: [], keys: [] });
    expect(await stillPending()).toEqual([second.requestId]);
    await person.page.keyboard.press('ArrowDown');
    await person.card(second).locator('[aria-keyshortcuts="y"]').waitFor();
    await person.page.keyboard.press('y');
    expect(await resolutionOf(second)).toMatchObject({ outcome: 'allowed' });
  });
}

test('a key on a selected card that is scrolled out of view does not answer it but brings it back into view', async ({ skip }) => {
  if (missing) return skip(missing);
  const requests: WaitingPermission[] = [];
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) requests.push(await ask(name, `run echo ${name}`));
  const [first, last] = [requests[0] ?? expect.fail(), requests.at(-1) ?? expect.fail()];
  const person = await signInWithoutPage(browser, server, PHONE);
  await person.open('/inbox');
  await person.card(first).locator('[aria-keyshortcuts="y"]').waitFor();
  await person.card(last).evaluate((card) => card.scrollIntoView());
  expect(await isInView(person.page, first)).toBe(false);
  await person.page.keyboard.press('y');
  expect(await isInView(person.page, first)).toBe(true);
  expect((await stillPending()).length).toBe(requests.length);
  await person.page.keyboard.press('y');
  expect(await resolutionOf(first)).toMatchObject({ outcome: 'allowed' });
});

test('in the list of all sessions Tab moves the selection, and s stars the selected row', async ({ skip }) => {
  if (missing) return skip(missing);
  for (const title of ['Upper', 'Middle', 'Lower']) await start(title, 'echo done', 'idle');
  const { page } = await signedInAt('/sessions');
  await page.locator('.list-row').nth(2).waitFor();
  await page.keyboard.press('j');
  const selectedRow = () => page.locator('.list-link[aria-current]').getAttribute('data-session');
  const first = await selectedRow();
  await tabUntil(page, async () => (await selectedRow()) !== first);
  const second = (await selectedRow()) ?? expect.fail();
  await page.keyboard.press('s');
  await waitFor('the star', async () => (await api<Session>(server, 'GET', `/api/sessions/${second}`)).body.star === true, RECOVERY_LIMIT_MS);
  expect((await api<Session>(server, 'GET', `/api/sessions/${first}`)).body.star).not.toBe(true);
  // A row that a filter hides is no longer selected.
  await page.getByLabel('Filter sessions').fill('no session has these words');
  await page.locator('.list-row').first().waitFor({ state: 'detached' });
  const changes: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()));
  await page.keyboard.press('Tab');
  await page.keyboard.press('s');
  await page.waitForLoadState('networkidle');
  expect(changes).toEqual([]);
});

/** What the page shows as selected: rows, cards, and cards that accept keys. */
async function selected(page: Page) {
  const ids = (selector: string, name: 'session' | 'request') =>
    page.locator(selector).evaluateAll((all, key) => all.flatMap((each) => (each instanceof HTMLElement ? [each.dataset[key]] : [])), name);
  return {
    rows: await page
      .locator('.session-row a')
      .evaluateAll((all) => all.filter((each) => each.matches('[aria-current], :focus')).map((each) => each.getAttribute('href')?.split('/').at(-1))),
    cards: await ids('.approval[aria-current]', 'request'),
    keys: await ids('.approval:has([aria-keyshortcuts])', 'request'),
  };
}

const row = (page: Page, sessionId: string) => page.locator(`.session-row a[href$="/s/${sessionId}"]`);

const isInView = (page: Page, { requestId }: WaitingPermission): Promise<boolean> =>
  page.locator(`[data-request="${requestId}"]`).evaluate((card) => {
    const { top, bottom } = card.getBoundingClientRect();
    const onTop = document.elementFromPoint(innerWidth / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2) ?? undefined;
    return (onTop !== undefined && card.contains(onTop)) || (top >= 0 && bottom <= innerHeight);
  });

/** Moves down from the first row. */
async function moveTo(page: Page, sessionId: string): Promise<void> {
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('k');
  for (let presses = 0; presses < 5 && (await selected(page)).rows[0] !== sessionId; presses++) await page.keyboard.press('j');
  expect((await selected(page)).rows).toEqual([sessionId]);
}

async function signedInAt(path: string): Promise<Person> {
  const person = await signInWithoutPage(browser, server);
  await person.open(path);
  return person;
}

async function tabUntil(page: Page, condition: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 10 && !(await condition()); presses++) await page.keyboard.press('Tab');
}

async function start(title: string, prompt: string, status: Session['status'] = 'busy'): Promise<string> {
  const { id } = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, title, prompt })).body;
  await waitFor(`${title} is ${status}`, async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.status === status, RECOVERY_LIMIT_MS);
  return id;
}

async function ask(title: string, prompt: string): Promise<WaitingPermission> {
  const id = await start(title, prompt, 'waiting');
  return (await pendingRequestsOf(server)).find(({ sessionId }) => sessionId === id) ?? expect.fail(`${title} has no pending request`);
}

const stillPending = async (): Promise<readonly string[]> => (await pendingRequestsOf(server)).map(({ requestId }) => requestId);

const denyElsewhere = ({ requestId }: WaitingPermission) =>
  api(server, 'POST', `/api/permissions/${encodeURIComponent(requestId)}`, { behavior: 'deny', message: 'decided elsewhere' });

/** How the request was resolved, from the journal. */
async function resolutionOf({ sessionId, requestId }: WaitingPermission): Promise<Event | undefined> {
  const find = async () => {
    const { events } = (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${sessionId}/events?after=0`)).body;
    return events.find((event) => event.type === 'permission.resolved' && event.requestId === requestId);
  };
  await waitFor(`the resolution of ${requestId}`, async () => (await find()) !== undefined, RECOVERY_LIMIT_MS);
  return find();
}
