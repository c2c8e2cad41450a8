import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { archivedIdOf } from '../../src/agents/port/archived-id.ts';
import type { AgentId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { addExternalTurn } from '../support/agents/demo-records.ts';
import { accessibilityViolationsInBothThemes } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, type Person, PHONE, RECOVERY_LIMIT_MS, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { reaches } from '../support/stories/acts.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));

describe.skipIf('skip' in found || !isBuilt)('marks on single messages', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServer();
    if ('path' in found) browser = await sharedChromium(found.path);
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function answeredSession(): Promise<string> {
    const { body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'hello' });
    await reaches(server, body.id, 'idle');
    return `/s/${body.id}`;
  }
  async function openAt(path: string, viewport = DESKTOP): Promise<Person> {
    const person = await signInWithoutPage(browser, server, viewport);
    await person.open(path);
    return person;
  }

  test('[R276] a star added by keyboard shows at once on another page, survives a reload, and can be removed', async () => {
    const path = await answeredSession();
    const [ada, other] = [await openAt(path), await openAt(path)];
    await press(firstMessage(ada.page), 'Star message');
    await firstMessage(other.page).getByRole('img', { name: 'Starred' }).waitFor();
    await ada.page.reload();
    await firstMessage(ada.page).getByRole('img', { name: 'Starred' }).waitFor();
    await press(firstMessage(ada.page), 'Unstar message');
    await other.page.getByRole('img', { name: 'Starred' }).waitFor({ state: 'detached' });
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('[R513] a note from before shows on another page, is found by search, and becomes a comment with one key', async () => {
    const path = await answeredSession();
    const id = path.slice('/s/'.length);
    const [ada, other] = [await openAt(path), await openAt(path)];
    const { body } = await api<{ events: { seq: number; type: string }[] }>(server, 'GET', `/api/sessions/${id}/events?after=0`);
    const seq = body.events.find(({ type }) => type === 'user.message')?.seq;
    expect((await api(server, 'PATCH', `/api/sessions/${id}/items/${seq}`, { note: 'why the seldom word' })).status).toBe(200);
    await firstMessage(other.page).getByText('why the seldom word').waitFor();

    // The index follows the journal; the page searches once.
    const hits = async () => (await api<{ hits: unknown[] }>(server, 'GET', '/api/search?q=seldom')).body.hits.length;
    await expect.poll(hits).toBeGreaterThan(0);
    await ada.open('/search?q=seldom');
    await ada.page.locator('.hit-link', { hasText: 'seldom' }).click();
    await ada.page.locator('.row-place.lit .item-note', { hasText: 'why the seldom word' }).waitFor();
    await firstMessage(ada.page).getByRole('button', { name: 'Turn into a comment' }).press('Enter');
    await other.page.locator('.item-note').waitFor({ state: 'detached' });
    await other.page.getByRole('link', { name: 'Review (1)' }).click();
    const drafts = other.page.getByRole('region', { name: 'Drafts' });
    await drafts.getByText('why the seldom word').waitFor();
    // A note may be for people only: nobody sends it by accident.
    expect(await drafts.getByRole('checkbox', { name: 'Include in the review' }).isChecked()).toBe(false);
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('on a phone the message menu does the same, with no serious accessibility issue and no overflow', async () => {
    const { page, complaints } = await openAt(await answeredSession(), PHONE);
    await choose(answer(page), 'Star message');
    await choose(answer(page), 'Comment…');
    const dialog = page.getByRole('dialog', { name: 'Comment on this message' });
    await dialog.getByLabel('Comment', { exact: true }).fill('w'.repeat(200));
    const save = await dialog.getByRole('button', { name: 'Add comment' }).boundingBox();
    expect(save?.height).toBeGreaterThanOrEqual(44);
    expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add comment' }).tap();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Review (1)' }).waitFor();
    expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a message of a past session can be starred', async () => {
    mkdirSync(join(server.home, '.signalbox-demo'), { recursive: true });
    addExternalTurn(server.home, 'terminal', 'one', { cwd: server.project });
    const id = archivedIdOf('demo' as AgentId, 'terminal');
    await expect.poll(async () => (await api(server, 'GET', `/api/sessions/${id}`)).status, { timeout: RECOVERY_LIMIT_MS }).toBe(200);
    const { page } = await openAt(`/s/${id}`);
    const row = page.locator('.row-text', { hasText: 'answer to one' });
    await press(row, 'Star message');
    await row.getByRole('img', { name: 'Starred' }).waitFor();
    await page.reload();
    await row.getByRole('img', { name: 'Starred' }).waitFor();
  });
});

const firstMessage = (page: Page): Locator => page.locator('.row-user').first();
const answer = (page: Page): Locator => page.locator('.row-text').first();

/** Focus on the row draws its buttons. If the row is drawn again meanwhile, as when a record was just read, they are gone and the focus goes there again. */
async function press(row: Locator, name: string): Promise<void> {
  const button = row.getByRole('button', { name, exact: true });
  await expect
    .poll(
      async () => {
        await row.getByRole('button', { name: 'Message actions' }).focus();
        return button.press('Enter', { timeout: PRESS_LIMIT_MS }).then(
          () => true,
          () => false,
        );
      },
      { timeout: RECOVERY_LIMIT_MS },
    )
    .toBe(true);
}

const PRESS_LIMIT_MS = 2000;

async function choose(row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: 'Message actions' }).tap();
  await row.page().locator('.popup').getByRole('button', { name }).tap();
}
