import { rm } from 'node:fs/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildWeb } from '../support/browser/build-web.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP } from '../support/browser/person.ts';
import { openReplayServer, type ReplayServer } from '../support/replay/replay-server.ts';
import { longStory } from '../support/replay/sample-journal.ts';
import { sessionOf } from '../support/replay/sample-sessions.ts';
import { waitFor } from '../support/wait-for.ts';

const found = findChromium();
/** Each is four events and three rows: in total more than twice what a window holds before it drops events. */
const TURNS = 500;
const EVENTS = 4 * TURNS;
/** Turns published at once, as a fast agent would. */
const AT_ONCE = 25;
/** A window drops events past 900; the newest few may not be rendered yet, and rendered rows reference their events. */
const MAX_EVENTS = 1100;
const MAX_NODES = 3000;
const MAX_ROWS = 60;
/** Enough to publish two thousand events and scroll over them, on a busy machine. */
const SCROLL_MS = 180_000;

describe.skipIf('skip' in found)('a session that grows long while the page is open', () => {
  let webRoot: string;
  let browser: Browser;
  let replay: ReplayServer;
  let page: Page;
  let cdp: CDPSession;
  const complaints: string[] = [];

  beforeAll(async () => {
    if (!('path' in found)) return;
    webRoot = await buildWeb();
    browser = await sharedChromium(found.path);
    const sessions = [
      sessionOf({ id: 'day', title: 'A whole day', status: 'busy' }),
      sessionOf({ id: 'uneven', title: 'Long and short answers', status: 'idle' }),
      sessionOf({ id: 'high', title: 'A long answer now and then', status: 'idle' }),
    ];
    replay = await openReplayServer(
      sessions.map((session) => ({ session, events: [] })),
      webRoot,
    );
    for (const event of UNEVEN) replay.book.append('uneven', event);
    for (const event of HIGH) replay.book.append('high', event);
    const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', serviceWorkers: 'block' });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    cdp = await context.newCDPSession(page);
  });
  afterAll(async () => {
    await browser?.close();
    await replay?.close();
    await rm(webRoot, { recursive: true, force: true });
  });

  test('[R273] a page that stays at the end keeps a bounded number of events, however many arrive', async () => {
    await page.goto(`${replay.url}s/day`);
    await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
    const seen = await publishAll();

    expect(seen.events).toBeLessThan(MAX_EVENTS);
    expect(seen.rows).toBeLessThan(MAX_ROWS);
    expect(seen.nodes).toBeLessThan(MAX_NODES);
    expect(await liveEvents(cdp)).toBeLessThan(EVENTS / 2);
  });

  test('[R274] scrolling up from there to the first message shows every row, in order and once', async () => {
    const seen = new Set(await rowsOf(page));
    const faults: string[] = [];
    let most = 0;
    await waitFor(
      'the first message',
      async () => {
        await stepUp(page);
        const isFirstVisible = await page.getByText('question 0', { exact: true }).isVisible();
        const shown = await rowsOf(page);
        if (!isConsecutive(shown)) faults.push(shown.join(' '));
        for (const seq of shown) seen.add(seq);
        most = Math.max(most, shown.length);
        return isFirstVisible;
      },
      SCROLL_MS,
    );

    expect(faults).toEqual([]);
    expect([...seen].sort((one, other) => one - other)).toEqual(SEQS_OF_ROWS);
    expect(most).toBeLessThan(MAX_ROWS);
  });

  test('a reload in the middle keeps every row in its position', async () => {
    await waitFor('the middle', async () => {
      await page.locator('.transcript').evaluate((area) => area.scrollBy(0, 700));
      return (await rowsOf(page)).some((seq) => seq > 300);
    });
    await expect.poll(async () => (await visibleRows(page)).length).toBeGreaterThan(3);
    const before = await visibleRows(page);
    await page.reload();

    await expect.poll(async () => (await visibleRows(page)).map(({ seq }) => seq)).toEqual(before.map(({ seq }) => seq));
    const moved = async () => Math.abs(((await visibleRows(page))[0]?.top ?? Number.NaN) - (before[0]?.top ?? 0));
    await expect.poll(moved).toBeLessThan(2);
  });

  test('back at the end, the events that were loaded for scrolling are dropped again', async () => {
    await page.locator('.transcript').press('End');
    await page.getByText(lastText(TURNS)).waitFor();
    publishTurns(TURNS, TURNS + 1);
    await page.getByText(lastText(TURNS + 1)).waitFor();

    await expect.poll(() => liveEvents(cdp)).toBeLessThan(MAX_EVENTS);
  });

  test('a link to an early event opens there, and back at the end nothing is missing', async () => {
    await page.evaluate(() => {
      location.hash = 'e5';
    });
    await page.getByText('question 1', { exact: true }).waitFor();
    expect(isConsecutive(await rowsOf(page))).toBe(true);
    await page.locator('.transcript').press('End');
    await page.getByText(lastText(TURNS + 1)).waitFor();
    expect(isConsecutive(await rowsOf(page))).toBe(true);
    expect(new URL(page.url()).hash).toBe('');
    await page.goto(`${replay.url}s/day#e5`);
    await page.reload();
    await page.getByText('question 1', { exact: true }).waitFor();

    expect(complaints).toEqual([]);
  });

  test.each([
    ['step by step', 'uneven', stepDown],
    ['in one jump', 'high', jumpDown],
  ] as const)('[R287] a page scrolled %s to the end of the loaded events stays there when more are loaded, even the last ones', async (_, id, scrollDown) => {
    await page.goto(`${replay.url}s/${id}#e21`);
    await page.locator('[id="e21"]').waitFor();
    const delayed: (() => Promise<void>)[] = [];
    await page.route(/\/events\?after=/, (route) => void delayed.push(() => route.continue()));
    const heightOf = () => page.locator('.transcript').evaluate((area) => area.scrollHeight);
    let seen = 0;
    for (; (await page.locator('.transcript.away').count()) > 0; seen++) {
      await waitFor('the end of the loaded events, with more requested', async () => (await scrollDown(page)) < 1 && delayed.length > 0);
      const before = await visibleRows(page);
      const height = await heightOf();
      for (const release of delayed.splice(0)) await release();
      await expect.poll(heightOf).not.toBe(height);

      expect((await visibleRows(page)).slice(0, before.length)).toEqual(before);
    }
    await page.unroute(/\/events\?after=/);

    expect(seen).toBe(3);
    expect(complaints).toEqual([]);
  });

  async function publishAll(): Promise<{ events: number; rows: number; nodes: number }> {
    const most = { events: 0, rows: 0, nodes: 0 };
    for (let turns = 0; turns < TURNS; turns += AT_ONCE) {
      publishTurns(turns, turns + AT_ONCE);
      await page.getByText(lastText(turns + AT_ONCE)).waitFor();
      most.rows = Math.max(most.rows, (await rowsOf(page)).length);
      most.nodes = Math.max(most.nodes, await page.evaluate(() => document.querySelectorAll('*').length));
      // Counting them all stops the page for a moment.
      if (turns % 100 === 0) most.events = Math.max(most.events, await liveEvents(cdp));
    }
    return most;
  }

  const publishTurns = (from: number, to: number) => {
    for (const { after: _, ...event } of longStory(to).slice(4 * from)) replay.book.append('day', event);
  };
});

/** With this many events, the third page of 200 reaches the end. */
const SOME = 800;
const wentWell = (times: number): string => 'It went well. '.repeat(times);

/** One-line answers next to answers of thirty lines: rows turn out much higher and much lower than estimated. */
const UNEVEN = longStory(SOME / 4).map(({ after: _, ...event }, at) => {
  const turn = Math.floor(at / 4);
  return event.type === 'assistant.text' ? { ...event, text: `answer ${turn}\n\n${wentWell(2 * ((turn * 37) % 11) ** 2)}` } : event;
});

/** Low rows, and a very high one just above the last screen of each loaded page; pages end at 101, 301 and 501. */
const HIGH = Array.from({ length: SOME }, (_, at) =>
  (at + 1) % 200 === 86
    ? ({ type: 'assistant.text', text: wentWell(400), messageId: `m${at}`, index: 0 } as const)
    : ({ type: 'user.message', text: `question ${at}`, origin: 'person' } as const),
);

const lastText = (turns: number): string => `answer ${turns - 1}`;

/** The third of every four events ends the call of the second, and has no row of its own. */
const SEQS_OF_ROWS = Array.from({ length: EVENTS }, (_, at) => at + 1).filter((seq) => seq % 4 !== 3);

/** The space above the first row. */
const ABOVE_PX = 40;

/** Scrolls less than a screen, so every row is seen, and waits until rows are drawn up to the edge or the first row, however busy the machine is. */
const stepUp = (page: Page): Promise<void> =>
  page.locator('.transcript').evaluate(async (area, above) => {
    area.scrollBy(0, -400);
    const isDrawn = () =>
      area.scrollTop <= above || [...area.querySelectorAll('.row-place')].some((row) => row.getBoundingClientRect().top <= area.getBoundingClientRect().top);
    do await new Promise(requestAnimationFrame);
    while (!isDrawn());
  }, ABOVE_PX);

/** Scrolls down by this many screens. Returns the distance to the end. */
const scrollDownBy =
  (screens: number) =>
  (page: Page): Promise<number> =>
    page.locator('.transcript').evaluate(async (area, times) => {
      area.scrollBy(0, times * area.clientHeight);
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      return area.scrollHeight - area.scrollTop - area.clientHeight;
    }, screens);

const stepDown = scrollDownBy(1);
const jumpDown = scrollDownBy(100);

/** The rows that are drawn, from top to bottom. */
const rowsOf = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.transcript .row[id]')]
      .map((row) => ({ seq: Number(row.id.slice(1)), top: row.getBoundingClientRect().top }))
      .sort((one, other) => one.top - other.top)
      .map(({ seq }) => seq),
  );

/** The rows on the screen, and how far below the top edge each one starts. */
const visibleRows = (page: Page): Promise<readonly { readonly seq: number; readonly top: number }[]> =>
  page.locator('.transcript').evaluate((area) => {
    const edge = area.getBoundingClientRect();
    return [...area.querySelectorAll('.row[id]')]
      .map((row) => ({ seq: Number(row.id.slice(1)), top: row.getBoundingClientRect().top - edge.top, bottom: row.getBoundingClientRect().bottom - edge.top }))
      .filter(({ top, bottom }) => bottom > 0 && top < edge.height)
      .sort((one, other) => one.top - other.top)
      .map(({ seq, top }) => ({ seq, top }));
  });

/** Each row is followed by the next one in the journal. */
function isConsecutive(shown: readonly number[]): boolean {
  const first = shown[0];
  return first !== undefined && shown.every((seq, at) => at === 0 || seq === (shown[at - 1] ?? 0) + ((shown[at - 1] ?? 0) % 4 === 2 ? 2 : 1));
}

/** How many different journal events are alive in the page, whatever references them. */
async function liveEvents(cdp: CDPSession): Promise<number> {
  const { result: prototype } = await cdp.send('Runtime.evaluate', { expression: 'Object.prototype', objectGroup: 'count' });
  const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId ?? '', objectGroup: 'count' });
  const { result } = await cdp.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: `function () {
      const isEvent = (one) => typeof one.seq === 'number' && typeof one.at === 'string' && /^(user|tool|assistant)\\./.test(one.type);
      return new Set(this.filter(isEvent).map(({ seq }) => seq)).size;
    }`,
    returnByValue: true,
  });
  await cdp.send('Runtime.releaseObjectGroup', { objectGroup: 'count' });
  return Number(result.value);
}
