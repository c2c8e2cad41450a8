import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist' });
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('a page of the built server recovers without a reload after the server is killed and restarted', async ({ skip }) => {
  if (missing) return skip(missing);
  const { body: session } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'write from the browser' });
  const page = await open(`/s/${session.id}`);
  await seen(page, 'if you allow it');
  await page.evaluate('window.neverReloaded = true');
  await server.kill9();
  await server.restart();
  const { body } = await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${session.id}`);
  await api(server, 'POST', `/api/permissions/${encodeURIComponent(body.permissions[0]?.requestId ?? '')}`, { behavior: 'allow' });
  await seen(page, 'Done. The change is shown above');
  expect(await page.getByText('if you allow it').count()).toBe(1);
  expect(await page.getByText('Done. The change is shown above').count()).toBe(1);
  expect(await page.evaluate('window.neverReloaded')).toBe(true);
});

/** Signs in through the link with the token, like a person would, and opens a page. */
async function open(path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${server.url}/?token=${server.token}`);
  await page.goto(`${server.url}${path}`);
  return page;
}

const seen = (page: Page, text: string): Promise<void> => page.getByText(text).first().waitFor();
