import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { type Person, PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { type DemoSessions, furnish, pendingRequestsOf } from '../support/demo-sessions.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';

describe.skipIf(missing !== undefined)(`the frame around every surface${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: TestServer;
  let browser: Browser;
  let setup: DemoSessions;
  beforeAll(async () => {
    if ('skip' in chromium) return;
    server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
    setup = await furnish(server);
    browser = await sharedChromium(chromium.path);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const at = async (path: string, viewport?: typeof PHONE): Promise<Person> => {
    const person = await signInWithoutPage(browser, server, viewport);
    await person.open(path);
    await person.page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
    return person;
  };
  const line = (page: Page) => page.locator('[role="option"][aria-selected="true"]');
  const field = (page: Page) => page.getByRole('combobox');
  const one = async (id: string) => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;

  describe('the palette', () => {
    test('a few letters find an action, and Enter runs it', async () => {
      const { page } = await at('/');
      await page.keyboard.press('Control+k');
      await field(page).fill('usa');
      expect(await line(page).textContent()).toContain('Go to usage');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/usage');
    });

    test('a session is found and opened; the field keeps the focus and references the selected option', async () => {
      const { page } = await at('/usage');
      await page.keyboard.press('Control+k');
      await field(page).fill('signing');
      await line(page).getByText('Rotate the signing keys').waitFor();
      const active = await field(page).getAttribute('aria-activedescendant');
      expect(await line(page).getAttribute('id')).toBe(active);
      expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/s/${setup.done}`);
    });

    test('an action opens its dialog, even if it has to be loaded first', async () => {
      for (const [words, heading] of [
        ['new session', 'New session'],
        ['keyboard shortcuts', 'Keyboard shortcuts'],
      ] as const) {
        const { page } = await at('/');
        await page.keyboard.press('Control+k');
        await field(page).fill(words);
        await page.getByRole('option', { name: heading }).first().waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').getByRole('heading', { name: heading }).waitFor();
      }
    });

    test('an action with choices lists them; Esc goes back one step and then closes', async () => {
      const { page } = await at('/');
      await page.keyboard.press('Control+k');
      await field(page).fill('theme');
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: 'Light' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('option', { name: 'New session' }).waitFor();
      await field(page).fill('theme');
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: 'Light' }).click();
      await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('light');
      await field(page).waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await field(page).waitFor();
      await page.keyboard.press('Escape');
      await field(page).waitFor({ state: 'detached' });
    });

    test('in a session it has the actions for that session', async () => {
      const { page } = await at(`/s/${setup.failed}`);
      await page.keyboard.press('Control+k');
      await field(page).fill('archive');
      await line(page).getByText('Archive', { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await waitFor('the session to be archived', async () => (await one(setup.failed)).archived === true);
      await page.keyboard.press('Control+k');
      await field(page).fill('unarchive');
      await line(page).getByText('Unarchive').waitFor();
      await page.keyboard.press('Enter');
      await waitFor('the session to be unarchived', async () => (await one(setup.failed)).archived !== true);
    });

    test('words without a match can be searched for in everything', async () => {
      const { page } = await at('/');
      await page.keyboard.press('Control+k');
      await field(page).fill('zebra crossing');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/search?q=zebra*crossing');
    });

    test('on a phone the bottom bar opens it', async () => {
      const { page } = await at('/', PHONE);
      await page.getByRole('button', { name: 'More' }).tap();
      await page.getByRole('option', { name: 'Go to sessions side by side' }).tap();
      await page.waitForURL('**/tiles');
    });
  });

  describe('side by side', () => {
    const shown = (page: Page) => page.locator('.tile').evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('data-tile')));
    const address = (...ids: string[]) => `/tiles?s=${ids.join(',')}`;

    test('several sessions are live over one socket, each with its transcript and composer; a message goes to its own tile', async () => {
      const { page } = await at('/');
      const sockets: string[] = [];
      page.on('websocket', (socket) => sockets.push(socket.url()));
      await page.goto(`${server.url}${address(setup.done, setup.running, setup.waiting)}`);
      for (const id of [setup.done, setup.running, setup.waiting]) await page.locator(`[data-tile="${id}"] .row`).first().waitFor();
      const tile = page.locator(`[data-tile="${setup.done}"]`);
      await tile.getByLabel('Message', { exact: true }).fill('echo from the tile');
      await page.keyboard.press('Enter');
      await tile.getByText('from the tile', { exact: true }).waitFor();
      expect(sockets).toHaveLength(1);
    });

    test('[R254] keys act on the active tile only', async () => {
      const { page } = await at(address(setup.done, setup.waiting, setup.asking));
      const current = () => page.locator('.tile[aria-current]').getAttribute('data-tile');
      await page.locator(`[data-tile="${setup.waiting}"] .approval`).waitFor();
      expect(await current()).toBe(setup.done);
      expect(await page.locator('[aria-keyshortcuts]').count()).toBe(0);
      await page.keyboard.press('y');
      await page.keyboard.press(']');
      expect(await current()).toBe(setup.waiting);
      await page.locator(`[data-tile="${setup.waiting}"] [aria-keyshortcuts="y"]`).waitFor();
      expect(await page.locator(`[data-tile="${setup.asking}"] [aria-keyshortcuts]`).count()).toBe(0);
      expect((await pendingRequestsOf(server)).length).toBe(2);
    });

    test('keys add, move, resize and remove tiles; the address follows, and another device shows the same', async () => {
      const { page } = await at(address(setup.done, setup.running));
      await page.locator(`[data-tile="${setup.running}"] .row`).first().waitFor();
      await page.keyboard.press('}');
      await expect.poll(() => shown(page)).toEqual([setup.running, setup.done]);
      const firstWidth = () =>
        page
          .locator('.tile')
          .first()
          .evaluate((tile) => tile.getBoundingClientRect().width);
      const before = await firstWidth();
      await page.keyboard.press('[');
      await page.keyboard.press('>');
      await expect.poll(firstWidth).toBeGreaterThan(before);
      await page.keyboard.press('a');
      await field(page).fill('Node 24');
      await line(page).getByText('Upgrade to Node 24').waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => shown(page)).toEqual([setup.running, setup.done, setup.failed]);
      await page.keyboard.press('x');
      await expect.poll(() => shown(page)).toEqual([setup.done, setup.failed]);
      expect(new URL(page.url()).searchParams.get('s')).toBe(`${setup.done},${setup.failed}`);
      await waitFor('the layout to be saved', async () => {
        const { body } = await api<{ tiles?: { sessions: string[] } }>(server, 'GET', '/api/state');
        return body.tiles?.sessions.join() === `${setup.done},${setup.failed}`;
      });
      const other = await at('/tiles');
      await expect.poll(() => shown(other.page)).toEqual([setup.done, setup.failed]);
    });

    test('a border moves with arrow keys and with the mouse, and keeps its position after a reload', async () => {
      const { page } = await at(address(setup.done, setup.running));
      const border = page.getByRole('separator', { name: 'Width of column 1' });
      const share = async () => Number(await border.getAttribute('aria-valuenow'));
      await border.focus();
      await page.keyboard.press('=');
      await expect.poll(share).toBe(50);
      await page.keyboard.press('ArrowRight');
      await expect.poll(share).toBe(54);
      // Hovering waits until the border rests where it is drawn: a place read before that is next to it.
      await border.hover();
      await page.mouse.down();
      await page.mouse.move(500, 400);
      await page.mouse.up();
      await expect.poll(share).toBeLessThan(40);
      const left = await share();
      await waitFor('the size to be saved', async () => {
        const { body } = await api<{ tiles?: { widths: number[] } }>(server, 'GET', '/api/state');
        return Math.round(body.tiles?.widths[0] ?? 0) === left;
      });
      await page.reload();
      await expect.poll(share).toBe(left);
    });

    test('on a phone one session is shown at a time, and tabs switch between them', async () => {
      const { page } = await at(address(setup.done, setup.running), PHONE);
      await page.getByRole('tab', { selected: true }).getByText('Rotate').waitFor();
      expect(await shown(page)).toEqual([setup.done]);
      await page.getByRole('tab', { name: 'Docs search relevance' }).tap();
      await expect.poll(() => shown(page)).toEqual([setup.running]);
    });

    test('a session that does not exist keeps its tile and says so', async () => {
      const { page } = await at(address(setup.done, 'nobody'));
      await page.locator('[data-tile="nobody"]').getByText('This session doesn’t exist').waitFor();
      await page.locator(`[data-tile="${setup.done}"] .row`).first().waitFor();
    });
  });

  describe('settings', () => {
    test('appearance settings of this browser survive a reload', async () => {
      const { page } = await at('/settings/appearance');
      await page.getByLabel('150 %').check();
      await page.getByLabel('Compact').check();
      await page.getByLabel('2:05 PM').check();
      await page.reload();
      await page.getByRole('region', { name: 'Appearance' }).waitFor();
      expect(await page.locator('html').evaluate(({ dataset: { text, density, clock } }) => [text, density, clock])).toEqual(['150', 'compact', '12']);
      expect(await page.getByLabel('150 %').isChecked()).toBe(true);
      expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('21px');
    });

    test('settings open with the agents, and about shows the data folder and versions', async () => {
      const { page } = await at('/settings');
      await page.waitForURL('**/settings/agents');
      await page.locator('[data-agent="demo"]').getByText('Built in').waitFor();
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'About' }).click();
      await page.getByText(server.data, { exact: true }).waitFor();
      await page.getByText(process.versions.node, { exact: true }).waitFor();
    });
  });

  describe('when something is wrong', () => {
    test('[R256] a surface that crashes says so, and the rest of the page keeps working', async () => {
      const { page } = await at('/');
      await page.route('**/assets/usage-page*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'export default () => { throw new Error("made to break"); }' }),
      );
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('heading', { name: 'Something went wrong on this page' }).waitFor();
      await page.getByText('Error: made to break').waitFor();
      await page.getByRole('link', { name: 'Deck' }).click();
      await page.getByText('Rotate the signing keys').first().waitFor();
      await page.unroute('**/assets/usage-page*.js');
      await page.goto(`${server.url}/usage`);
      await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    });

    test('[R286] without a connection the page shows the last known state and stops its clocks', async () => {
      const proxy = await startFaultProxy(server.port);
      try {
        const { page, open } = await signInWithoutPage(browser, { url: `http://127.0.0.1:${proxy.port}`, token: server.token });
        // A fake clock in the page, so minutes can pass at once.
        await page.clock.install();
        await open('/');
        const row = page.locator('.panel-row', { hasText: 'Docs search relevance' });
        await row.click();
        const sign = page.locator('.working-sign');
        await sign.getByText('Working… ').waitFor();
        proxy.set({ kind: 'cut-after', bytes: 0 });
        proxy.cut();
        await page.locator('.connection-sign.off').waitFor({ state: 'attached' });
        const lastKnown = await sign.textContent();
        expect(lastKnown).toMatch(/^Offline\. Last known: working, /);
        await page.clock.fastForward(600_000);
        expect(await sign.textContent()).toBe(lastKnown);
        await page.goBack();
        expect(await page.locator('.panel-marks > span').last().textContent()).toBe('last update');
        const rowText = await row.textContent();
        await page.clock.fastForward(600_000);
        expect(await row.textContent()).toBe(rowText);

        proxy.set({ kind: 'none' });
        await page.evaluate(() => void window.dispatchEvent(new Event('online')));
        await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
        expect(await page.locator('.panel-marks > span').last().textContent()).toBe('now');
        await row.click();
        // Twenty minutes plus however long the session had been working before.
        await sign.getByText(/Working… 2\d min/).waitFor();
      } finally {
        await proxy.close();
      }
    });

    test('the tab title names the page and counts pending requests', async () => {
      const { page } = await at('/settings/about');
      await expect.poll(() => page.title()).toBe('(2) Settings · Signalbox');
      expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^data:image\/svg/);
    });
  });
});
