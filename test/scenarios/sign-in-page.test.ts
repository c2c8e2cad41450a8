import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE, RECOVERY_LIMIT_MS } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const missing = 'skip' in chromium ? chromium.skip : undefined;

let server: TestServer;
let browser: Browser;
let session: Session;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer();
  browser = await sharedChromium(chromium.path);
  session = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'picture', title: 'Signals' })).body;
  await waitFor(
    'the end of the turn',
    async () => (await api<Session>(server, 'GET', `/api/sessions/${session.id}`)).body.status === 'idle',
    RECOVERY_LIMIT_MS,
  );
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

/** A browser that has never been here. */
async function newVisitor(viewport: typeof DESKTOP): Promise<Visitor> {
  const context = await browser.newContext({ viewport, hasTouch: viewport === PHONE, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  await context.exposeFunction('reportToTest', (words: string) => void complaints.push(words));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      Reflect.get(window, 'reportToTest')(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(RECOVERY_LIMIT_MS);
  page.on('pageerror', (error) => complaints.push(error.message));
  return { context, page, complaints };
}

const connected = (page: Page) => page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
const form = (page: Page) => page.getByLabel('Token', { exact: true });
const signInByLink = async (page: Page, path = '/') => {
  await page.goto(`${server.url}${path}?token=${server.token}`);
  await connected(page);
};
async function signInByForm(page: Page): Promise<void> {
  await form(page).fill(server.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The key that the browser has stored. */
const storedKey = (page: Page, path = '/'): Promise<unknown> =>
  page.evaluate(
    (name) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('signalbox-key', 1);
        opening.onerror = () => reject(opening.error);
        opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
        opening.onsuccess = () => {
          const request = opening.result.transaction('keys').objectStore('keys').get(name);
          request.onsuccess = () => resolve(request.result);
          opening.result.onversionchange = () => opening.result.close();
          request.transaction?.addEventListener('complete', () => opening.result.close());
        };
      }),
    path,
  );

const putKey = (page: Page, key: string | undefined): Promise<void> =>
  page.evaluate(
    (value) =>
      new Promise((resolve) => {
        const opening = indexedDB.open('signalbox-key', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
        opening.onsuccess = () => {
          const change = opening.result.transaction('keys', 'readwrite');
          if (value === undefined) change.objectStore('keys').delete('/');
          else change.objectStore('keys').put(value, '/');
          change.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    key,
  );

const ourCookie = async (context: BrowserContext) => (await context.cookies()).find(({ name }) => name === `signalbox_${server.port}`);

for (const viewport of [DESKTOP, PHONE]) {
  const at = `(${viewport.width} px)`;

  test(`[R290] a link with a token signs in: the key is only in the database, and the next page is signed in too ${at}`, async ({ skip }) => {
    if (missing) return skip(missing);
    const { context, page, complaints } = await newVisitor(viewport);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await signInByLink(page);
    expect(page.url()).toBe(`${server.url}/`);
    const key = await storedKey(page);
    expect(key).toEqual(expect.stringMatching(/^[\w-]{43}$/));
    const elsewhere = () =>
      page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, document.body.innerHTML]));
    await expect.poll(elsewhere).not.toContain(key);
    expect(requested.filter((url) => url.includes(String(key)))).toEqual([]);
    expect(await ourCookie(context)).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toMatch(/token|key/);
    await page.goto(`${server.url}/inbox`);
    await connected(page);
    expect(complaints).toEqual([]);
  });

  test(`[R296] a link with a token opens its exact event, and so does the form ${at}`, async ({ skip }) => {
    if (missing) return skip(missing);
    const direct = await newVisitor(viewport);
    await direct.page.goto(`${server.url}/s/${session.id}?token=${server.token}#e2`);
    await connected(direct.page);
    expect(direct.page.url()).toBe(`${server.url}/s/${session.id}#e2`);
    // From another site, such as a chat, the browser sends a strict cookie only at the second step.
    const linked = await newVisitor(viewport);
    for (const path of ['/', `/s/${session.id}`]) {
      const link = `<a href="${server.url}${path}?token=${server.token}#e2">go</a>`;
      await linked.page.goto(`data:text/html,${encodeURIComponent(link)}`);
      await linked.page.getByText('go').click();
      await connected(linked.page);
    }
    expect(linked.page.url()).toBe(`${server.url}/s/${session.id}#e2`);
    const { page, complaints } = await newVisitor(viewport);
    await page.goto(`${server.url}/s/${session.id}#e2`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await signInByForm(page);
    await connected(page);
    expect(page.url()).toBe(`${server.url}/s/${session.id}#e2`);
    expect([complaints, direct.complaints, linked.complaints]).toEqual([[], [], []]);
  });

  test(`[R297] signing out ends the sign-in on the server, and another tab says so and keeps its draft ${at}`, async ({ skip }) => {
    if (missing) return skip(missing);
    const { context, page } = await newVisitor(viewport);
    await signInByLink(page);
    const [cookie, key] = [(await ourCookie(context))?.value, String(await storedKey(page))];
    const headers = { cookie: `signalbox_${server.port}=${cookie}`, 'x-signalbox-key': key };
    expect((await fetch(`${server.url}/api/me`, { headers })).status).toBe(200);
    const tab = await context.newPage();
    await tab.goto(`${server.url}/s/${session.id}`);
    await tab.getByLabel('Message', { exact: true }).fill('half a thought');
    await page.goto(`${server.url}/settings/people`);
    await page.getByText('Signed in as').waitFor();
    await page.screenshot({ path: `.cache/screenshots/people-${viewport.width}.png` });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await form(page).waitFor();
    await tab.getByRole('heading', { name: 'You’re signed out' }).waitFor();
    await tab.screenshot({ path: `.cache/screenshots/signed-out-${viewport.width}.png` });
    expect(await accessibilityViolations(tab)).toEqual([]);
    expect((await fetch(`${server.url}/api/me`, { headers })).status).toBe(401);
    expect((await fetch(`${server.url}/`, { headers })).status).toBe(401);
    expect([await storedKey(page), await ourCookie(context)]).toEqual([undefined, undefined]);

    await signInByForm(page);
    await connected(page);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => tab.getByLabel('Message', { exact: true }).inputValue()).toBe('half a thought');
    expect(tab.url()).toBe(`${server.url}/s/${session.id}`);
    await tab.getByLabel('Message', { exact: true }).fill('');
  });

  test(`a browser with a cookie of the first edition is asked to sign in once and keeps its draft ${at}`, async ({ skip }) => {
    if (missing) return skip(missing);
    const { context, page } = await newVisitor(viewport);
    await signInByLink(page, `/s/${session.id}`);
    await page.getByLabel('Message', { exact: true }).fill('typed before');
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('typed before');
    await putKey(page, undefined);
    const value = `${Buffer.from('owner').toString('base64url')}.9999999999.${'A'.repeat(43)}`;
    await context.addCookies([{ name: `signalbox_${server.port}`, value, url: server.url, httpOnly: true, sameSite: 'Strict' }]);
    await page.goto(`${server.url}/s/${session.id}`);
    await page.getByText('Signalbox was updated').waitFor();
    await page.screenshot({ path: `.cache/screenshots/sign-in-updated-${viewport.width}.png` });
    await signInByForm(page);
    await connected(page);
    expect(page.url()).toBe(`${server.url}/s/${session.id}`);
    await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('typed before');
    await page.getByLabel('Message', { exact: true }).fill('');
  });

  for (const [name, key] of [
    ['is missing', undefined],
    ['is wrong', 'A'.repeat(43)],
  ] as const) {
    test(`[R296] a page whose key ${name} asks to sign in, and comes back to the same event ${at}`, async ({ skip }) => {
      if (missing) return skip(missing);
      const { page, complaints } = await newVisitor(viewport);
      await signInByLink(page);
      await putKey(page, key);
      await page.goto(`${server.url}/s/${session.id}/raw?side=out#e2`);
      await page.getByText('has lost its sign-in key').waitFor();
      await signInByForm(page);
      await connected(page);
      expect(page.url()).toBe(`${server.url}/s/${session.id}/raw?side=out#e2`);
      expect(complaints).toEqual([]);
    });
  }

  test(`[R294] an image in the transcript is shown, and an export can be downloaded until signing out ${at}`, async ({ skip }) => {
    if (missing) return skip(missing);
    const { page, complaints } = await newVisitor(viewport);
    await signInByLink(page, `/s/${session.id}`);
    await page.locator('.picture img').first().waitFor();
    expect(
      await page
        .locator('.picture img')
        .first()
        .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(10);
    await page.locator('.picture').first().click();
    await page.locator('.enlarged img').waitFor();
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Actions and sessions' });
    await palette.getByRole('combobox').fill('Export');
    await palette.getByText('Export…').click();
    await page.getByText('every event, for programs').click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^signals-.*\.json$/);
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ session: { id: session.id } });
    const url = file.url();
    expect((await fetch(url)).status).toBe(200);
    await page.goto(`${server.url}/settings/people`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await form(page).waitFor();
    expect((await fetch(url)).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  test(`a link that ends with a made-up key changes nothing ${at}`, async ({ skip }) => {
    if (missing) return skip(missing);
    const { page, complaints } = await newVisitor(viewport);
    await signInByLink(page);
    const key = await storedKey(page);
    await page.goto(`${server.url}/settings/agents#key=${'A'.repeat(43)}&e2`);
    await page.locator('.agent-row').first().waitFor();
    expect([page.url(), await storedKey(page)]).toEqual([`${server.url}/settings/agents#e2`, key]);
    await page.reload();
    await page.locator('.agent-row').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test(`opening the link with the token again in another tab leaves the first tab signed in, even after a restart ${at}`, async ({ skip }) => {
    if (missing) return skip(missing);
    const { context, page } = await newVisitor(viewport);
    await signInByLink(page, '/settings/people');
    const tab = await context.newPage();
    await signInByLink(tab, '/settings/people');
    // Both tabs request something new from the server.
    for (const each of [page, tab]) {
      await each.getByRole('link', { name: 'Agents' }).click();
      await each.locator('.agent-row').first().waitFor();
    }
    await server.restart();
    for (const each of [page, tab]) {
      await each.reload();
      await each.locator('.agent-row').first().waitFor();
    }
  });
}

test('[R296] below a base path the link and the form sign in too, with the key of that server only', async ({ skip }) => {
  if (missing) return skip(missing);
  const below = await startServer({ args: ['--base-path', '/box'] });
  const { id } = (
    await api<Session>({ url: `${below.url}/`, token: below.token }, 'POST', 'api/sessions', { agent: 'demo', cwd: below.project, prompt: 'hello' })
  ).body;
  const { page, complaints } = await newVisitor(DESKTOP);
  await page.goto(`${below.url}/s/${id}?token=${below.token}#e2`);
  await connected(page);
  expect(page.url()).toBe(`${below.url}/s/${id}#e2`);
  expect([await storedKey(page, '/box/'), await storedKey(page, '/')]).toEqual([expect.stringMatching(/^[\w-]{43}$/), undefined]);
  await page.goto(`${below.url}/settings/people`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await form(page).waitFor();
  await page.goto(`${below.url}/s/${id}#e2`);
  await form(page).fill(below.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await connected(page);
  expect(page.url()).toBe(`${below.url}/s/${id}#e2`);
  expect(complaints).toEqual([]);
  await below.close();
});

test('[R296] a link with a token opens its exact event even with the service worker active', async ({ skip }) => {
  if (missing) return skip(missing);
  const { context, page, complaints } = await newVisitor(DESKTOP);
  await signInByLink(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await waitFor('the worker to take over', () => page.evaluate(() => navigator.serviceWorker.controller !== null), RECOVERY_LIMIT_MS);
  for (const path of [`/s/${session.id}`, '/settings/agents']) {
    const tab = await context.newPage();
    await tab.goto(`${server.url}${path}?token=${server.token}#e2`);
    await connected(tab);
    expect(new URL(tab.url()).pathname).toBe(path);
    expect(tab.url()).not.toMatch(/key|token/);
    if (path.startsWith('/s/')) expect(new URL(tab.url()).hash).toBe('#e2');
  }
  expect(complaints).toEqual([]);
});

test('[R297] a tab that is connected with an earlier sign-in of the same browser is signed out too', async ({ skip }) => {
  if (missing) return skip(missing);
  const { context, page } = await newVisitor(DESKTOP);
  const tab = await context.newPage();
  await signInByLink(tab);
  await context.clearCookies();
  await signInByLink(page, '/settings/people');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await form(page).waitFor();
  await tab.getByRole('heading', { name: 'You’re signed out' }).waitFor();
});
