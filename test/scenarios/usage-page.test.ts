import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageQuery } from '../../src/protocol/api/usage.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signedInContext } from '../support/browser/signed-in.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { sampleUsageReader } from '../support/replay/sample-usage.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let server: TestServer;
let browser: Browser;
let answer: ReturnType<typeof sampleUsageReader>;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist' });
  browser = await sharedChromium(chromium.path);
  answer = sampleUsageReader(server.home, Date.now());
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('usage is shown by day, model, project and agent, and models without a price are named', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('usage');
  await page.getByText('No price known for local-7b').waitFor();
  for (const name of ['By day', 'By model', 'By project', 'By agent']) await page.getByRole('region', { name }).waitFor();
  const total = answer({ from: daysAgo(29), to: daysAgo(0) }).total;
  await page.getByText(`at least $${total.costUsd.toFixed(2)}`).waitFor();
  await page.getByRole('row', { name: /^local-7b –/ }).waitFor();
  expect(await page.locator('.day-plot canvas').count()).toBe(1);
});

test('range, unit and day can be chosen with the keyboard alone', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('usage');
  await page.getByRole('radio', { name: '30 days' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.getByRole('radio', { name: '7 days' }).isChecked()).toBe(true);
  await expect.poll(() => page.getByRole('slider', { name: 'Day' }).getAttribute('max')).toBe('6');
  await page.getByRole('radio', { name: 'Cost' }).focus();
  await page.keyboard.press('ArrowRight');
  const before = await page.locator('.day-words').textContent();
  await page.getByRole('slider', { name: 'Day' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.locator('.day-words').textContent()).not.toBe(before);
});

test('hovering over a bar shows its day', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('usage');
  const before = await page.locator('.day-words p').textContent();
  await page.locator('.day-plot .u-over').hover({ position: { x: 300, y: 80 } });
  await expect.poll(() => page.locator('.day-words p').textContent()).not.toBe(before);
});

test('while past sessions are still being imported the page says so, and polls until they are', async ({ skip }) => {
  if (missing) return skip(missing);
  let isComplete = false;
  const page = await open('usage', DESKTOP, 'dark', () => isComplete);
  await page.getByText('Still importing past sessions').waitFor();
  isComplete = true;
  await page.getByText('Still importing past sessions').waitFor({ state: 'detached' });
});

test('an error from the server is shown with its message', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await blank(DESKTOP, 'dark');
  await page.route('**/api/usage?*', (route) => route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'The library is being built anew.' } } }));
  await page.goto(`${server.url}/usage`);
  await page.getByText('The library is being built anew.').waitFor();
});

for (const [scheme, viewport] of [
  ['dark', DESKTOP],
  ['light', DESKTOP],
  ['dark', PHONE],
  ['light', PHONE],
] as const) {
  test(`the usage page has no serious accessibility issue and fits the screen (${scheme}, ${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const problems: string[] = [];
    const page = await open('usage', viewport, scheme, () => true, problems);
    await page.locator('.day-plot canvas').waitFor();
    const barriers = await accessibilityViolations(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

    expect(barriers).toEqual([]);
    expect(overflow).toBe(0);
    expect(problems).toEqual([]);
  });
}

test('the header of a session opens its health, with a new session one click away', async ({ skip }) => {
  if (missing) return skip(missing);
  const { body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'hello' });
  await expect.poll(async () => (await api<Session>(server, 'GET', `/api/sessions/${body.id}`)).body.status).toBe('idle');
  const page = await open(`s/${body.id}`);
  await page.getByRole('button', { name: /^Health/ }).click();
  await page.getByText('The agent doesn’t report').waitFor();
  // It loads late and must still stay inside the window.
  await expect.poll(() => page.locator('.health-panel').evaluate((panel) => panel.getBoundingClientRect().right <= innerWidth)).toBe(true);
  const barriers = await accessibilityViolations(page);
  expect(barriers).toEqual([]);
  await page.getByRole('button', { name: /^New session with summary…/ }).click();
  await page.getByRole('dialog', { name: 'New session with summary' }).waitFor();
});

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function open(path: string, viewport = DESKTOP, colorScheme: 'dark' | 'light' = 'dark', isComplete = () => true, problems: string[] = []): Promise<Page> {
  const page = await blank(viewport, colorScheme);
  // A style or script that the server's policy blocks is reported here.
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.route('**/api/usage?*', (route) => {
    const query = UsageQuery.parse(Object.fromEntries(new URL(route.request().url()).searchParams));
    return route.fulfill({ json: { ...answer(query), whole: isComplete() } });
  });
  await page.goto(`${server.url}/${path}`);
  return page;
}

async function blank(viewport: { readonly width: number; readonly height: number }, colorScheme: 'dark' | 'light'): Promise<Page> {
  const context = await signedInContext(browser, server, { viewport, colorScheme, reducedMotion: 'reduce', serviceWorkers: 'block' });
  return context.newPage();
}
