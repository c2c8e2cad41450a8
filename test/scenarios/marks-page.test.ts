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

  test('[R276] a star and a note added by keyboard show at once on another page, survive a reload, are found by search, and can be removed', async () => {
    const path = await answeredSession();
    const [ada, other] = [await openAt(path), await openAt(path)];

    await press(firstMessage(ada.page), 'Star message');
    await press(firstMessage(ada.page), 'Add or edit note');
    await ada.page.keyboard.type('why the seldom word');
    await ada.page.reload();
    await expect.poll(() => field(ada.page).inputValue(), { timeout: RECOVERY_LIMIT_MS }).toBe('why the seldom word');
    await field(ada.page).press('Control+Enter');

    await firstMessage(other.page).getByRole('img', { name: 'Starred' }).waitFor();
    await firstMessage(other.page).getByText('why the seldom word').waitFor();
    await ada.page.reload();
    await firstMessage(ada.page).getByText('why the seldom word').waitFor();
    expect(await ada.page.getByRole('img', { name: 'Starred' }).count()).toBe(1);

    await ada.open('/search?q=seldom');
    await ada.page.locator('.hit-link', { hasText: 'seldom' }).click();
    await ada.page.locator('.row-place.lit .item-note', { hasText: 'why the seldom word' }).waitFor();

    await press(firstMessage(ada.page), 'Add or edit note');
    await field(ada.page).fill('');
    await ada.page.keyboard.press('Control+Enter');
    await press(firstMessage(ada.page), 'Unstar message');
    await other.page.getByRole('img', { name: 'Starred' }).waitFor({ state: 'detached' });
    expect(await other.page.locator('.item-note').count()).toBe(0);
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('Esc discards an edited note for good and returns the focus', async () => {
    const { page } = await openAt(await answeredSession());
    await press(answer(page), 'Add or edit note');
    await page.keyboard.type('never kept');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Add or edit note');
    await page.reload();
    await answer(page).waitFor();
    expect(await page.locator('.item-note').count()).toBe(0);
  });

  test('a note that is saved late does not move the focus', async () => {
    const { page } = await openAt(await answeredSession());
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/items\/\d+$/, (route) => released.then(() => route.continue()));
    await press(answer(page), 'Add or edit note');
    await page.keyboard.type('kept late');
    await page.keyboard.press('Control+Enter');
    await answer(page).getByRole('button', { name: 'Star message', exact: true }).focus();
    release();
    await page.locator('.item-note-text', { hasText: 'kept late' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Star message');
  });

  test('a note that could not be saved is reported and stays in the field', async () => {
    const { page } = await openAt(await answeredSession());
    await press(answer(page), 'Add or edit note');
    await page.keyboard.type('kept by me');
    await page.context().setOffline(true);
    await page.keyboard.press('Control+Enter');
    await page.locator('.notice').first().waitFor();
    expect(await field(page).inputValue()).toBe('kept by me');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.item-note-text', { hasText: 'kept by me' }).waitFor();
  });

  test('on a phone the message menu does the same, with no serious accessibility issue and no overflow', async () => {
    const { page, complaints } = await openAt(await answeredSession(), PHONE);
    await choose(answer(page), 'Star message');
    await choose(answer(page), 'Add or edit note…');
    await field(page).fill('w'.repeat(200));
    const save = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox();
    expect(save?.height).toBeGreaterThanOrEqual(44);
    expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.locator('.item-note-text').waitFor();
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
const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Note on this message' });

async function press(row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: 'Message actions' }).focus();
  await row.getByRole('button', { name, exact: true }).focus();
  await row.page().keyboard.press('Enter');
}

async function choose(row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: 'Message actions' }).tap();
  await row.page().locator('.popup').getByRole('button', { name }).tap();
}
