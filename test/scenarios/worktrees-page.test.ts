import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signedInContext } from '../support/browser/signed-in.ts';
import { api } from '../support/client.ts';
import { createRepository, openRepository, type TestRepository } from '../support/git-repository.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Set to a folder to look at the screens. */
const SHOTS = process.env.SIGNALBOX_SHOTS;

let server: TestServer;
let browser: Browser;
let repo: TestRepository;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist' });
  browser = await sharedChromium(chromium.path);
  repo = createRepository(join(server.project, 'shop'), {
    'readme.md': 'shop\n',
    '.gitignore': '.env\n',
    '.worktreeinclude': '.env\n',
    'setup.sh': 'echo installed\n',
    '.signalbox.json': JSON.stringify({ scripts: { setup: 'sh setup.sh' } }),
  });
  repo.write('.env', 'KEY=1\n');
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function open(address: string, viewport = DESKTOP, theme: 'dark' | 'light' = 'dark'): Promise<Page> {
  const context = await signedInContext(browser, server, { viewport, colorScheme: theme });
  const page = await context.newPage();
  await page.goto(`${server.url}/${address}`);
  return page;
}

const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
};

test('[R322] from the switch in New session to what a removal would lose and the merged worktree, by page alone', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('');
  await page
    .getByRole('button', { name: /New session/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByLabel('Project folder').fill(repo.path);
  await dialog.getByLabel('First message').fill('write by the worktree');
  await dialog.getByRole('checkbox', { name: 'Work in its own worktree' }).check();
  await dialog.getByLabel('Branch name (optional)').fill('login');
  await dialog.getByText(/Copies \.env .*Setup script \(you are asked first\): sh setup\.sh/).waitFor();
  await shoot(page, 'new-session');
  await dialog.getByRole('button', { name: 'Start' }).click();
  // The card shows the exact text; nothing ran before.
  await page.getByText('wants to run the repository’s setup script').first().waitFor();
  await shoot(page, 'card');
  await page.getByRole('button', { name: /^Trust in/ }).click();
  await page.getByText('The worktree is ready').waitFor();
  await page.getByRole('link', { name: /Worktree login/ }).waitFor();
  const allow = page.getByRole('button', { name: 'Allow', exact: false }).first();
  await allow.waitFor();
  await allow.focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^Done/).first().waitFor();
  await shoot(page, 'session');

  await page.goto(`${server.url}/worktrees`);
  const row = page.getByRole('listitem', { name: 'signalbox/login' });
  await row.getByText('1 changed file', { exact: true }).waitFor();
  await shoot(page, 'worktrees');
  expect(await accessibilityViolations(page)).toEqual([]);
  await row.getByRole('button', { name: 'Remove…' }).click();
  const losses = page.getByRole('dialog', { name: /Remove the worktree/ });
  await losses.getByText('demo-notes.md').waitFor();
  await shoot(page, 'remove');
  await page.keyboard.press('Escape');
  const folder = (await row.locator('.worktree-path').textContent()) ?? '';
  openRepository(folder).commit('notes');
  await row.getByRole('button', { name: 'Merge…' }).click();
  const merge = page.getByRole('dialog', { name: /Merge signalbox\/login/ });
  await merge.getByText('No conflicts. 1 file changes:').waitFor();
  await shoot(page, 'merge');
  await merge.getByRole('button', { name: 'Merge into main' }).click();
  await expect.poll(() => existsSync(join(repo.path, 'demo-notes.md'))).toBe(true);
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('KEY=1\n');
});

test('an owner’s own scripts win over those in the repository, and a running run script has a link to its port and can be stopped', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('worktrees');
  await page.getByRole('button', { name: 'Scripts…' }).click();
  const form = page.getByRole('dialog', { name: 'Scripts of this repository' });
  await form.getByText('These are from .signalbox.json.').waitFor();
  await expect.poll(() => form.getByLabel('Setup').inputValue()).toBe('sh setup.sh');
  await form.getByLabel('Setup').fill('');
  const serve = `require('node:http').createServer((_, a) => a.end('hello')).listen(process.env.SIGNALBOX_DEV_PORT, '127.0.0.1')`;
  await form.getByLabel('Run').fill(`"${process.execPath}" -e "${serve}"`);
  await shoot(page, 'scripts');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  const body = { agent: 'demo', cwd: repo.path, worktree: { name: 'serve' } };
  const { body: session } = await api<Session>(server, 'POST', '/api/sessions', body);
  const row = page.getByRole('listitem', { name: 'signalbox/serve' });
  await row
    .getByText('Ready')
    .or(row.getByRole('button', { name: 'Archive' }))
    .first()
    .waitFor();
  const found = await waitFor('the worktree', async () => (await api<Session>(server, 'GET', `/api/sessions/${session.id}`)).body.worktree);
  expect((await api(server, 'POST', `/api/worktrees/${found.id}/run`, {})).status).toBe(202);
  await page.goto(`${server.url}/s/${session.id}`);
  const link = page.getByRole('link', { name: `Open 127.0.0.1:${found.devPort}` });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`http://127.0.0.1:${found.devPort}/`);
  await shoot(page, 'port');
  await page.goto(`${server.url}/worktrees`);
  await row.getByRole('button', { name: 'Stop run script' }).click();
  await page.goto(`${server.url}/s/${session.id}`);
  await page.getByRole('link', { name: /Worktree serve/ }).waitFor();
  await link.waitFor({ state: 'detached' });
  await page.context().close();
});

test('on a phone, dark and light, the list fits and its buttons can be reached', async ({ skip }) => {
  if (missing) return skip(missing);
  for (const theme of ['dark', 'light'] as const) {
    const page = await open('worktrees', PHONE, theme);
    await page.getByRole('listitem', { name: 'signalbox/login' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await shoot(page, `phone-${theme}`);
  }
  const page = await open('worktrees', DESKTOP, 'light');
  await page.getByRole('listitem', { name: 'signalbox/login' }).waitFor();
  await shoot(page, 'worktrees-light');
});
