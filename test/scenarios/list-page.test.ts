import { rm } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { buildWeb } from '../support/browser/build-web.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { pastSessions, withPastSessions } from '../support/replay/replay-index.ts';
import { openReplayServer, type ReplayServer } from '../support/replay/replay-server.ts';
import { sampleSessions } from '../support/replay/sample-sessions.ts';

const found = findChromium();
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const ALL = pastSessions(10_000);
/** Limit for a list of any length. */
const MAX_NODES = 3000;

describe.skipIf('skip' in found)(`the list of all sessions in a real browser${'skip' in found ? ` (${found.skip})` : ''}`, () => {
  let browser: Browser;
  let webRoot: string;
  let replay: ReplayServer;
  let context: BrowserContext;
  let requested: readonly string[];
  let complaints: string[];

  beforeAll(async () => {
    webRoot = await buildWeb();
    if ('path' in found) browser = await sharedChromium(found.path);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(webRoot, { recursive: true, force: true });
  });
  beforeEach(async () => {
    complaints = [];
    replay = await openReplayServer(sampleSessions(), webRoot);
    requested = withPastSessions(replay, { sessions: ALL });
  });
  afterEach(async () => {
    await context?.close();
    await replay?.close();
  });

  async function visit(address: string, viewport = DESKTOP, colorScheme: 'dark' | 'light' = 'dark'): Promise<Page> {
    context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', serviceWorkers: 'block' });
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(replay.url + address);
    return page;
  }

  const list = (page: Page) => page.getByRole('region', { name: 'Sessions' });
  const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);
  const rows = (page: Page) => page.locator('.list-row .row-title').allTextContents();
  const scrollTo = (page: Page, top: number) => list(page).evaluate((area, to) => area.scrollTo(0, to), top);
  const publishStatus = (index: number, fields: object) => {
    const session = { ...ALL[index], ...fields } as (typeof ALL)[number];
    replay.book.tell({ type: 'status', sessionId: session.id, status: session.status, session });
  };

  for (const [name, address, viewport, scheme] of [
    ['the list', 'sessions', DESKTOP, 'dark'],
    ['the list on a phone', 'sessions', PHONE, 'light'],
    ['the list by project', 'sessions?group=project', DESKTOP, 'light'],
    ['the data settings', 'settings/data', PHONE, 'dark'],
  ] as const) {
    test(`${name} has no serious accessibility issue, fits the screen and violates no policy`, async () => {
      const page = await visit(address, viewport, scheme);
      await page.getByText(/Importing 1,204 of 2,000 sessions, about 40 s left/).waitFor();
      const barriers = await accessibilityViolations(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

      expect(barriers).toEqual([]);
      expect(overflow).toBe(0);
      expect(complaints).toEqual([]);
    });
  }

  test('[R231] a list of ten thousand sessions keeps only what is visible and loads the rest while scrolling', async () => {
    const page = await visit('sessions');
    await page.getByText('Past session 0', { exact: true }).waitFor();
    await page.getByText('10,000').waitFor();
    const height = await list(page).evaluate((area) => area.scrollHeight);
    expect(requested.filter((each) => each.startsWith('/api/sessions?')).length).toBeLessThan(4);
    let most = 0;
    for (const share of [0.1, 0.4, 0.7, 1]) {
      await scrollTo(page, height * share);
      most = Math.max(most, await nodes(page));
    }
    await page.getByText('Past session 9999', { exact: true }).waitFor();
    expect(most).toBeLessThan(MAX_NODES);
    expect(await list(page).evaluate((area) => area.scrollHeight)).toBe(height);
  });

  test('[R233] filters are in the address, survive a reload, and are cleared with one click', async () => {
    const page = await visit('sessions');
    await page.getByText('Past session 0', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('session 77');
    await expect.poll(() => rows(page)).toContain('Past session 7700');
    expect(new URL(page.url()).search).toBe('?q=session+77');
    await page.reload();
    await expect.poll(() => rows(page)).toContain('Past session 77');
    await page.getByLabel('Project').selectOption('docs');
    await expect.poll(() => rows(page)).not.toContain('Past session 77');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Past session 0', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('grouped by project, a group shows its count and can be collapsed', async () => {
    const page = await visit('sessions?group=project');
    await page.getByRole('button', { name: /storefront 2,500/ }).click();
    await page.getByText('Past session 1', { exact: true }).waitFor();
    expect(await page.getByText('Past session 0', { exact: true }).count()).toBe(0);
  });

  test('[R232] a changed session shows it at once and moves up only when the pointer is not over the list', async () => {
    const page = await visit('sessions');
    await page.getByText('Past session 3', { exact: true }).hover();
    publishStatus(5, { status: 'busy', control: 'elsewhere', updatedAt: new Date().toISOString() });
    await page.locator('.row-word', { hasText: 'running' }).waitFor();
    expect((await rows(page)).slice(0, 3)).toEqual(['Past session 0', 'Past session 1', 'Past session 2']);
    await page.getByRole('button', { name: '1 session changed' }).waitFor();
    await page.mouse.move(5, 5);
    await expect.poll(async () => (await rows(page))[0]).toBe('Past session 5');
  });

  test('going back restores the scroll position, and keys move down the list and open a session', async () => {
    const page = await visit('sessions');
    await page.getByText('Past session 0', { exact: true }).waitFor();
    await scrollTo(page, 5600);
    await page.getByText('Past session 105', { exact: true }).waitFor();
    const before = await list(page).evaluate((area) => area.scrollTop);
    await page.getByText('Past session 105', { exact: true }).click();
    await page.waitForURL(/\/s\/past105$/);
    await page.goBack();
    await page.getByText('Past session 105', { exact: true }).waitFor();
    await expect.poll(() => list(page).evaluate((area) => area.scrollTop)).toBe(before);
    await scrollTo(page, 0);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-session'))).toBe('past1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/s\/past1$/);
  });
});
