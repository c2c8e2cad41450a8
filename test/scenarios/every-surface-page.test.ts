import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enlarged, faultsOf, openWalker } from '../support/browser/check-surfaces.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { focusFaultsOf } from '../support/browser/focus-walk.ts';
import { DESKTOP, PHONE } from '../support/browser/person.ts';
import { SURFACES } from '../support/browser/surfaces.ts';
import { type DemoSessions, furnish } from '../support/demo-sessions.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const chromium = findChromium();
const isBuilt = existsSync(join(ROOT, 'dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
/** Enough for about thirty surfaces, each with a full accessibility audit, on a busy machine. */
const WALK_MS = 900_000;

let server: TestServer;
let browser: Browser;
let setup: DemoSessions;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
  setup = await furnish(server);
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('[R269] every surface obeys the policy, has no serious accessibility issue, fits and logs no errors, in both themes, with text at 200 % and zoomed to 200 %, and Tab focus is always visible (1440 px)', {
  timeout: WALK_MS,
}, async ({ skip }) => {
  if (missing) return skip(missing);
  const moreFaults = async (page: Page, name: string) => [...(await enlarged(page, name, '1440', DESKTOP)), ...(await focusFaultsOf(page))];
  expect(await faultsOf(await openWalker(browser, server, DESKTOP), SURFACES, setup, '1440', moreFaults)).toEqual({});
});

test('every surface obeys the policy, has no serious accessibility issue, fits and logs no errors, in both themes and with text at 200 % (390 px)', {
  timeout: WALK_MS,
}, async ({ skip }) => {
  if (missing) return skip(missing);
  expect(await faultsOf(await openWalker(browser, server, PHONE), SURFACES, setup, '390')).toEqual({});
});
