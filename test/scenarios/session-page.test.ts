import { rm } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawSignal } from '../../src/agents/demo/program/picture.ts';
import type { ServerFrame } from '../../src/protocol/frame.ts';
import type { SessionId } from '../../src/protocol/ids.ts';
import type { Session, Status } from '../../src/protocol/session.ts';
import { accessibilityViolations } from '../support/browser/accessibility.ts';
import { buildWeb } from '../support/browser/build-web.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE } from '../support/browser/person.ts';
import { openReplayServer, type ReplayServer } from '../support/replay/replay-server.ts';
import { journalOf, longStory } from '../support/replay/sample-journal.ts';
import { kindsSession } from '../support/replay/sample-kinds.ts';
import { sampleSessions, sessionOf } from '../support/replay/sample-sessions.ts';
import { waitFor } from '../support/wait-for.ts';

const found = findChromium();
const KINDS = 'kinds' as SessionId;
const FILES = ['src/cart/merge.ts', 'src/cart/merge.test.ts', 'docs/my notes.md'];

describe.skipIf('skip' in found)(`a session in a real browser${'skip' in found ? ` (${found.skip})` : ''}`, () => {
  let browser: Browser;
  let webRoot: string;
  let replay: ReplayServer;
  let context: BrowserContext;
  let page: Page;
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
    replay = await openReplayServer([...sampleSessions(), kindsSession()], webRoot);
    const original = replay.book.http.bind(replay.book);
    replay.book.http = (url) => (url.pathname.endsWith('/file-names') ? namesFor(url) : original(url));
  });
  afterEach(async () => {
    await context?.close();
    await replay?.close();
  });

  const namesFor = (url: URL) => ({ files: FILES.filter((path) => path.includes(url.searchParams.get('find') ?? '')), whole: true });

  type Prepare = (page: Page) => Promise<unknown>;
  async function visit(address: string, viewport = DESKTOP, colorScheme: 'dark' | 'light' = 'dark', prepare?: Prepare): Promise<void> {
    context = await browser.newContext({ viewport, colorScheme, hasTouch: viewport === PHONE, reducedMotion: 'reduce', serviceWorkers: 'block' });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await prepare?.(page);
    await page.goto(replay.url + address);
  }

  const field = () => page.getByLabel('Message', { exact: true });
  const row = (text: string) => page.locator('.row', { hasText: text });
  const distance = () => page.locator('.transcript').evaluate((area) => area.scrollHeight - area.scrollTop - area.clientHeight);
  const isAtEnd = async () => (await distance()) < 2;
  const done = () => page.getByText('All of it is done').waitFor();

  function setStatus(status: Status): void {
    const kinds = replay.book.pages.get(KINDS);
    if (kinds === undefined) return;
    const session: Session = { ...kinds.session, status };
    kinds.session = session;
    replay.book.tell({ type: 'status', sessionId: KINDS, status, session });
  }

  for (const [scheme, viewport] of [
    ['dark', DESKTOP],
    ['light', DESKTOP],
    ['dark', PHONE],
    ['light', PHONE],
  ] as const) {
    test(`every kind of card has no serious accessibility issue, fits the screen and violates no policy (${scheme}, ${viewport.width} px)`, async () => {
      await visit('s/kinds', viewport, scheme);
      await done();
      await page.getByRole('link', { name: 'the docs' }).waitFor();
      await page.screenshot({ path: `.cache/screenshots/session-${viewport.width}-${scheme}.png` });
      await field().fill('/');
      await page.getByRole('option', { name: '/compact' }).waitFor();
      const barriers = await accessibilityViolations(page);
      await page.screenshot({ path: `.cache/screenshots/session-kinds-${scheme}-${viewport.width}.png` });

      expect(barriers).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      expect(complaints).toEqual([]);
    });
  }

  test('[R283] the first text is drawn in its final fonts and never redrawn', async () => {
    await visit(`s/${KINDS}`, DESKTOP, 'dark', (opened) =>
      opened.addInitScript(() => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('.transcript .row') === null) return;
          observer.disconnect();
          Reflect.set(
            window,
            'loadedFonts',
            [...document.fonts].flatMap(({ status, family }) => (status === 'loaded' ? [family.replaceAll('"', '')] : [])),
          );
        });
        observer.observe(document, { childList: true, subtree: true });
      }),
    );
    await page.locator('.transcript .row').first().waitFor();

    expect(await page.evaluate(() => Reflect.get(window, 'loadedFonts'))).toEqual(expect.arrayContaining(['IBM Plex Sans Variable', 'IBM Plex Mono']));
  });

  test('[R284] while a session loads, the page says so', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await visit(`s/${KINDS}`, DESKTOP, 'dark', (opened) =>
      opened.routeWebSocket(/\/ws$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage(async (message) => {
          if (String(message).startsWith('{"type":"snapshot"')) await released;
          socket.send(message);
        });
      }),
    );
    const loading = page.getByText('Loading…');
    await loading.waitFor();
    expect(await page.locator('.transcript .row').count()).toBe(0);
    release();
    await page.locator('.transcript .row').first().waitFor();

    expect(await loading.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  for (const viewport of [DESKTOP, PHONE])
    test(`[R285] the first paint of a transcript fills the screen and ends with its last row (${viewport.width} px)`, async () => {
      const events = journalOf(new Date(), longStory(60));
      await replay.close();
      replay = await openReplayServer([{ session: sessionOf({ id: 'long', title: 'A long session', lastSeq: events.length }), events }], webRoot);
      await visit('s/long', viewport, 'dark', (opened) =>
        opened.addInitScript(() => {
          const observer = new MutationObserver(() => {
            const area = document.querySelector('.transcript');
            const [first, last] = [area?.querySelector('.row'), area?.querySelector('.row.last')];
            if (!area || !first) return;
            observer.disconnect();
            const { top, bottom } = area.getBoundingClientRect();
            const ends = last?.getBoundingClientRect();
            Reflect.set(window, 'firstPaint', {
              startsAbove: first.getBoundingClientRect().top <= top,
              endsWithLast: ends !== undefined && ends.bottom <= bottom && ends.bottom > bottom - 60,
            });
          });
          observer.observe(document, { childList: true, subtree: true });
        }),
      );
      await page.locator('.transcript .row.last').waitFor();

      expect(await page.evaluate(() => Reflect.get(window, 'firstPaint'))).toEqual({ startsAbove: true, endsWithLast: true });
      expect(complaints).toEqual([]);
    });

  test('a tool call is one line that summarizes it by its kind', async () => {
    await visit('s/kinds');
    await done();
    const lines = await page.locator('.row-tool > .row-body > .tool > .fold > .fold-head .tool-line').allInnerTexts();

    expect(lines.map((line) => line.replaceAll('\n', ' '))).toEqual([
      'To-do list 0 of 3 done · Find the shard that fails',
      'Run npm test -- --reporter verbose failed, 41 s',
      'Run git log --oneline',
      'Read src/cart/merge.ts:30–49 2 lines',
      'Search waitForTimeout in test 3 results',
      'Web https://example.com/queues',
      'issues · create_comment issue: 41, body: Found it.',
      'Agent explore: who else waits on timers 9 tools, 38 s',
      'To-do list 1 of 3 done · Replace the timer by the queue',
    ]);
  });

  test('[R257] an output keeps its colors but no other escape sequences, and is shown in full on demand', async () => {
    await visit('s/kinds');
    await done();
    await row('npm test').locator('.fold-head').click();
    const output = row('npm test').locator('.tool-output pre');
    await output.waitFor();

    expect(await output.innerText()).toContain('downloading 100 %\nTests: 1 failed, 61 passed');
    expect(await output.innerText()).not.toMatch(/\[\d*m|55 %|a title/);
    expect(await output.locator('.ansi-green').innerText()).toBe('✓');
    await row('git log').locator('.fold-head').click();
    expect(await row('git log').locator('pre').innerText()).not.toContain('commit 1\n');
    await page.getByRole('button', { name: 'Show all 80 lines' }).click();
    expect(await row('git log').locator('pre').innerText()).toMatch(/^commit 1\n[\s\S]*commit 80$/);
  });

  test('a subagent shows its latest steps, and all of them on demand', async () => {
    await visit('s/kinds');
    await done();
    const steps = page.locator('.branch .tool');
    expect(await steps.count()).toBe(2);
    await page.getByRole('button', { name: '7 earlier steps' }).click();
    expect(await steps.count()).toBe(9);
    await page.getByRole('button', { name: 'Collapse' }).click();
    expect(await steps.count()).toBe(2);
  });

  test("the agent's to-do list is shown in one place and always current", async () => {
    await visit('s/kinds');
    await done();
    const strip = page.getByRole('region', { name: 'To-do list' });
    await strip.getByText('1 of 3 done · Replace the timer by the queue').waitFor();
    await strip.getByRole('button').click();
    expect(await strip.locator('.todo').allInnerTexts()).toEqual(['Find the shard that fails', 'Replace the timer by the queue', 'Run the suite three times']);
    const todos = [{ content: 'Only this is left', status: 'in_progress' }];
    replay.book.append(KINDS, { type: 'tool.started', toolUseId: 'z1', name: 'TodoWrite', input: { todos } });
    await strip.getByText('0 of 1 done · Only this is left').waitFor();
    replay.book.append(KINDS, { type: 'tool.started', toolUseId: 'z2', name: 'TodoWrite', input: { todos: [{ ...todos[0], status: 'completed' }] } });
    await strip.waitFor({ state: 'detached' });
  });

  test("the agent's commands and the files in its folder are suggested, and can be chosen with keys alone", async () => {
    await visit('s/kinds');
    await done();
    await field().focus();
    await page.keyboard.type('/c');
    const selected = page.locator('[role="option"][aria-selected="true"]');
    await selected.getByText('/compact').waitFor();
    expect(await field().getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    await selected.getByText('/context').waitFor();
    await page.keyboard.press('Tab');
    expect(await field().inputValue()).toBe('/context ');

    await field().fill('');
    await page.keyboard.type('look at @merge');
    await page.getByRole('option', { name: 'src/cart/merge.test.ts' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field().inputValue()).toBe('look at @src/cart/merge.test.ts ');
    await page.keyboard.type('and @notes');
    await page.getByRole('option', { name: 'docs/my notes.md' }).click();
    expect(await field().inputValue()).toBe('look at @src/cart/merge.test.ts and @"docs/my notes.md" ');
    await page.keyboard.press('Enter');
    await waitFor('the message', () => replay.received.some(({ type }) => type === 'input'));
    expect(replay.received.filter(({ type }) => type === 'input')).toMatchObject([{ text: 'look at @src/cart/merge.test.ts and @"docs/my notes.md" ' }]);
  });

  test('Esc closes suggestions before it interrupts anything', async () => {
    await visit('s/kinds');
    await done();
    setStatus('busy');
    await page.getByRole('button', { name: /Interrupt/ }).waitFor();
    await field().focus();
    await page.keyboard.type('/');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Esc again/ }).waitFor();
    expect(replay.received.filter(({ type }) => type === 'interrupt')).toEqual([]);
    await page.keyboard.press('Escape');
    await waitFor('the interruption', () => replay.received.some(({ type }) => type === 'interrupt'));
  });

  test('the arrow key brings back earlier messages, and the current draft is not lost', async () => {
    await visit('s/kinds');
    await done();
    await field().fill('half a thought');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    expect(await field().inputValue()).toBe('Show me every kind of work you do.');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    expect(await field().inputValue()).toBe('half a thought');
  });

  test('a suggested reply is put into the field with one tap', async () => {
    await visit('s/kinds', PHONE);
    await done();
    await page.getByRole('button', { name: 'commit it' }).tap();
    expect(await field().inputValue()).toBe('commit it');
    expect(await page.getByRole('list', { name: 'Suggested replies' }).count()).toBe(0);
  });

  test('the header is one line with the memory of the process, and health shows what fills the context', async () => {
    await visit('s/kinds');
    await done();
    await page.getByText('310 MB').waitFor();
    expect((await page.locator('.session-head').boundingBox())?.height).toBeLessThan(56);
    await page.getByRole('button', { name: /^Health/ }).click();
    await expect.poll(() => page.locator('.context-parts dd').allInnerTexts()).toEqual(['20k', '4k', '800', '176k']);
  });

  test('on a phone the header hides its details, but never that permissions are bypassed', async () => {
    const kinds = replay.book.pages.get(KINDS) ?? expect.fail();
    kinds.session = { ...kinds.session, permissionMode: 'bypassPermissions' };
    await visit('s/kinds', PHONE);
    await done();
    await page.getByText('Bypasses permissions').first().waitFor();
    expect(await page.getByText('310 MB').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Details' }).tap();
    await page.getByText('310 MB').waitFor();
  });

  test('[R258] the end stays visible while the last text grows, a picture arrives and the field grows', async () => {
    await visit('s/kinds');
    await done();
    const delta = (text: string, offset: number): ServerFrame => ({
      ...{ type: 'delta', sessionId: KINDS, itemId: 'g1', messageId: 'g', index: 0, kind: 'text' },
      ...{ text, offset },
    });
    for (let at = 0; at < 40; at += 1) replay.book.tell(delta(`line ${at}\n\n`.padEnd(12), at * 12));
    await page.getByText('line 39').waitFor();
    await waitFor('the end after text', isAtEnd);

    replay.book.append(KINDS, { type: 'assistant.text', itemId: 'g1', messageId: 'g', index: 0, text: 'All lines.' });
    await page.getByText('All lines.').waitFor();
    await page.route('**/api/blobs/*', (route) => route.fulfill({ contentType: 'image/png', body: drawSignal(240) }));
    const image = { mediaType: 'image/png', sha256: 'a'.repeat(64), bytes: 900 };
    replay.book.append(KINDS, { type: 'user.message', text: 'look at this', origin: 'person', images: [image] });
    await page.locator('.picture img').evaluate((picture: HTMLImageElement) => picture.decode());
    await waitFor('the end after a picture', isAtEnd);

    await field().fill(Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n'));
    await waitFor('the end above a field that has grown', isAtEnd);
  });

  test('a reader who scrolled up is not moved by new text or a growing field, and one click leads back to the end', async () => {
    await visit('s/kinds');
    await done();
    const area = page.locator('.transcript');
    await area.evaluate((element) => element.scrollTo(0, 0));
    await page.getByText('Jump to end').waitFor();
    for (const at of [1, 2, 3]) replay.book.append(KINDS, { type: 'assistant.text', itemId: `n${at}`, messageId: `n${at}`, index: 0, text: `news ${at}` });
    await page.getByText('3 new').waitFor();
    await field().fill('a\nb\nc\nd\ne\nf');
    expect(await area.evaluate((element) => element.scrollTop)).toBe(0);
    await page.getByText('3 new').click();
    await page.getByText('news 3').waitFor();
    await waitFor('the end', isAtEnd);
  });

  test('[R259] a screen reader hears that a session needs you and that a turn finished, but never the text itself', async () => {
    await visit('s/kinds');
    await done();
    const status = page.locator('main .hidden-words[role="status"]');
    expect(await status.innerText()).toBe('');
    setStatus('busy');
    replay.book.tell({ type: 'delta', sessionId: KINDS, itemId: 'g1', messageId: 'g', index: 0, kind: 'text', text: 'many words', offset: 0 });
    await page.getByText('many words').waitFor();
    expect(await status.innerText()).toBe('');
    setStatus('waiting');
    await expect.poll(() => status.innerText()).toBe('Needs you');
    setStatus('busy');
    setStatus('idle');
    await expect.poll(() => status.innerText()).toBe('Turn finished');
    expect(await page.locator('.transcript').getAttribute('aria-live')).toBe('off');
  });

  test('a window that does not fill the screen loads earlier events on its own', async () => {
    const original = replay.book.answer.bind(replay.book);
    // Like a past session that was just adopted: at first only what happened here is sent.
    replay.book.answer = (frame) => original(frame).map((answer) => (answer.type === 'snapshot' ? lastOf(answer) : answer));
    await visit('s/long');
    await page.getByText('answer 399').waitFor();
    await page.getByText('question 397', { exact: true }).waitFor();
    await waitFor('the end', isAtEnd);
  });
});

type Snapshot = Extract<ServerFrame, { type: 'snapshot' }>;

function lastOf(snapshot: Snapshot): Snapshot {
  const events = snapshot.events.slice(-2);
  return { ...snapshot, events, firstSeq: events[0]?.seq ?? snapshot.firstSeq };
}
