import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archivedIdOf } from '../../src/agents/port/archived-id.ts';
import type { AgentId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { type Person, signIn } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { writeSampleRecords } from '../support/sample-records/write-records.ts';
import { waitFor } from '../support/wait-for.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const RECORD_BYTES = 100 * 1024 * 1024;
const PLANTED = 'the-very-first-words';
/** Limit at any time, however long the session is. */
const MAX_NODES = 3000;
/** Enough to read a record of this size once, on a busy machine. */
const READ_MS = 240_000;

describe.skipIf('skip' in found || !isBuilt)('a past session of 100 MB in a real browser', () => {
  let server: TestServer;
  let browser: Browser;
  let person: Person;
  let session: Session;

  beforeAll(async () => {
    if (!('path' in found)) return;
    server = await startServer({ from: 'dist' });
    browser = await sharedChromium(found.path);
    const { longest } = writeSampleRecords({ home: server.home, seed: 7, sessions: 1, sessionBytes: 0, longestBytes: RECORD_BYTES, planted: PLANTED });
    const id = archivedIdOf('claude-code' as AgentId, longest);
    session = await waitFor('the record to be numbered', async () => ifRead((await api<Session>(server, 'GET', `/api/sessions/${id}`)).body), READ_MS);
    person = await signIn(browser, server);
  }, 2 * READ_MS);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('it opens at its end, and scrolling up loads more', async () => {
    const { page } = person;
    await person.open(`/s/${session.id}`);
    await page.locator(`[id="e${session.lastSeq}"]`).waitFor();
    const seen = await scrollUntil(page, -1, async () => (await firstShown(page)) < session.lastSeq - 600);

    expect(seen).toBeLessThan(MAX_NODES);
  });

  test('a link opens the middle, and scrolling continues from there in both directions', async () => {
    const { page } = person;
    const middle = await messageNear(server, session, Math.floor(session.lastSeq / 2));
    await person.open(`/s/${session.id}#e${middle}`);
    await page.locator(`[id="e${middle}"]`).waitFor();
    await waitFor('the event to be visible', () => isVisible(page, middle));
    const below = await scrollUntil(page, 1, async () => (await firstShown(page)) > middle + 400);
    const above = await scrollUntil(page, -1, async () => (await firstShown(page)) < middle - 400);

    expect(Math.max(below, above)).toBeLessThan(MAX_NODES);
  });

  test('scrolling reaches its very first message and its end', async () => {
    const { page } = person;
    await person.open(`/s/${session.id}#e1500`);
    await page.locator('.row-place').first().waitFor();
    const up = await scrollUntil(page, -1, () => planted(page).isVisible());
    await person.open(`/s/${session.id}#e${session.lastSeq - 1500}`);
    await page.getByText('More below').waitFor({ state: 'attached' });
    const down = await scrollUntil(page, 1, () => page.locator(`[id="e${session.lastSeq}"]`).isVisible());

    expect(await page.locator('.older-sign').count()).toBe(1);
    expect(Math.max(up, down)).toBeLessThan(MAX_NODES);
    expect(person.complaints).toEqual([]);
  });

  test('Home and End jump to both ends', async () => {
    const { page } = person;
    await person.open(`/s/${session.id}`);
    await page.locator(`[id="e${session.lastSeq}"]`).waitFor();
    await page.locator('.transcript').press('Home');
    await planted(page).waitFor();
    await page.locator('.transcript').press('End');
    await page.locator(`[id="e${session.lastSeq}"]`).waitFor();

    expect(await nodesOf(page)).toBeLessThan(MAX_NODES);
  });
});

const ifRead = (session: Session): Session | undefined => (session.past?.read ? session : undefined);

/** Skips events that have no row of their own. */
async function messageNear(server: TestServer, { id }: Session, seq: number): Promise<number> {
  const { body } = await api<{ events: { seq: number; type: string }[] }>(server, 'GET', `/api/sessions/${id}/events?after=${seq}&limit=50`);
  return body.events.find(({ type }) => type === 'assistant.text' || type === 'user.message')?.seq ?? seq;
}

/** Only in the transcript: the session's title has the same words. */
const planted = (page: Page) => page.locator('.transcript').getByText(PLANTED);

const nodesOf = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);

const firstShown = (page: Page): Promise<number> =>
  page.evaluate(() => Math.min(...[...document.querySelectorAll('.row[id]')].map((row) => Number(row.id.slice(1)))));

const isVisible = (page: Page, seq: number): Promise<boolean> =>
  page.evaluate((id) => {
    const box = document.getElementById(id)?.getBoundingClientRect();
    return box !== undefined && box.bottom > 0 && box.top < innerHeight;
  }, `e${seq}`);

/** Scrolls with the mouse wheel until the condition holds. Returns the highest number of nodes on the way. */
async function scrollUntil(page: Page, direction: 1 | -1, condition: () => Promise<boolean>): Promise<number> {
  let most = 0;
  await page.locator('.transcript').hover();
  await waitFor(
    'the position to be reached by scrolling',
    async () => {
      await page.mouse.wheel(0, direction * 1500);
      most = Math.max(most, await nodesOf(page));
      return condition();
    },
    READ_MS,
  );
  return most;
}
