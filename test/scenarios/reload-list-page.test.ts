import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { isBuilt } from '../../scripts/lib/sources.mjs';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signIn } from '../support/browser/person.ts';
import { STORY_MS, tell } from '../support/browser/reload.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { keeping } from '../support/stories/organizing.ts';

const chromium = findChromium();
const missing = 'skip' in chromium ? chromium.skip : isBuilt() ? undefined : 'dist/ is not built (npm run build)';

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

// On its own server: sessions of other stories would change its figures, lists and tiles.
test(`[R255] at every step of a story a reload shows the same screen (${keeping.name})`, { timeout: STORY_MS }, async ({ skip }) => {
  if (missing) return skip(missing);
  await tell(await signIn(browser, server), keeping.steps(server));
});
