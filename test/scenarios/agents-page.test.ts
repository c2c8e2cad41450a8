import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBuilt } from '../../scripts/lib/sources.mjs';
import type { AgentDescription } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE, signIn } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const chromium = findChromium();
const missing = 'skip' in chromium ? chromium.skip : isBuilt() ? undefined : 'dist/ is not built (npm run build)';
const AGENT = 'acp:toy';

let server: TestServer;
let browser: Browser;
let folder: string;
/** The path of a program that is installed during the test. */
let laterPath: string;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  folder = mkdtempSync(join(tmpdir(), 'signalbox-agents-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const command = resolve(import.meta.dirname, '../fixtures/asks-over-acp.mjs');
  laterPath = join(folder, 'later.mjs');
  const agents = {
    [AGENT]: { title: 'Toy', command },
    'acp:old': { title: 'Old', command, interpreter: '/not/there' },
    'acp:later': { title: 'Later', command: laterPath, interpreter: process.execPath },
  };
  writeFileSync(join(data, 'config.json'), JSON.stringify({ agents }));
  server = await startServer({ from: 'dist', data });
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

for (const [where, viewport] of [
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
] as const) {
  test(`on ${where}, features of a new agent are detected at its first start; then only those are offered, and one line lists the missing ones`, async ({
    skip,
  }) => {
    if (missing) return skip(missing);
    const { page, complaints, open } = await signIn(browser, server, viewport);
    if (viewport === DESKTOP) {
      await page
        .getByRole('button', { name: /New session/ })
        .first()
        .click();
      await page.getByRole('radio', { name: /Toy/ }).check();
      await page.getByText('Features are detected when it first starts.').waitFor();
      await page.getByText(/^Not installed: .*Old/).click();
      await page.getByText('needs /not/there (agents.acp:old.interpreter of config.json), which is not installed here').waitFor();
      await page.keyboard.press('Escape');
    }

    const session = (await api<Session>(server, 'POST', '/api/sessions', { agent: AGENT, cwd: server.project, prompt: 'hello' })).body;
    await open(`/s/${session.id}`);
    const card = page.locator('[data-request]').first();
    // A card accepts keys and clicks a moment after it appears.
    await card.locator('[aria-keyshortcuts="y"]').waitFor();
    expect(await card.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
    await page.keyboard.press('e');
    expect(await card.getByRole('textbox').count()).toBe(0);
    await card.getByRole('button', { name: /^Allow/ }).click();
    await page.getByText('You said yes.').waitFor();

    await page.getByRole('button', { name: 'More', exact: true }).click();
    const line = page.getByText(/^Not supported: /);
    expect(await line.textContent()).toBe(
      'Not supported: editing tool calls, steering, resuming, forking, showing its thinking, thinking levels, choosing a model, cost, subagents',
    );
    expect(await page.locator('.popup').getByRole('button', { name: /^Fork/ }).count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
}

test('a rescan finds an agent that was installed in the meantime, and its row shows the interpreter and where its features come from', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page, open } = await signIn(browser, server);
  await open('/settings/agents');
  const row = page.locator('[data-agent="acp:later"]');
  await row.getByText('Not installed', { exact: true }).waitFor();
  copyFileSync(resolve(import.meta.dirname, '../fixtures/asks-over-acp.mjs'), laterPath);
  await page.getByRole('button', { name: 'Rescan' }).click();
  await row.getByText(`Runs with ${process.execPath}`).waitFor();
  await page.getByText('Scanned just now').waitFor();
  expect(await row.getByText('Not installed', { exact: true }).count()).toBe(0);
  await row.locator('summary').click();
  await row.getByText('Assumed. The agent reports its features when it first starts.').waitFor();
  await page.context().close();
});

test('the server remembers the features that an agent reported', async ({ skip }) => {
  if (missing) return skip(missing);
  const { agents } = (await api<{ agents: AgentDescription[] }>(server, 'GET', '/api/agents')).body;
  expect(agents.find(({ id }) => id === AGENT)).toMatchObject({
    capabilitiesBy: 'told',
    capabilities: { images: true, permissions: true, resume: false, modes: ['default', 'plan'] },
  });
});
