import { rm } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { buildWeb } from '../support/browser/build-web.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { openReplayServer, type ReplayServer } from '../support/replay/replay-server.ts';
import { sampleSessions } from '../support/replay/sample-sessions.ts';

const found = findChromium();
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

describe.skipIf('skip' in found)(`the page in a real browser${'skip' in found ? ` (${found.skip})` : ''}`, () => {
  let browser: Browser;
  let webRoot: string;
  let replay: ReplayServer;
  let context: BrowserContext;
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
    replay = await openReplayServer(sampleSessions(), webRoot);
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

  const surfaces = [
    ['the deck', '', 'Rotate signing keys'],
    ['a session', 's/flaky', 'Queued (saved)'],
    ['a finished session', 's/cache', 'Context compacted'],
    ['the inbox', 'inbox', 'wants to run'],
  ] as const;
  for (const [name, address, words] of surfaces) {
    for (const [scheme, viewport] of [
      ['dark', DESKTOP],
      ['light', PHONE],
    ] as const) {
      test(`${name} has no serious accessibility issue, fits the screen and violates no policy (${scheme}, ${viewport.width} px)`, async () => {
        const page = await visit(address, viewport, scheme);
        await page.getByText(words).first().waitFor();
        const barriers = await accessibilityViolations(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

        expect(barriers).toEqual([]);
        expect(overflow).toBe(0);
        expect(complaints).toEqual([]);
      });
    }
  }

  test('the one script that the page waits for asks to be compiled while it loads', async () => {
    const page = await visit('');
    const first = page.waitForResponse((response) => /\/first-[^/]*\.js$/.test(response.url()));
    await page.reload();
    expect((await (await first).text()).split('\n', 1)).toEqual(['//# allFunctionsCalledOnLoad']);
  });

  test('the dialog for a new session has no serious accessibility issue and says why an agent is missing', async () => {
    const page = await visit('');
    await page.getByText('Flaky test').first().waitFor();
    await page.keyboard.press('c');
    await page.getByText(/^Not installed: /).click();
    await page.getByText('Not found on PATH').waitFor();
    const barriers = await accessibilityViolations(page, { within: 'dialog' });

    expect(barriers).toEqual([]);
  });

  test('one key allows a request, and the page then says who decided', async () => {
    const page = await visit('s/flaky');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await page.keyboard.press('y');
    await page.getByText('You allowed this').waitFor();

    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
    expect(await page.title()).toBe('Flaky test in checkout suite · Signalbox');
  });

  test('a request is denied with a reason that reaches the server', async () => {
    const page = await visit('inbox');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByLabel('Reason').fill('use the other shard');
    await page.getByLabel('Reason').press('Enter');
    await page.getByText('Nothing needs you').waitFor();

    expect(replay.received.find((frame) => frame.type === 'permission')).toMatchObject({ behavior: 'deny', message: 'use the other shard' });
  });

  test('a draft survives a reload; a message sent to a server that does not answer survives it too and is accepted once', async () => {
    const page = await visit('s/cache');
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('half a thought');
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('half a thought');
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    replay.isMute = true;
    await field.press('Enter');
    await page.getByText('sending…').waitFor();
    replay.isMute = false;
    await page.reload();
    await page.getByText('Queued (saved)').waitFor();
    const accepted = replay.book.pages.get('cache')?.events.filter((event) => event.type === 'input.accepted' && event.text === 'half a thought');

    expect(accepted).toHaveLength(1);
    expect(await field.inputValue()).toBe('');
  });

  test('the transcript follows new text at its end and never moves a reader who scrolled up', async () => {
    const page = await visit('s/flaky');
    const distance = () => page.locator('.transcript').evaluate((area) => area.scrollHeight - area.scrollTop - area.clientHeight);
    await page.getByText('Queued (saved)').waitFor();
    replay.book.append('flaky', { type: 'assistant.text', itemId: 'n1', messageId: 'n', index: 0, text: 'first news' });
    await page.getByText('first news').waitFor();
    await expect.poll(distance).toBeLessThan(2);
    for (const count of [1, 2, 3])
      await page
        .getByLabel('Message', { exact: true })
        .fill(`message ${count}`)
        .then(() => page.keyboard.press('Enter'));
    await page.getByText('message 3').waitFor();
    await expect.poll(distance).toBeLessThan(2);
    await page.locator('.transcript').hover();
    await page.mouse.wheel(0, -10_000);
    await page.getByText('Jump to end').waitFor();
    await expect.poll(() => page.locator('.transcript').evaluate((area) => area.scrollTop)).toBe(0);
    replay.book.append('flaky', { type: 'assistant.text', itemId: 'n2', messageId: 'n', index: 1, text: 'second news' });
    await page.getByText('1 new').waitFor();

    expect(await page.locator('.transcript').evaluate((area) => area.scrollTop)).toBe(0);
    await page.getByText('1 new').click();
    await page.getByText('second news').waitFor();
  });

  test('[R282] slow scrolling away from the end is not undone by new text', async () => {
    const page = await visit('s/long');
    const distance = () => page.locator('.transcript').evaluate((area) => area.scrollHeight - area.scrollTop - area.clientHeight);
    await page.getByText('answer 399').waitFor();
    await expect.poll(distance).toBeLessThan(2);
    await page.locator('.transcript').hover();
    for (const count of [1, 2, 3, 4]) {
      const before = await distance();
      // A person keeps scrolling when nothing moves: a row that is measured for the first time just then can cancel a scroll that has only started.
      const scrollUp = async () => {
        await page.mouse.wheel(0, -8);
        return distance();
      };
      await expect.poll(scrollUp).toBeGreaterThan(before);
      replay.book.append('long', { type: 'assistant.text', itemId: `g${count}`, messageId: `g${count}`, index: 0, text: `grown ${count}` });
      await page.getByText(`${count} new`).waitFor();
    }
    expect(await distance()).toBeGreaterThan(4 * 8);
    await page.mouse.wheel(0, 10_000);
    await page.getByText('grown 4').waitFor();
    await expect.poll(distance).toBeLessThan(2);
    replay.book.append('long', { type: 'assistant.text', itemId: 'g5', messageId: 'g5', index: 0, text: 'grown 5' });
    await page.getByText('grown 5').waitFor();
    await expect.poll(distance).toBeLessThan(2);
  });

  test('older events load while scrolling up, and the visible text stays in place', async () => {
    const page = await visit('s/long');
    const area = page.locator('.transcript');
    await page.getByText('answer 399').waitFor();
    await area.evaluate((element) => element.scrollTo(0, 300));
    const mark = page.getByText(/^question 35\d/).first();
    const before = { text: await mark.textContent(), y: (await mark.boundingBox())?.y ?? 0 };
    await expect.poll(() => page.getByText('More above').count()).toBe(1);
    await expect.poll(() => area.evaluate((element) => element.scrollHeight)).toBeGreaterThan(15_000);
    const after = (await page.getByText(before.text ?? '', { exact: true }).boundingBox())?.y ?? 0;

    expect(Math.abs(after - before.y)).toBeLessThan(60);
  });

  test('a link to an event opens there, however far back it is', async () => {
    const page = await visit('s/long#e41');
    await page.getByText('question 10', { exact: true }).waitFor();

    expect(await page.getByText('question 10', { exact: true }).isVisible()).toBe(true);
  });

  test('a lost connection is shown and recovers on its own', async () => {
    const page = await visit('');
    await page.getByText('Live', { exact: true }).waitFor();
    replay.isMute = true;
    replay.drop();
    await page.getByText(/No connection|Reconnecting/).waitFor();
    replay.isMute = false;
    replay.drop();
    await page.getByText('Live', { exact: true }).waitFor();

    expect(await page.getByText(/No connection/).count()).toBe(0);
  });
});
