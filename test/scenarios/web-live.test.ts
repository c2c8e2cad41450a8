import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const found = findChromium();
const isBuilt = existsSync(join(resolve(import.meta.dirname, '../..'), 'dist/web/index.html'));
/** Slow enough to be killed mid-sentence. */
const PACE = { DEMO_AGENT_PACE_MS: '15' };

describe.skipIf('skip' in found || !isBuilt)('a browser with the real server', () => {
  let browser: Browser;
  let server: TestServer;
  let page: Page;

  beforeAll(async () => {
    if ('path' in found) browser = await sharedChromium(found.path);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    server = await startServer({ env: PACE });
    page = await browser.newPage();
    await page.goto(`${server.url}/?token=${server.token}`);
  });
  afterEach(async () => {
    await page?.close();
    await server?.close();
  });

  async function start(prompt: string): Promise<void> {
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByLabel('Project folder').fill(server.project);
    await page.getByLabel('First message').fill(prompt);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.row-user').first().waitFor();
  }

  async function eventsOf(type: string): Promise<readonly { readonly text?: string }[]> {
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const answer = await fetch(`${server.url}/api/sessions/${id}/events?after=0&limit=1000`, { headers: { authorization: `Bearer ${server.token}` } });
    const { events } = (await answer.json()) as { events: readonly { readonly type: string; readonly text?: string }[] };
    return events.filter((event) => event.type === type);
  }

  test('when the server dies mid-sentence, the turn continues, and the page shows all of it once, without a reload', async () => {
    await start('long 120');
    const field = page.getByLabel('Message', { exact: true });
    await page.locator('.sign-live').first().waitFor();
    await server.kill9();
    await page.getByText(/No connection|Reconnecting/).waitFor();
    await field.fill('echo kept while nobody listened');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('not sent yet', { exact: true }).waitFor();
    await server.restart();
    await page.locator('.row-user', { hasText: 'kept while nobody listened' }).waitFor();
    await expect.poll(() => page.locator('.row-turn').count()).toBe(2);

    expect((await eventsOf('input.accepted')).map((event) => event.text)).toEqual(['long 120', 'echo kept while nobody listened']);
    expect(await page.locator('.row-user').count()).toBe(2);
    expect(await page.locator('.row-text').count()).toBe((await eventsOf('assistant.text')).length);
  });

  test('a pending request survives a server kill and is answered from the page', async () => {
    await start('run');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await server.restart();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('You allowed this').waitFor();
    await page.locator('.row-turn').waitFor();

    expect(await eventsOf('permission.resolved')).toHaveLength(1);
  });

  test('pressing Esc twice interrupts a turn', async () => {
    await start('long 2000');
    await page.getByRole('button', { name: /^Interrupt/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Esc again to interrupt/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Interrupted').first().waitFor();

    expect(await eventsOf('turn.completed')).toMatchObject([{ interrupted: true }]);
  });
});
