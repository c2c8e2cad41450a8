import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signedInContext } from '../support/browser/signed-in.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { PRESS_MS } from '../support/stories/acts.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
  browser = await sharedChromium(chromium.path);
});
afterEach(async () => {
  if (missing) return;
  for (const context of browser?.contexts() ?? []) await context.close();
  for (const { id } of (await api<{ sessions: Session[] }>(server, 'GET', '/api/sessions')).body.sessions) await api(server, 'DELETE', `/api/sessions/${id}`);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`the keyboard alone can allow a command, edit one, deny one and answer a question (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const allowed = await ask('run echo allowed');
    const changed = await ask('run echo before');
    const denied = await ask('run echo denied');
    const question = await ask('ask');
    const page = await openInbox(viewport, 4);

    await pressOn(page, allowed, 'y');
    await pressOn(page, changed, 'e');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('echo after');
    await page.keyboard.press('ControlOrMeta+Enter');
    await pressOn(page, denied, 'n');
    await page.keyboard.type('not today');
    await page.keyboard.press('Enter');
    await pressOn(page, question, '2');
    await page.keyboard.press('y');

    expect(await resolutionOf(allowed)).toMatchObject({ outcome: 'allowed', actor: { kind: 'person' } });
    expect(await resolutionOf(changed)).toMatchObject({ outcome: 'allowed', updatedInput: { command: 'echo after' } });
    expect(await resolutionOf(denied)).toMatchObject({ outcome: 'denied', message: 'not today' });
    expect(await resolutionOf(question)).toMatchObject({ outcome: 'allowed', answers: { 'Which signal should I set?': 'Yellow' } });
    await page.getByText('Nothing needs you').waitFor();
    expect(await page.title()).toBe('Inbox · Signalbox');
  });
}

test('a file is edited in the card before it is written, and the session shows that it was edited', async ({ skip }) => {
  if (missing) return skip(missing);
  const written = await ask('write a line');
  const page = await openInbox({ width: 1440, height: 900 }, 1);
  await pressOn(page, written, 'e');
  await page.getByLabel('Content').fill('# Written by a person\n');
  await page.getByRole('button', { name: 'Allow edited' }).click();
  await resolutionOf(written);
  await page.goto(`${server.url}/s/${written.sessionId}`);
  await page.getByText('Edited before it was allowed').waitFor();

  expect(readFileSync(join(server.project, 'demo-notes.md'), 'utf8')).toBe('# Written by a person\n');
});

test('[R127] a card that somebody else answers says who did and stays in place, and its keys answer no other card', async ({ skip }) => {
  if (missing) return skip(missing);
  const first = await ask('run echo first');
  const second = await ask('run echo second');
  const page = await openInbox({ width: 1440, height: 900 }, 2);
  await cardOf(page, first).locator('[aria-keyshortcuts="y"]').waitFor();
  await api(server, 'POST', `/api/permissions/${encodeURIComponent(first.requestId)}`, { behavior: 'deny', message: 'I was quicker' });
  await cardOf(page, first)
    .getByText(/You denied this at .* “I was quicker”/)
    .waitFor();
  await page.keyboard.press('y');

  expect(await cardOf(page, first).getAttribute('aria-current')).toBe('true');
  expect(await cardOf(page, second).getByRole('button', { name: 'Allow' }).isVisible()).toBe(true);
  expect((await pending()).map(({ requestId }) => requestId)).toEqual([second.requestId]);
});

test('a card that replaces an answered one accepts keys only after 300 ms', async ({ skip }) => {
  if (missing) return skip(missing);
  const first = await ask('run echo first');
  const second = await ask('run echo second');
  const page = await openInbox({ width: 1440, height: 900 }, 2);
  await cardOf(page, first).locator('[aria-keyshortcuts="y"]').waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press('y');
  await cardOf(page, second).and(page.locator('[aria-current]')).waitFor();
  await page.clock.runFor(299);
  await page.keyboard.press('y');
  expect(await cardOf(page, second).locator('[aria-keyshortcuts]').count()).toBe(0);
  await page.clock.runFor(1);
  await cardOf(page, second).locator('[aria-keyshortcuts="y"]').waitFor();
  await expect.poll(async () => (await pending()).map(({ requestId }) => requestId)).toEqual([second.requestId]);
});

test('an answer that comes too late changes nothing, and the card says so', async ({ skip }) => {
  if (missing) return skip(missing);
  const request = await ask('run echo once');
  const page = await openInbox({ width: 1440, height: 900 }, 1);
  const delay = await delayServer(page);
  await page.reload();
  await cardOf(page, request).getByRole('button', { name: 'Allow' }).waitFor();
  delay.isOn = true;
  await api(server, 'POST', `/api/permissions/${encodeURIComponent(request.requestId)}`, { behavior: 'deny', message: 'no' });
  await cardOf(page, request).getByRole('button', { name: 'Allow' }).click();
  await cardOf(page, request).getByText('Sending…').waitFor();
  delay.release();
  await cardOf(page, request).getByText('Your answer came too late and had no effect').waitFor();

  expect(await resolutionOf(request)).toMatchObject({ outcome: 'denied' });
});

test('an answer given while the server is down is shown as not sent, stored, and delivered once the server is back', async ({ skip }) => {
  if (missing) return skip(missing);
  const request = await ask('run echo survived');
  const page = await openInbox({ width: 1440, height: 900 }, 1);
  await cardOf(page, request).locator('[aria-keyshortcuts="y"]').waitFor();
  await server.kill9();
  await page.getByText(/No connection|Reconnecting/).waitFor();
  await page.keyboard.press('y');
  await cardOf(page, request).getByText('not sent yet').waitFor();
  await server.restart();

  expect(await resolutionOf(request)).toMatchObject({ outcome: 'allowed', actor: { kind: 'person' } });
});

test('Enter opens the session at the pending request, and the tab title counts pending requests', async ({ skip }) => {
  if (missing) return skip(missing);
  const request = await ask('plan something');
  const page = await openInbox({ width: 1440, height: 900 }, 1);
  await expect.poll(() => page.title()).toBe('(1) Inbox · Signalbox');
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^data:image\/svg\+xml,/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/s/${request.sessionId}#e${request.seq}`);
  const approve = page.getByRole('button', { name: 'Approve' });
  // A click right after a card appears is ignored on purpose: a person clicks again.
  const approveAndCount = async () => {
    await approve.click({ timeout: PRESS_MS }).catch(() => undefined);
    return approve.count();
  };
  await expect.poll(approveAndCount).toBe(0);

  expect(await resolutionOf(request)).toMatchObject({ outcome: 'allowed' });
});

for (const [scheme, width] of [
  ['dark', 1440],
  ['light', 390],
] as const) {
  test(`cards of every kind have no serious accessibility issue and fit the screen (${scheme}, ${width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    for (const words of ['run ls -la', 'write a line', 'ask', 'plan']) await ask(words);
    const page = await openInbox({ width, height: 844 }, 4, scheme);
    const barriers = await accessibilityViolations(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

    expect(barriers).toEqual([]);
    expect(overflow).toBe(0);
  });
}

/** Starts a session with this prompt and waits for the agent's request. */
async function ask(prompt: string): Promise<WaitingPermission> {
  const { body: session } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt });
  return eventually(`a request from "${prompt}"`, async () => (await pending()).find(({ sessionId }) => sessionId === session.id));
}

const pending = async (): Promise<WaitingPermission[]> => (await api<{ permissions: WaitingPermission[] }>(server, 'GET', '/api/permissions')).body.permissions;

/** How the request was resolved, from the journal. */
const resolutionOf = ({ sessionId, requestId }: WaitingPermission): Promise<Event> =>
  eventually(`the resolution of ${requestId}`, async () => {
    const { events } = (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${sessionId}/events?after=0`)).body;
    return events.find((event) => event.type === 'permission.resolved' && event.requestId === requestId);
  });

/** Polls until there is a value; `expect.poll` doesn't return one. */
async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  await expect
    .poll(
      async () => {
        found = await look();
        return found !== undefined;
      },
      { message: what },
    )
    .toBe(true);
  if (found === undefined) throw new Error(what);
  return found;
}

/** Signs in and waits until the inbox has this many cards. */
async function openInbox(viewport: { width: number; height: number }, cards: number, colorScheme: 'dark' | 'light' = 'dark'): Promise<Page> {
  const context = await signedInContext(browser, server, { viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${server.url}/inbox`);
  await expect.poll(() => page.locator('.approval').count()).toBe(cards);
  return page;
}

/** Can delay what the server sends to the page, from the next load on. */
async function delayServer(page: Page) {
  const delayed: (() => void)[] = [];
  const delay = {
    isOn: false,
    release: () => {
      delay.isOn = false;
      for (const pass of delayed.splice(0)) pass();
    },
  };
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const upstream = socket.connectToServer();
    socket.onMessage((message) => upstream.send(message));
    upstream.onMessage((message) => {
      const pass = () => socket.send(message);
      if (delay.isOn) delayed.push(pass);
      else pass();
    });
  });
  return delay;
}

const cardOf = (page: Page, { requestId }: WaitingPermission) => page.locator(`[data-request="${requestId}"]`);

/** Presses a key once the card accepts keys; moves to it with the arrow key if it isn't current yet. */
async function pressOn(page: Page, request: WaitingPermission, key: string): Promise<void> {
  const card = cardOf(page, request);
  while ((await card.getAttribute('aria-current')) === null) await page.keyboard.press('ArrowDown');
  await card.locator('[aria-keyshortcuts="n"]').waitFor();
  await page.keyboard.press(key);
}
