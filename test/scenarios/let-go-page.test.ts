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
/** Each is four events and three rows: in all more than twice of what a window takes before it lets go. */
const TURNS = 500;
const EVENTS = 4 * TURNS;
/** So many are told at once, as by an agent that is in a hurry. */
const AT_ONCE = 25;
/** A window lets go past 900 events; the newest few may not be drawn yet, and what is drawn holds what it was drawn of. */
const MOST_HELD = 1100;
const MOST_NODES = 3000;
const MOST_ROWS = 60;
/** Two thousand events are told, and walked over with the wheel, on a busy machine. */
const SITTING_MS = 180_000;

describe.skipIf('skip' in found)('a session that grew long before somebody’s eyes', () => {
  let webRoot: string;
  let browser: Browser;
  let replay: ReplayServer;
  let page: Page;
  let wire: CDPSession;
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
    wire = await context.newCDPSession(page);
  });
  afterAll(async () => {
    await browser?.close();
    await replay?.close();
    await rm(webRoot, { recursive: true, force: true });
  });

  test('[R273] whoever stays at the end holds a bounded part of it, however much has come', async () => {
    await page.goto(`${replay.url}s/day`);
    await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
    const seen = await liveThrough();

    expect(seen.events).toBeLessThan(MOST_HELD);
    expect(seen.rows).toBeLessThan(MOST_ROWS);
    expect(seen.nodes).toBeLessThan(MOST_NODES);
    expect(await eventsHeld(wire)).toBeLessThan(EVENTS / 2);
  });

  test('[R274] one who then scrolls up to the very first words meets everything, in order and once', async () => {
    const met = new Set(await rowsOf(page));
    const faults: string[] = [];
    let most = 0;
    await waitFor(
      'the first words',
      async () => {
        await stepUp(page);
        const isThere = await page.getByText('question 0', { exact: true }).isVisible();
        const shown = await rowsOf(page);
        if (!isUnbroken(shown)) faults.push(shown.join(' '));
        for (const seq of shown) met.add(seq);
        most = Math.max(most, shown.length);
        return isThere;
      },
      SITTING_MS,
    );

    expect(faults).toEqual([]);
    expect([...met].sort((one, other) => one - other)).toEqual(SEQS_OF_ROWS);
    expect(most).toBeLessThan(MOST_ROWS);
  });

  test('a reload in the middle leaves every row where it stood', async () => {
    await waitFor('the middle', async () => {
      await page.locator('.transcript').evaluate((area) => area.scrollBy(0, 700));
      return (await rowsOf(page)).some((seq) => seq > 300);
    });
    await expect.poll(async () => (await inSight(page)).length).toBeGreaterThan(3);
    const before = await inSight(page);
    await page.reload();

    await expect.poll(async () => (await inSight(page)).map(({ seq }) => seq)).toEqual(before.map(({ seq }) => seq));
    const moved = async () => Math.abs(((await inSight(page))[0]?.top ?? Number.NaN) - (before[0]?.top ?? 0));
    await expect.poll(moved).toBeLessThan(2);
  });

  test('back at the end what was fetched for the way is let go of again', async () => {
    await page.locator('.transcript').press('End');
    await page.getByText(lastWords(TURNS)).waitFor();
    tellTurns(TURNS, TURNS + 1);
    await page.getByText(lastWords(TURNS + 1)).waitFor();

    await expect.poll(() => eventsHeld(wire)).toBeLessThan(MOST_HELD);
  });

  test('the address of an early event opens there, and back at the end nothing was forgotten', async () => {
    await page.evaluate(() => {
      location.hash = 'e5';
    });
    await page.getByText('question 1', { exact: true }).waitFor();
    expect(isUnbroken(await rowsOf(page))).toBe(true);
    await page.locator('.transcript').press('End');
    await page.getByText(lastWords(TURNS + 1)).waitFor();
    expect(isUnbroken(await rowsOf(page))).toBe(true);
    expect(new URL(page.url()).hash).toBe('');
    await page.goto(`${replay.url}s/day#e5`);
    await page.reload();
    await page.getByText('question 1', { exact: true }).waitFor();

    expect(complaints).toEqual([]);
  });

  test.each([
    ['read', 'uneven', stepDown],
    ['leapt', 'high', leapDown],
  ] as const)('[R287] who has %s to the end of what was fetched stays there when more comes, also when it is the last of it', async (_, id, goOn) => {
    await page.goto(`${replay.url}s/${id}#e21`);
    await page.locator('[id="e21"]').waitFor();
    const held: (() => Promise<void>)[] = [];
    await page.route(/\/events\?after=/, (route) => void held.push(() => route.continue()));
    const heightOf = () => page.locator('.transcript').evaluate((area) => area.scrollHeight);
    let met = 0;
    for (; (await page.locator('.transcript.away').count()) > 0; met++) {
      await waitFor('the end of what was fetched, with more asked for', async () => (await goOn(page)) < 1 && held.length > 0);
      const before = await inSight(page);
      const height = await heightOf();
      for (const letGo of held.splice(0)) await letGo();
      await expect.poll(heightOf).not.toBe(height);

      expect((await inSight(page)).slice(0, before.length)).toEqual(before);
    }
    await page.unroute(/\/events\?after=/);

    expect(met).toBe(3);
    expect(complaints).toEqual([]);
  });

  async function liveThrough(): Promise<{ events: number; rows: number; nodes: number }> {
    const most = { events: 0, rows: 0, nodes: 0 };
    for (let turns = 0; turns < TURNS; turns += AT_ONCE) {
      tellTurns(turns, turns + AT_ONCE);
      await page.getByText(lastWords(turns + AT_ONCE)).waitFor();
      most.rows = Math.max(most.rows, (await rowsOf(page)).length);
      most.nodes = Math.max(most.nodes, await page.evaluate(() => document.querySelectorAll('*').length));
      // To count them all stops the page for a moment.
      if (turns % 100 === 0) most.events = Math.max(most.events, await eventsHeld(wire));
    }
    return most;
  }

  const tellTurns = (from: number, to: number) => {
    for (const { after: _, ...event } of longStory(to).slice(4 * from)) replay.book.append('day', event);
  };
});

/** So many events that pages of 200 meet the end at the third. */
const SOME = 800;
const wentWell = (times: number): string => 'It went well. '.repeat(times);

/** Answers of a line beside answers of thirty: rows turn out much higher and much lower than was thought. */
const UNEVEN = longStory(SOME / 4).map(({ after: _, ...event }, at) => {
  const turn = Math.floor(at / 4);
  return event.type === 'assistant.text' ? { ...event, text: `answer ${turn}\n\n${wentWell(2 * ((turn * 37) % 11) ** 2)}` } : event;
});

/** Low rows, and a very high one just above the last screen of what is fetched at a time, which ends at 101, 301 and 501. */
const HIGH = Array.from({ length: SOME }, (_, at) =>
  (at + 1) % 200 === 86
    ? ({ type: 'assistant.text', text: wentWell(400), messageId: `m${at}`, index: 0 } as const)
    : ({ type: 'user.message', text: `question ${at}`, origin: 'person' } as const),
);

const lastWords = (turns: number): string => `answer ${turns - 1}`;

/** Of every four events the third ends the call of the second, and is no row of its own. */
const SEQS_OF_ROWS = Array.from({ length: EVENTS }, (_, at) => at + 1).filter((seq) => seq % 4 !== 3);

/** The room above the first row. */
const ABOVE_PX = 40;

/** Less than a screen, so that every row is seen; and drawn up to its edge, or up to the first row, however busy the machine is. */
const stepUp = (page: Page): Promise<void> =>
  page.locator('.transcript').evaluate(async (area, above) => {
    area.scrollBy(0, -400);
    const isDrawn = () =>
      area.scrollTop <= above || [...area.querySelectorAll('.row-place')].some((row) => row.getBoundingClientRect().top <= area.getBoundingClientRect().top);
    do await new Promise(requestAnimationFrame);
    while (!isDrawn());
  }, ABOVE_PX);

/** Goes down by so many screens. Returns how far from the end it then is. */
const goDown =
  (screens: number) =>
  (page: Page): Promise<number> =>
    page.locator('.transcript').evaluate(async (area, times) => {
      area.scrollBy(0, times * area.clientHeight);
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      return area.scrollHeight - area.scrollTop - area.clientHeight;
    }, screens);

const stepDown = goDown(1);
const leapDown = goDown(100);

/** The rows that are drawn, from top to bottom. */
const rowsOf = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.transcript .row[id]')]
      .map((row) => ({ seq: Number(row.id.slice(1)), top: row.getBoundingClientRect().top }))
      .sort((one, other) => one.top - other.top)
      .map(({ seq }) => seq),
  );

/** The rows on the screen, and how far below the edge each begins. */
const inSight = (page: Page): Promise<readonly { readonly seq: number; readonly top: number }[]> =>
  page.locator('.transcript').evaluate((area) => {
    const edge = area.getBoundingClientRect();
    return [...area.querySelectorAll('.row[id]')]
      .map((row) => ({ seq: Number(row.id.slice(1)), top: row.getBoundingClientRect().top - edge.top, bottom: row.getBoundingClientRect().bottom - edge.top }))
      .filter(({ top, bottom }) => bottom > 0 && top < edge.height)
      .sort((one, other) => one.top - other.top)
      .map(({ seq, top }) => ({ seq, top }));
  });

/** Each row is followed by the one that came next in the journal. */
function isUnbroken(shown: readonly number[]): boolean {
  const first = shown[0];
  return first !== undefined && shown.every((seq, at) => at === 0 || seq === (shown[at - 1] ?? 0) + ((shown[at - 1] ?? 0) % 4 === 2 ? 2 : 1));
}

/** How many different events of the journal are alive in the page, whoever holds them. */
async function eventsHeld(wire: CDPSession): Promise<number> {
  const { result: prototype } = await wire.send('Runtime.evaluate', { expression: 'Object.prototype', objectGroup: 'count' });
  const { objects } = await wire.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId ?? '', objectGroup: 'count' });
  const { result } = await wire.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: `function () {
      const isEvent = (one) => typeof one.seq === 'number' && typeof one.at === 'string' && /^(user|tool|assistant)\\./.test(one.type);
      return new Set(this.filter(isEvent).map(({ seq }) => seq)).size;
    }`,
    returnByValue: true,
  });
  await wire.send('Runtime.releaseObjectGroup', { objectGroup: 'count' });
  return Number(result.value);
}
