import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditList } from '../../src/protocol/api/audit.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { RuleInUse } from '../../src/protocol/rule.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signedInContext } from '../support/browser/signed-in.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { pressUntil } from '../support/stories/acts.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

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

test('a rule is tested against past calls, created, answers requests, is narrowed, and is revoked', async ({ skip }) => {
  if (missing) return skip(missing);
  await allow(await ask('run echo one'));
  const page = await open('settings/rules');
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByLabel('Pattern').fill('echo *');
  await page.getByText('Would have allowed 1 of 1 past call').waitFor();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('never used').waitFor();
  const id = await start('run echo two');
  await expect.poll(async () => (await rules())[0]?.uses).toBe(1);
  expect(await pendingIn(id)).toEqual([]);

  await page.getByRole('button', { name: 'Narrow' }).click();
  await page.getByLabel('Pattern').fill('echo three');
  await page.getByRole('button', { name: 'Replace rule' }).click();
  await page.getByText('echo three').waitFor();
  expect((await rules()).map(({ command }) => command)).toEqual(['echo three']);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Yes, revoke' }).click();
  await page.getByText('No rules yet').waitFor();
});

test('"Always" on a card creates a rule, and its decisions name it', async ({ skip }) => {
  if (missing) return skip(missing);
  const request = await ask('run echo always');
  const page = await open('inbox');
  await page.locator(`[data-request="${request.requestId}"] [aria-keyshortcuts="r"]`).waitFor();
  await page.keyboard.press('r');
  await page.getByLabel('Everywhere on this server').check();
  await page.getByRole('button', { name: 'Allow and remember' }).click();
  await expect.poll(async () => (await rules()).length).toBe(1);
  const id = await start('run echo always');
  await page.goto(`${server.url}/s/${id}`);
  await page.getByText(/The rule “.*” allowed this/).waitFor();
});

for (const size of [DESKTOP, PHONE]) {
  test(`[R354] [R355] at ${size.width} px, the command is first and once on its card, and "Always in …" starts with that folder`, async ({ skip }) => {
    if (missing) return skip(missing);
    const line = `echo card-${size.width}`;
    const request = await ask(`run ${line}`);
    const page = await open(`s/${request.sessionId}`, size);
    const card = page.locator(`[data-request="${request.requestId}"]`);
    const always = card.getByRole('button', { name: /^Always in / });
    await always.waitFor();
    const text = await card.innerText();
    expect(text.split(line)).toHaveLength(2);
    const [command, facts] = [await card.locator('.command').boundingBox(), await card.locator('.request-facts').boundingBox()];
    expect(command?.y).toBeLessThan(facts?.y ?? 0);
    const folder = /^Always in (.*)…/.exec((await always.innerText()).trim())?.[1];
    const inFolder = card.getByLabel(`In ${folder} and its subfolders`);
    await pressUntil(always, inFolder);
    expect(await inFolder.isChecked()).toBe(true);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await expect.poll(async () => (await pendingIn(request.sessionId)).length).toBe(0);

    const impossible = await ask('run signalbox answer any allow');
    await page.goto(`${server.url}/s/${impossible.sessionId}`);
    const other = page.locator(`[data-request="${impossible.requestId}"]`);
    await other.getByText('No rule can allow this: it uses Signalbox').waitFor();
    expect(await other.getByRole('button', { name: /^Always/ }).isDisabled()).toBe(true);
    await allow(impossible);
  });
}

test('[R353] the rule form says what a broad rule gives away before it is created', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('settings/rules', PHONE);
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByLabel('Pattern').fill('git *');
  await page.getByText(/What this gives away.*hooks run/).waitFor();
  await page.getByLabel('Pattern').fill('git status');
  await expect.poll(() => page.getByText('What this gives away').count()).toBe(0);
  await page.getByLabel('Applies to').selectOption('tool');
  await page.getByLabel(/^Tool/).fill('Bash');
  await page.getByText(/What this gives away.*scripts and tests/).waitFor();
});

test('a driver can remember for the session only, and the card says so', async ({ skip }) => {
  if (missing) return skip(missing);
  const { body } = await api<{ token: string }>(server, 'POST', '/api/tokens', { name: 'dora', role: 'driver' });
  const request = await ask('run echo driver');
  const page = await open('inbox', DESKTOP, 'dark', body.token);
  const card = page.locator(`[data-request="${request.requestId}"]`);
  const everywhere = card.getByLabel(/^Everywhere on this server/);
  await pressUntil(card.getByRole('button', { name: 'Always' }), everywhere);
  await card.getByText('owners only; you are a driver').first().waitFor();
  expect(await everywhere.isDisabled()).toBe(true);
  await card.getByRole('button', { name: 'Cancel' }).click();
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect.poll(async () => (await pendingIn(request.sessionId)).length).toBe(0);
});

test('a token is created, its secret is shown once, and it is revoked', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('settings/people');
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Create token' }).click();
  const address = await page.locator('.secret-line code').textContent();
  const token = new URL(address ?? '').searchParams.get('token') ?? '';
  expect((await api({ url: server.url, token }, 'GET', '/api/sessions')).status).toBe(200);
  await page.reload();
  await page.getByText('anna').waitFor();
  expect(await page.locator('.secret-line').count()).toBe(0);
  await page.locator('.token-row', { hasText: 'anna' }).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Yes, revoke' }).click();
  await expect.poll(async () => (await api({ url: server.url, token }, 'GET', '/api/sessions')).status).toBe(401);
});

test('the audit shows who decided what, can be filtered, and can be exported', async ({ skip }) => {
  if (missing) return skip(missing);
  await allow(await ask('run echo audited'));
  const page = await open('settings/audit');
  await page.locator('.audit-list li').first().waitFor();
  await page.getByLabel(/^Action/).selectOption('permission.resolved');
  await page.getByLabel('Contains').fill('audited');
  await expect.poll(() => page.locator('.audit-list li').count()).toBe(1);
  const { body } = await api<AuditList>(server, 'GET', '/api/audit?q=audited&action=permission.resolved');
  expect(body.entries).toHaveLength(1);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toContain('audited');
});

test('moving from tab to tab logs no errors', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('settings/agents');
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  for (const tab of ['Rules', 'Audit', 'People', 'About']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await page.waitForURL(`**/settings/${tab.toLowerCase()}`);
    await page.getByRole('link', { name: tab, exact: true }).and(page.locator('.active')).waitFor();
  }
  expect(complaints).toEqual([]);
});

for (const [scheme, width] of [
  ['dark', 1440],
  ['light', 390],
] as const) {
  for (const [address, words] of [
    ['rules', 'Rules answer requests for you'],
    ['audit', 'Every decision is kept'],
    ['people', 'Everyone signs in'],
  ] as const) {
    test(`the ${address} settings have no serious accessibility issue and fit the screen (${scheme}, ${width} px)`, async ({ skip }) => {
      if (missing) return skip(missing);
      const page = await open(`settings/${address}`, { width, height: 844 }, scheme);
      await page.getByText(words).waitFor();
      const barriers = await accessibilityViolations(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

      expect(barriers).toEqual([]);
      expect(overflow).toBe(0);
    });
  }
}

async function start(prompt: string): Promise<string> {
  return (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt })).body.id;
}

/** Starts a session with this prompt and waits for the agent's request. */
async function ask(prompt: string): Promise<WaitingPermission> {
  const id = await start(prompt);
  await expect.poll(async () => (await pendingIn(id)).length).toBe(1);
  const [request] = await pendingIn(id);
  if (request === undefined) throw new Error(`"${prompt}" has no pending request`);
  return request;
}

const pendingIn = async (id: string): Promise<WaitingPermission[]> =>
  (await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${id}`)).body.permissions;
const rules = async (): Promise<RuleInUse[]> => (await api<{ rules: RuleInUse[] }>(server, 'GET', '/api/rules')).body.rules;
const allow = ({ requestId }: WaitingPermission) => api(server, 'POST', `/api/permissions/${encodeURIComponent(requestId)}`, { behavior: 'allow' });

async function open(path: string, viewport = DESKTOP, colorScheme: 'dark' | 'light' = 'dark', token = server.token): Promise<Page> {
  const context = await signedInContext(browser, { url: server.url, token }, { viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${server.url}/${path}`);
  return page;
}
