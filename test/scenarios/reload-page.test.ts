import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signIn, signInWithoutPage } from '../support/browser/person.ts';
import { STORY_MS, type Story, tell } from '../support/browser/reload.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { answers } from '../support/stories/answers.ts';
import { thumb } from '../support/stories/phone.ts';
import { queue } from '../support/stories/queue.ts';
import { recorded, recordedServer } from '../support/stories/recorded.ts';
import { rough } from '../support/stories/rough.ts';
import { settings } from '../support/stories/settings.ts';
import { work } from '../support/stories/work.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '30' } });
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Run one after the other on one server, each as another person. The first one starts on an empty server. */
const STORIES: readonly Story[] = [work, rough, answers, queue, settings, thumb];

for (const { name, viewport, steps } of STORIES) {
  test(`[R255] at every step of a story a reload shows the same screen (${name})`, { timeout: STORY_MS }, async ({ skip }) => {
    if (missing) return skip(missing);
    await tell(await signIn(browser, server, viewport), steps(server));
  });
}

test(`[R255] at every step of a story a reload shows the same screen (${recorded.name})`, { timeout: STORY_MS }, async ({ skip }) => {
  if (missing) return skip(missing);
  const replay = await recordedServer(resolve(import.meta.dirname, '../../dist/web'));
  onTestFinished(() => replay.close());
  await tell(await signInWithoutPage(browser, { url: replay.url.replace(/\/$/, ''), token: '' }), recorded.steps(server));
});

test('back and forward lead to the same addresses and screens', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page } = await signIn(browser, server);
  const seen: string[] = [];
  for (const [keys, heading] of [
    ['gs', 'All sessions'],
    ['gu', 'Usage'],
    ['gi', 'Needs you'],
  ] as const) {
    await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    seen.push(page.url());
  }
  await page.goBack();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'All sessions' }).waitFor();
  expect(page.url()).toBe(seen[0]);
  await page.goForward();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  expect(page.url()).toBe(seen[1]);
});
