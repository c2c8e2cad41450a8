import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signIn } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { createSession, idOf, type Machines, startMachines } from '../support/cluster/machines.ts';
import type { TestServer } from '../support/real-server.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';

let machines: Machines;
let a: TestServer;
let b: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  machines = await startMachines({}, {});
  [a, b] = machines.servers as [TestServer, TestServer];
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await machines?.close();
});

const said = async (at: TestServer, id: string): Promise<readonly string[]> =>
  (await api<{ events: Event[] }>(at, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`)).body.events.flatMap((event) =>
    event.type === 'user.message' ? [event.text] : [],
  );

test('[R704] on the page of one machine: start, approve and write to a session of another; what is typed while it is away is delivered once', async ({
  skip,
}) => {
  if (missing) return skip(missing);
  const person = await signIn(browser, a);
  const { page } = person;

  // Start one there, from the dialog.
  await page
    .getByRole('button', { name: /new session/i })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Machine').selectOption(await idOf(b));
  await dialog.getByRole('radio', { name: /Demo/ }).check();
  await dialog.getByLabel('Project folder').fill(b.project);
  await dialog.getByLabel('First message').fill('hello from far');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/s\//);
  await page.getByText('hello from far').first().waitFor();
  await page.locator('.chip-machine').getByText(`on ${hostname()}`).waitFor();
  const started = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await expect.poll(() => said(b, started)).toEqual(['hello from far']);

  // Approve one, from the inbox.
  const id = await createSession(b, { prompt: 'write noted' });
  const request = async () =>
    (await api<{ permissions: WaitingPermission[] }>(a, 'GET', '/api/permissions')).body.permissions.find(({ sessionId }) => sessionId === id);
  await expect.poll(request).toBeDefined();
  await person.open('/inbox');
  await person.pressOn((await request()) ?? expect.fail(), 'y');
  await expect
    .poll(async () =>
      (await api<{ events: Event[] }>(b, 'GET', `/api/sessions/${id}/events?after=0`)).body.events.some(({ type }) => type === 'turn.completed'),
    )
    .toBe(true);

  // Its machine goes away: the page says so, keeps the transcript, and what is typed waits here, over a reload too.
  await person.open(`/s/${id}`);
  await page.getByText('write noted').first().waitFor();
  await b.kill9();
  await page.locator('.away-banner').getByText('is offline. Last known at').waitFor();
  await page.getByText('write noted').first().waitFor();
  await person.say('typed while away');
  await page.getByText('typed while away').first().waitFor();
  await page.reload();
  await page.locator('.away-banner').getByText('is offline').waitFor();
  await page.getByText('typed while away').first().waitFor();
  await b.restart();
  await expect.poll(() => said(b, id)).toEqual(['write noted', 'typed while away']);
  await expect.poll(() => page.locator('.away-banner p').count()).toBe(0);
  await page.getByText('write noted').first().waitFor();

  await person.open('/settings/machines');
  await page.getByText('Reachable').waitFor();
  await page.getByText('This machine', { exact: true }).waitFor();
  expect(person.complaints).toEqual([]);
});
