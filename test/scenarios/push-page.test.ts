import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, CDPSession, Worker } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PushMessage } from '../../src/protocol/api/outside/push.ts';
import type { Event as SessionEvent } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, type Person, PHONE, signIn } from '../support/browser/person.ts';
import { STORY_MS, tell } from '../support/browser/reload.ts';
import { api } from '../support/client.ts';
import { openPushEndpoint, type PushEndpoint } from '../support/push-endpoint.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { told } from '../support/stories/push-notifications.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/worker.js'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';

let server: TestServer;
let browser: Browser;
let endpoint: PushEndpoint;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  endpoint = await openPushEndpoint();
  server = await startServer({ from: 'dist', env: { SIGNALBOX_PUSH_HOSTS: endpoint.host } });
  browser = await sharedChromium(chromium.path);
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await endpoint?.close();
});

/** Starts a session whose agent asks for permission, and returns what arrives at the push service. */
async function askAndPush(command: string): Promise<{ session: Session; request: WaitingPermission; message: PushMessage }> {
  await api(server, 'POST', '/api/push/devices', { device: 'A phone', ...endpoint.target('phone') });
  const session = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: `run ${command}`, title: 'Tidy up' }))
    .body;
  const pushed = await waitFor('the message', () => endpoint.arrived.find(({ message }) => message.path.startsWith(`s/${session.id}`)));
  const { permissions } = (await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${session.id}`)).body;
  return { session, request: permissions[0] as WaitingPermission, message: pushed.message };
}

/** The page's worker, and a way to deliver a message to it like its push service would. */
async function workerOf({ page }: Person): Promise<{ worker: Worker; push: (message: PushMessage) => Promise<void> }> {
  const context = page.context();
  await context.grantPermissions(['notifications']);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const worker = await waitFor('the worker', () => context.serviceWorkers()[0]);
  const cdp = await context.newCDPSession(page);
  const registrationId = await registrationOf(cdp);
  const origin = new URL(server.url).origin;
  return {
    worker,
    push: async (message) => void (await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) })),
  };
}

function registrationOf(cdp: CDPSession): Promise<string> {
  return new Promise((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0] !== undefined) resolve(registrations[0].registrationId);
    });
    void cdp.send('ServiceWorker.enable');
  });
}

const eventsOf = async ({ id }: Session) => (await api<{ events: SessionEvent[] }>(server, 'GET', `/api/sessions/${id}/events?after=0`)).body.events;

interface Scope {
  registration: ServiceWorkerRegistration;
  clients: { matchAll(which: object): Promise<readonly { readonly visibilityState: DocumentVisibilityState }[]> };
  dispatchEvent(event: Event): boolean;
}

const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as Scope;
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
  });

/** With Chromium 150 one message in about forty was never shown, for unknown reasons. Then it is pushed once more. */
const PUSH_AGAIN_MS = 10_000;

/** Waits until it is shown. If it were pushed again while the first one is still on its way, it would come back after a tap. */
async function pushAndSee(worker: Worker, push: (message: PushMessage) => Promise<void>, message: PushMessage): Promise<void> {
  let pushedAt = Number.NEGATIVE_INFINITY;
  await waitFor('the notification', async () => {
    if (performance.now() - pushedAt > PUSH_AGAIN_MS) {
      await push(message);
      pushedAt = performance.now();
    }
    return (await shown(worker)).some(({ body }) => body === message.body);
  });
}

const closeAll = (worker: Worker) =>
  worker.evaluate(async () => {
    for (const notification of await (self as unknown as Scope).registration.getNotifications()) notification.close();
  });

/** Does what the system does when a person taps the notification or one of its buttons. */
const tap = (worker: Worker, action: string) =>
  worker.evaluate(async (name) => {
    const scope = self as unknown as Scope;
    const [notification] = await scope.registration.getNotifications();
    const ClickEvent = Reflect.get(self, 'NotificationEvent') as new (type: string, init: object) => Event;
    const event = new ClickEvent('notificationclick', { notification, action: name });
    // Only the system's own events can keep a worker alive.
    Object.defineProperty(event, 'waitUntil', { value: () => undefined });
    scope.dispatchEvent(event);
  }, action);

/** Hides our page and waits until the worker sees that: a page that was just left counts as visible for a moment. */
const hidePage = async ({ page }: Person, worker: Worker) => {
  const other = await page.context().newPage();
  await other.goto('about:blank');
  await other.bringToFront();
  await page.goto('about:blank');
  const visible = () =>
    worker.evaluate(async () => {
      const pages = await (self as unknown as Scope).clients.matchAll({ type: 'window', includeUncontrolled: true });
      return pages.filter(({ visibilityState }) => visibilityState === 'visible').length;
    });
  await waitFor('the worker to see no page', async () => (await visible()) === 0);
};

test('a request is sent encrypted to the push service, shown by the worker, and allowed from the notification', async ({ skip }) => {
  if (missing) return skip(missing);
  const { session, request, message } = await askAndPush('echo pushed');
  expect(message).toMatchObject({ title: 'Tidy up', body: expect.stringContaining('wants to run: echo pushed'), requestId: request.requestId });
  const person = await signIn(browser, server, PHONE, 'dark', 'allow');
  const { worker, push } = await workerOf(person);
  await hidePage(person, worker);
  await pushAndSee(worker, push, message);
  expect(await shown(worker)).toEqual([{ title: 'Tidy up', body: message.body, tag: message.tag }]);
  await tap(worker, 'allow');
  await waitFor('the answer', async () => (await eventsOf(session)).some((event) => event.type === 'permission.resolved' && event.outcome === 'allowed'));
  await waitFor('the notification to disappear', async () => (await shown(worker)).length === 0);
  await waitFor('the end of the turn', async () => (await api<Session>(server, 'GET', `/api/sessions/${session.id}`)).body.status === 'idle');
  const finished = await waitFor('the message about its end', () =>
    endpoint.arrived.find(({ message: { path, requestId } }) => path.startsWith(`s/${session.id}`) && requestId === undefined),
  );
  expect(finished.message.body).toContain('Finished');
  // A request is answered only once: a late tap gets a message and changes nothing.
  await pushAndSee(worker, push, { ...message, body: 'late' });
  await tap(worker, 'deny');
  await waitFor('the message that it was not answered', async () => (await shown(worker))[0]?.body.startsWith('Not answered: '));
});

test('while a page is visible, no notification is shown, and a tap on one opens its event', async ({ skip }) => {
  if (missing) return skip(missing);
  const { message } = await askAndPush('echo seen');
  const person = await signIn(browser, server, DESKTOP, 'dark', 'allow');
  const { worker, push } = await workerOf(person);
  await person.page.bringToFront();
  await push(message);
  await push({ ...message, tag: 'the next' });
  // A test message is always shown, and comes after them.
  await pushAndSee(worker, push, { title: 'Trial', body: 'a trial', path: '', tag: 'trial' });
  expect((await shown(worker)).map(({ tag }) => tag)).toEqual(['trial']);
  await closeAll(worker);
  await hidePage(person, worker);
  await pushAndSee(worker, push, message);
  await person.page.goto(`${server.url}/inbox`);
  await tap(worker, '');
  await waitFor('the page', () => person.page.url().endsWith(message.path));
});

test('[R255] at every step of the notification settings a reload shows the same screen', { timeout: STORY_MS }, async ({ skip }) => {
  if (missing) return skip(missing);
  await tell(await signIn(browser, server), told(endpoint).steps(server));
});

for (const viewport of [DESKTOP, PHONE]) {
  test(`the settings store which events notify, quiet hours and browsers (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    await api(server, 'POST', '/api/push/devices', { device: 'A phone', ...endpoint.target('phone') });
    const { page, complaints, open } = await signIn(browser, server, viewport, 'dark', 'allow');
    await page.context().grantPermissions(['notifications']);
    await open('/settings/notifications');
    await page.getByLabel('Quiet hours').check();
    await page.getByLabel('to', { exact: true }).fill('06:30');
    await page.getByLabel('A turn finished').uncheck();
    await page.reload();
    await page.getByLabel('to', { exact: true }).waitFor();
    expect(await page.getByLabel('to', { exact: true }).inputValue()).toBe('06:30');
    expect(await page.getByLabel('A turn finished').isChecked()).toBe(false);
    endpoint.answers.push({ status: 403 });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Its push service answered with status 403').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.screenshot({ path: `.cache/screenshots/notifications-${viewport.width}.png`, fullPage: true });
    // No push service can be reached from here: the page says so, and nothing else changes.
    await page.getByRole('button', { name: 'Notify me here' }).click();
    await page.getByText('Couldn’t reach this browser’s push service').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('region', { name: 'Your browsers' }).waitFor({ state: 'detached' });
    await page.getByLabel('Quiet hours').uncheck();
    await page.getByLabel('A turn finished').check();
    expect(complaints).toEqual([]);
  });
}

test('while the server is down, the page says so at the same address and recovers on its own', async ({ skip }) => {
  if (missing) return skip(missing);
  const person = await signIn(browser, server, PHONE, 'dark', 'allow');
  await workerOf(person);
  await server.kill9();
  await person.open('/inbox');
  await person.page.getByRole('heading', { name: 'Can’t reach Signalbox' }).waitFor();
  expect(await person.page.evaluate(() => getComputedStyle(document.body).display)).toBe('grid');
  await server.restart();
  await person.page.locator('main.inbox').waitFor();
  expect(person.page.url()).toBe(`${server.url}/inbox`);
});

test('the page can be installed: its manifest and icons are public', async ({ skip }) => {
  if (missing) return skip(missing);
  const manifest = await (await fetch(`${server.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ name: 'Signalbox', display: 'standalone', start_url: '.' });
  for (const { src } of manifest.icons) expect([src, (await fetch(`${server.url}/${src}`)).status]).toEqual([src, 200]);
  const { page } = await signIn(browser, server, DESKTOP, 'dark', 'allow');
  const cdp = await page.context().newCDPSession(page);
  const { errors } = await cdp.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
  // A test's context is incognito, where nothing can be installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});
