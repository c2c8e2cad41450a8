import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/session.ts';
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

const start = async (title: string, prompt: string): Promise<string> =>
  (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, title, prompt })).body.id;
const session = async (id: string): Promise<Session> => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
const reached = (id: string, status: string) => waitFor(`${id} is ${status}`, async () => (await session(id)).status === status, RECOVERY_LIMIT_MS);

/** How far the end of the transcript is below the visible part. */
const distanceToEnd = ({ page }: Person): Promise<number> =>
  page.locator('.transcript').evaluate((area) => area.scrollHeight - area.scrollTop - area.clientHeight);

/** Asks what the request wants, answers it, and waits for the end of the turn. */
async function answer(id: string, body: object): Promise<void> {
  await waitFor('a request', async () => (await session(id)).waiting === 1, RECOVERY_LIMIT_MS);
  const request = (await pendingRequestsOf(server)).find(({ sessionId }) => sessionId === id);
  await api(server, 'POST', `/api/permissions/${request?.requestId}`, body);
}

for (const viewport of [DESKTOP, PHONE]) {
  test(`[R375] a failed turn is failed on deck, list, header and transcript until it is tried again (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const id = await start('Will fail', 'fail');
    await answer(id, { behavior: 'allow' });
    await reached(id, 'failed');
    const person = await signInWithoutPage(browser, server, viewport, viewport === PHONE ? 'light' : 'dark');
    await person.open('/');
    const row = person.page.locator('.session-row', { hasText: 'Will fail' });
    await row.locator('.lamp-square').waitFor();
    await row.getByText('The demo agent failed because it was asked to.').waitFor();
    await person.page.screenshot({ path: join(PICTURES, `truth-deck-${viewport.width}.png`) });
    await person.open('/sessions');
    await person.page.locator('.list-row svg.lamp-square').waitFor();
    await person.open(`/s/${id}`);
    await person.page.locator('.head-word', { hasText: 'failed' }).waitFor({ state: 'attached' });
    const failure = person.page.locator('.turn-mark.failed-line');
    await failure.getByText('Failed').first().waitFor();
    await person.page.screenshot({ path: join(PICTURES, `truth-failed-${viewport.width}.png`) });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await person.page.locator('.approval').getByRole('button', { name: /^Deny/ }).click();
    await person.page.locator('.approval').getByLabel('Reason').fill('not today');
    await person.page.keyboard.press('Enter');
    await reached(id, 'failed');
    // Only the last failure can be tried again.
    await waitFor('the second failure', async () => (await person.page.locator('.turn-mark.failed-line').count()) === 2);
    expect(await person.page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
    // The second attempt was denied: that is no failure of the call, and the reason is there once.
    const denied = person.page.locator('.tool', { hasText: 'Denied' });
    await denied.waitFor();
    expect(await denied.locator('.failed').count()).toBe(0);
    await person.page.locator('.decided-reason').waitFor();
    expect(await person.page.locator('.transcript').innerText()).toMatch(/^(?:(?!not today)[\s\S])*not today(?:(?!not today)[\s\S])*$/);
    expect(person.complaints).toEqual([]);
  });

  test(`[R376] a crash is called a crash, its buttons go when the session moves on, and an interrupt is not red (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const id = await start('Will crash', 'crash');
    await reached(id, 'failed');
    const person = await signInWithoutPage(browser, server, viewport);
    await person.open(`/s/${id}`);
    await person.page.getByText('The agent crashed mid-turn.').waitFor();
    await person.page.getByRole('button', { name: 'Send message again' }).waitFor();
    await person.say('wait');
    await reached(id, 'busy');
    await waitFor('the buttons to go', async () => (await person.page.getByRole('button', { name: 'Send message again' }).count()) === 0);
    expect(await person.page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
    if (viewport === DESKTOP) await person.page.locator('.interrupt', { hasText: 'esc esc' }).waitFor();
    await person.page.getByRole('button', { name: 'Interrupt' }).click();
    await reached(id, 'idle');
    const interrupted = person.page.locator('.turn-mark', { hasText: 'Interrupted' });
    await interrupted.waitFor();
    expect(await interrupted.getAttribute('class')).toBe('turn-mark');
    expect(await person.page.locator('.transcript').innerText()).not.toMatch(/unknown|input\.send|permission\.resolved|signal-1|pid/);
    await person.page.getByText('Demo agent 2, Signal 1').first().waitFor();
    expect(person.complaints).toEqual([]);
  });

  test(`[R382] your own message is shown when you send it from further up, and an image that loads late leaves the end in view (${viewport.width} px)`, async ({
    skip,
  }) => {
    if (missing) return skip(missing);
    const id = await start('Long', 'long 900');
    await reached(id, 'idle');
    const person = await signInWithoutPage(browser, server, viewport);
    let release: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    await person.page.route('**/api/blobs/**', async (route) => {
      await late;
      await route.continue();
    });
    await person.open(`/s/${id}`);
    await person.page.locator('.transcript').focus();
    await person.page.keyboard.press('Home');
    await waitFor('the start', async () => (await distanceToEnd(person)) > 500);
    await person.say('picture');
    await waitFor('the end', async () => (await distanceToEnd(person)) < 2);
    await person.page.getByText('A clear signal, drawn just now.').waitFor();
    await person.page.locator('.said-text', { hasText: 'picture' }).waitFor();
    await reached(id, 'idle');
    await waitFor('the end again', async () => (await distanceToEnd(person)) < 2);
    release();
    await person.page.locator('.transcript img').first().waitFor();
    await person.page
      .locator('.transcript img')
      .first()
      .evaluate((image: HTMLImageElement) => image.decode());
    await waitFor('the end after the image', async () => (await distanceToEnd(person)) < 2);
    expect(await person.page.locator('.turn-mark').last().isVisible()).toBe(true);
    expect(person.complaints).toEqual([]);
  });

  test(`[R383] the deck shows a waiting session as its card, keeps the panel in bounds, and a chosen answer closes its text box (${viewport.width} px)`, async ({
    skip,
  }) => {
    if (missing) return skip(missing);
    const id = await start('Asks something', 'ask');
    for (let count = 0; count < 3; count++) await start(`Runs ${count}`, 'wait');
    await waitFor('a request', async () => (await session(id)).waiting === 1, RECOVERY_LIMIT_MS);
    const person = await signInWithoutPage(browser, server, viewport);
    await person.open('/');
    const card = person.page.locator('.approval');
    await card.waitFor();
    await person.page.locator('.session-row', { hasText: 'Runs 0' }).waitFor();
    expect(await person.page.locator('.session-row', { hasText: 'Asks something' }).count()).toBe(0);
    expect(await person.page.locator('.page-summary').innerText()).toContain('1 needs you');
    const bounds = await person.page.locator('.panel-body').evaluate((body) => ({ height: body.clientHeight, most: window.innerHeight / 2 }));
    expect(bounds.height).toBeLessThanOrEqual(bounds.most);
    await person.page.screenshot({ path: join(PICTURES, `truth-waiting-${viewport.width}.png`) });
    await person.page.keyboard.press('j');
    await waitFor('the card to be selected', async () => (await card.getAttribute('aria-current')) === 'true');
    expect(await card.locator('.other-answer').count()).toBe(1);
    await card.getByRole('button', { name: /Green/ }).click();
    expect(await card.locator('.other-answer').count()).toBe(0);
    await card.getByRole('button', { name: 'Other…' }).click();
    expect(await card.locator('.other-answer').count()).toBe(1);
    expect(person.complaints).toEqual([]);
  });
}
