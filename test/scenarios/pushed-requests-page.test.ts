import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signedInContext } from '../support/browser/signed-in.ts';
import { api } from '../support/client.ts';
import { pendingRequestsOf } from '../support/demo-sessions.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';

const BUSY = 10;

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('[R308] with ten busy sessions a page never polls for requests: they are pushed, as are answers from elsewhere and changes after a server kill', async ({
  skip,
}) => {
  if (missing) return skip(missing);
  const { body: anna } = await api<{ token: string }>(server, 'POST', '/api/tokens', { name: 'anna', role: 'driver' });
  const { page, polls, statuses } = await openInbox();
  const busy = Array.from({ length: BUSY }, (_, index) => keepBusy(`busy ${index}`));
  const [here, elsewhere, late, kept] = await Promise.all(['here', 'elsewhere', 'late', 'kept'].map(ask));
  if (here === undefined || elsewhere === undefined || late === undefined || kept === undefined) return expect.fail('expected four requests');
  const card = ({ requestId }: WaitingPermission) => page.locator(`[data-request="${requestId}"]`);
  const allow = (request: WaitingPermission) => card(request).getByRole('button', { name: 'Allow', exact: true });
  for (const request of [here, elsewhere, late, kept]) await allow(request).waitFor();

  // Out of order, so no answer is for the first card by accident.
  await api({ ...server, token: anna.token }, 'POST', pathOf(elsewhere), { behavior: 'deny', message: 'I was quicker' });
  await card(elsewhere)
    .getByText(/^anna denied this at .* “I was quicker”$/)
    .waitFor();
  await pressUntilTaken(page, allow(here));
  expect(await resolutionOf(here)).toMatchObject({ outcome: 'allowed', actor: { kind: 'person', name: 'owner' } });
  await Promise.all(busy);

  await server.kill9();
  await page.getByText(/No connection|Reconnecting/).waitFor();
  expect(await Promise.all([late, kept].map((request) => allow(request).isVisible()))).toEqual([true, true]);
  await server.restart();
  await api({ ...server, token: anna.token }, 'POST', pathOf(late), { behavior: 'deny', message: 'while you were away' });
  await card(late)
    .getByText(/^anna denied this at .* “while you were away”$/)
    .waitFor();
  expect((await pendingRequestsOf(server)).map(({ requestId }) => requestId)).toEqual([kept.requestId]);
  await pressUntilTaken(page, allow(kept));
  expect(await resolutionOf(kept)).toMatchObject({ outcome: 'allowed', actor: { kind: 'person', name: 'owner' } });
  await expect.poll(() => page.title()).toBe('Inbox · Signalbox');

  // A page that polled on every status would have made about as many requests.
  expect(statuses()).toBeGreaterThan(5 * BUSY);
  expect(polls).toEqual([]);
});

/** Signs in and counts the page's polls and the statuses it receives. */
async function openInbox() {
  const context = await signedInContext(browser, server, { reducedMotion: 'reduce' });
  const page = await context.newPage();
  const polls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === '/api/permissions') polls.push(request.url());
  });
  let statuses = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).startsWith('{"type":"status"')) statuses += 1;
    }),
  );
  await page.goto(`${server.url}/inbox`);
  await page.getByText('Nothing needs you').waitFor();
  return { page, polls, statuses: () => statuses };
}

const create = async (title: string, prompt: string): Promise<Session> =>
  (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, title, prompt })).body;

/** Runs several turns one after the other; resolves when the last one ends. */
async function keepBusy(title: string): Promise<void> {
  const { id } = await create(title, 'long 200');
  for (const text of ['think', 'echo two', 'long 100']) await api(server, 'POST', `/api/sessions/${id}/input`, { text });
  await waitFor(`${title} to finish all turns`, async () => {
    const { status, queue } = (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
    return status === 'idle' && queue.length === 0;
  });
}

async function ask(words: string): Promise<WaitingPermission> {
  const { id } = await create(words, `run echo ${words}`);
  return waitFor(`the request from ${words}`, async () => (await pendingRequestsOf(server)).find(({ sessionId }) => sessionId === id));
}

const pathOf = ({ requestId }: WaitingPermission): string => `/api/permissions/${encodeURIComponent(requestId)}`;

/** A click right after something moved is ignored on purpose: a person clicks again. */
async function pressUntilTaken(page: Page, button: ReturnType<Page['locator']>): Promise<void> {
  await waitFor('the click to be accepted', async () => {
    await button.click({ timeout: 500 }).catch(() => undefined);
    return (await button.count()) === 0 || (await page.getByText('Sending…').count()) > 0;
  });
}

/** How the request was resolved, from the journal. */
const resolutionOf = ({ sessionId, requestId }: WaitingPermission): Promise<Event> =>
  waitFor(`the resolution of ${requestId}`, async () => {
    const { events } = (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${sessionId}/events?after=0`)).body;
    return events.find((event) => event.type === 'permission.resolved' && event.requestId === requestId);
  });
