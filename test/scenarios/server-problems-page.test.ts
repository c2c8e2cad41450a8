import { existsSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';

describe.skipIf(missing !== undefined)(`a server with problems${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: TestServer;
  let browser: Browser;
  let id: Session['id'];
  beforeAll(async () => {
    if ('skip' in chromium) return;
    server = await startServer({ from: 'dist' });
    id = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'hello' })).body.id;
    await waitFor('its agent to be idle', async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.status === 'idle');
    browser = await sharedChromium(chromium.path);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const viewport of [DESKTOP, PHONE]) {
    test(`[R301] a page of ${viewport.width} px shows a server problem until it is resolved, even when the page is opened in the meantime`, async () => {
      const { page, open, complaints } = await signInWithoutPage(browser, server, viewport);
      const later = await signInWithoutPage(browser, server, viewport);
      await open(`/s/${id}`);
      await page.getByLabel('Message', { exact: true }).waitFor();
      const banner = (on: typeof page) => on.locator('.problem-bar p', { hasText: 'check on running agents' });
      expect(await banner(page).count()).toBe(0);
      const away = `${server.data}-away`;
      renameSync(server.data, away);
      try {
        await banner(page).waitFor();
        expect(await banner(page).innerText()).toMatch(
          /data\S* is missing \(was it moved\?\)\. Signalbox can't .*check on running agents.*\. It keeps trying\.$/,
        );
        await later.open('/');
        await banner(later.page).waitFor();
        expect(await later.page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
        const box = await page.getByLabel('Message', { exact: true }).boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height); // it pushes nothing off the screen
      } finally {
        renameSync(away, server.data);
      }
      await banner(page).waitFor({ state: 'detached' });
      await banner(later.page).waitFor({ state: 'detached' });
      expect([...complaints, ...later.complaints]).toEqual([]);
    });
  }
});
