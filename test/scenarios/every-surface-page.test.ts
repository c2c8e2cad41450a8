import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESK, PHONE } from '../support/browser/person.ts';
import { SURFACES } from '../support/browser/surfaces.ts';
import { faultsOf, openWalker } from '../support/browser/walker.ts';
import { type Furnished, furnish } from '../support/furnished.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const chromium = findChromium();
const isBuilt = existsSync(join(ROOT, 'dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
/** About thirty surfaces, each with a whole audit, on a busy machine. */
const WALK_MS = 900_000;

let server: TestServer;
let browser: Browser;
let house: Furnished;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
  house = await furnish(server);
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const SIZES = [
  ['1440', DESK],
  ['390', PHONE],
] as const;

for (const [size, viewport] of SIZES) {
  test(`every surface keeps the policy, has no serious barrier, fits and complains of nothing, in both themes and with text of 200 % (${size} px)`, {
    timeout: WALK_MS,
  }, async ({ skip }) => {
    if (missing) return skip(missing);
    expect(await faultsOf(await openWalker(browser, server, viewport), SURFACES, house, size)).toEqual({});
  });
}
