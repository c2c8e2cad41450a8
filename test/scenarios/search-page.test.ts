import { rm } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Hit } from '../../src/protocol/api/search.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { buildWeb } from '../support/browser/build-web.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { pastSessions, withPastSessions } from '../support/replay/replay-index.ts';
import type { ReplaySession } from '../support/replay/replay-journals.ts';
import { openReplayServer, type ReplayServer } from '../support/replay/replay-server.ts';
import { journalOf, longStory } from '../support/replay/sample-journal.ts';
import { sampleSessions, sessionOf } from '../support/replay/sample-sessions.ts';

const found = findChromium();
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** So many that a window is only a small part of them. */
const TURNS = 5000;
const EVENTS = journalOf(new Date(), longStory(TURNS));
const target = EVENTS.find((event) => event.type === 'assistant.text' && event.text.startsWith('answer 1234\n')) ?? EVENTS[0];

const hit = (fields: object): Hit =>
  Hit.parse({
    sessionId: 'vast',
    seq: target?.seq,
    kind: 'answer',
    snippet: '<img src=x> the cache key is here',
    marks: [[16, 25]],
    agent: 'demo',
    project: 'infra',
    projectId: 'infra',
    at: new Date().toISOString(),
    sessionTitle: 'A vast conversation',
    ...fields,
  });
const HITS = [
  hit({}),
  hit({ seq: 40, kind: 'diff', tool: 'Edit', path: 'src/keys.ts' }),
  hit({ sessionId: 'cache', seq: 2, sessionTitle: 'Tidy up', kind: 'output', isError: true }),
];
const BRANCHES = [
  { branch: 0, lastSeq: 40, at: new Date().toISOString(), events: 40, title: 'Try it with a lock', active: false },
  { branch: 1, lastSeq: EVENTS.length, at: new Date().toISOString(), events: EVENTS.length, title: 'Use a queue', active: true, from: { branch: 0, seq: 20 } },
];

describe.skipIf('skip' in found)(`search, and a long past session, in a real browser${'skip' in found ? ` (${found.skip})` : ''}`, () => {
  let browser: Browser;
  let webRoot: string;
  let replay: ReplayServer;
  let context: BrowserContext;
  let requested: readonly string[];
  let complaints: string[];

  beforeAll(async () => {
    webRoot = await buildWeb();
    if ('path' in found) browser = await sharedChromium(found.path);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(webRoot, { recursive: true, force: true });
  });
  beforeEach(async () => {
    complaints = [];
    const past = { lastSeq: EVENTS.length, bytes: 100_000_000, branches: 2, kept: true, gone: true, read: true };
    const session = sessionOf({ id: 'vast', title: 'A vast conversation', status: 'ended', control: 'none', past, lastSeq: EVENTS.length });
    const vast: ReplaySession = { session, events: EVENTS };
    replay = await openReplayServer([...sampleSessions(), vast], webRoot);
    requested = withPastSessions(replay, { sessions: [session, ...pastSessions(3)], hits: HITS, branches: BRANCHES });
  });
  afterEach(async () => {
    await context?.close();
    await replay?.close();
  });

  async function visit(address: string, viewport = DESKTOP, colorScheme: 'dark' | 'light' = 'dark'): Promise<Page> {
    context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', serviceWorkers: 'block' });
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(replay.url + address);
    return page;
  }

  const transcript = (page: Page) => page.getByRole('log', { name: 'Transcript' });
  const isTextVisible = (page: Page, words: string) => page.getByText(words, { exact: true }).first().isVisible();

  const scrollAndFind = async (page: Page, by: number, words: string) => {
    await transcript(page).evaluate((area, px) => area.scrollBy(0, px), by);
    return isTextVisible(page, words);
  };

  for (const [viewport, scheme] of [
    [DESKTOP, 'light'],
    [PHONE, 'dark'],
  ] as const) {
    test(`search has no serious accessibility issue, fits the screen and violates no policy (${scheme}, ${viewport.width} px)`, async () => {
      const page = await visit('search?q=cache', viewport, scheme);
      await page.getByText('At least 3 results').waitFor();
      const barriers = await accessibilityViolations(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

      expect(barriers).toEqual([]);
      expect(overflow).toBe(0);
      expect(complaints).toEqual([]);
    });
  }

  test('results appear while typing, as highlighted plain text, with a note that more may follow', async () => {
    const page = await visit('');
    await page.getByText('Rotate signing keys').first().waitFor();
    await page.keyboard.press('/');
    await page.getByLabel('Search everything').pressSequentially('cache key');
    await page.getByText('At least 3 results').waitFor();
    expect(await page.getByText('still indexing, more may follow').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?q=cache+key');
    expect(await page.locator('mark').first().textContent()).toBe('cache key');
    expect(await page.locator('.hit-text').first().textContent()).toBe('<img src=x> the cache key is here');
    expect(await page.locator('.hit-text img').count()).toBe(0);
    expect(requested.filter((each) => each.startsWith('/api/search')).length).toBeLessThan('cache key'.length);
  });

  test('a click on a path searches for sessions that touched the file', async () => {
    const page = await visit('search?q=cache');
    await page.getByRole('button', { name: 'src/keys.ts' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('cache path:src/keys.ts');
  });

  test('[R230] a hit opens at its exact event, far from the end, and scrolling works both ways down to the live end', async () => {
    const page = await visit('search?q=cache');
    const first = page.locator('.hit-link').first();
    await first.waitFor();
    // It is highlighted only for a moment, so the check starts before the click.
    await Promise.all([page.locator('.row-place.lit', { hasText: 'answer 1234' }).waitFor(), first.click()]);
    expect(new URL(page.url()).hash).toBe(`#e${target?.seq}`);
    const box = await page.getByText('answer 1234', { exact: true }).boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(DESKTOP.height);
    expect(requested.filter((each) => each.includes('/vast/events')).length).toBeLessThan(6);

    await expect.poll(() => scrollAndFind(page, -600, 'question 1200')).toBe(true);
    await expect.poll(() => scrollAndFind(page, 600, 'question 1280')).toBe(true);
    await page.getByRole('button', { name: /Jump to end/ }).click();
    await expect.poll(() => isTextVisible(page, `answer ${TURNS - 1}`)).toBe(true);
    await page.keyboard.press('End');
    replay.book.append('vast', { type: 'notice.shown', level: 'info', text: 'a word from the live end' });
    await page.getByText('a word from the live end').waitFor();
  });

  test('a past session says that it is imported and that its file has to be restored before sending', async () => {
    const page = await visit('s/vast');
    await page.getByText('imported', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await page.getByText('Restore the session file first').waitFor();
  });

  test('another branch of a past session can be opened and left again', async () => {
    const page = await visit('s/vast');
    await page.getByRole('button', { name: /2 branches; this is the one/ }).click();
    await page.getByRole('button', { name: /Try it with a lock/ }).click();
    await page.getByText('This branch ends here').waitFor({ state: 'attached' });
    expect(requested.some((each) => each.includes('/vast/events') && each.includes('branch=0'))).toBe(true);
    await page.getByRole('button', { name: /2 branches; this is not the one/ }).click();
    await page.getByRole('button', { name: /Use a queue/ }).click();
    await expect.poll(() => isTextVisible(page, `answer ${TURNS - 1}`)).toBe(true);
  });
});
