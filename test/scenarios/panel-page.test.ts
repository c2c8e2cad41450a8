import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE } from '../support/browser/person.ts';
import { pastSessions, withPastSessions } from '../support/replay/replay-index.ts';
import type { ReplaySession } from '../support/replay/replay-journals.ts';
import { openReplayServer, type ReplayServer } from '../support/replay/replay-server.ts';
import { manyBusySessions, sampleDeck } from '../support/replay/sample-deck.ts';

const chromium = findChromium();
const WEB = resolve(import.meta.dirname, '../../dist/web');
const missing = 'skip' in chromium ? chromium.skip : existsSync(join(WEB, 'index.html')) ? undefined : 'dist/ is not built (npm run build)';
const PICTURES = resolve(import.meta.dirname, '../../.cache/screenshots');

let browser: Browser;
let replay: ReplayServer;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  mkdirSync(PICTURES, { recursive: true });
  browser = await sharedChromium(chromium.path);
});
afterEach(() => replay?.close());
afterAll(() => browser?.close());

async function visit(
  lines: readonly ReplaySession[],
  viewport = DESKTOP,
  colorScheme: 'dark' | 'light' = 'dark',
  before?: (server: ReplayServer) => void,
): Promise<Page> {
  replay = await openReplayServer(lines, WEB);
  withPastSessions(replay, { sessions: pastSessions(20) });
  before?.(replay);
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', hasTouch: viewport === PHONE });
  const page = await context.newPage();
  await page.goto(replay.url);
  return page;
}

for (const [scheme, viewport] of [
  ['dark', DESKTOP],
  ['light', DESKTOP],
  ['dark', PHONE],
  ['light', PHONE],
] as const) {
  test(`a box in the middle of its day is drawn completely (${scheme}, ${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const page = await visit(sampleDeck(), viewport, scheme);
    await page.locator('.plan .blocks.live').nth(2).waitFor();
    for (const part of ['siding', 'points', 'signals', 'buffers', 'compactions'])
      expect([part, await page.locator(`.plan .${part}`).count()]).not.toEqual([part, 0]);
    expect(await page.locator('.todo-meter').first().getAttribute('aria-label')).toBe('1 of 3 steps done');
    await page.screenshot({ path: join(PICTURES, `panel-day-${viewport.width}-${scheme}.png`) });
    const barriers = await accessibilityViolations(page);
    expect(barriers).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await page.context().close();
  });
}

test('fifty lines are drawn with few elements, aligned with their rows', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await visit(manyBusySessions(50));
  await page.locator('.plan .blocks.live').nth(30).waitFor();
  expect(await page.locator('.panel-row').count()).toBe(50);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000);
  const [rows, plan] = await Promise.all(['.panel-rows', '.plan'].map((selector) => page.locator(selector).boundingBox()));
  expect(plan?.height).toBe(rows?.height);
  await page.screenshot({ path: join(PICTURES, 'panel-fifty.png') });
  await page.context().close();
});

test('when past activity cannot be loaded, the panel says so, draws new activity, and tries again on a click', async ({ skip }) => {
  if (missing) return skip(missing);
  let isBroken = true;
  const page = await visit(sampleDeck(), DESKTOP, 'dark', ({ book }) => {
    const answer = book.http.bind(book);
    book.http = (url) => (url.pathname === '/api/panel' && isBroken ? { nonsense: true } : answer(url));
  });
  await page.getByText('Can’t load past activity').waitFor();
  expect(await page.locator('.panel-row').count()).toBeGreaterThan(4);
  replay.book.append('keys', { type: 'turn.started', turnId: 'late', cause: 'input' });
  await page.locator('.plan .train.live').first().waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.plan .siding').waitFor();
  expect(await page.getByText('Can’t load past activity').count()).toBe(0);
  await page.context().close();
});

test('the chosen time range survives a reload', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await visit(sampleDeck());
  await page.getByText('15 min ago').waitFor();
  await page.getByRole('button', { name: '1 h', exact: true }).click();
  await page.getByText('1 h ago').waitFor();
  await page.reload();
  await page.getByText('1 h ago').waitFor();
  expect(await page.getByRole('button', { name: '1 h', exact: true }).getAttribute('aria-pressed')).toBe('true');
  await page.context().close();
});
