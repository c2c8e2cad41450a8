import { rm } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildWeb } from '../support/browser/build-web.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { openReplayServer, type ReplayServer } from '../support/replay/replay-server.ts';
import { journalOf, type SampleEvent } from '../support/replay/sample-journal.ts';
import { sessionOf } from '../support/replay/sample-sessions.ts';

const found = findChromium();
const session = sessionOf({ id: 'two', title: 'Two at once', status: 'waiting', waiting: 2 }, 5);
const created: SampleEvent = { type: 'session.created', agent: 'demo', cwd: session.cwd, node: 'local', owner: 'ada', options: {} };
const requestEvent = (id: string, fields: Readonly<Record<string, unknown>>): SampleEvent => ({
  type: 'permission.requested',
  requestId: id,
  agentRequestId: id,
  kind: 'tool',
  tool: 'any',
  ...fields,
});
const command = (id: string, text: string) => requestEvent(id, { input: { command: text }, subject: { kind: 'command', command: text, field: 'command' } });
const DECIDED_ELSEWHERE = { type: 'permission.resolved', outcome: 'allowed', actor: { kind: 'person', id: 'bob', name: 'Bob' } };

describe.skipIf('skip' in found)(`cards in a real browser${'skip' in found ? ` (${found.skip})` : ''}`, () => {
  let browser: Browser;
  let webRoot: string;
  let replay: ReplayServer;
  let context: BrowserContext;

  beforeAll(async () => {
    webRoot = await buildWeb();
    if ('path' in found) browser = await sharedChromium(found.path);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(webRoot, { recursive: true, force: true });
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  });
  afterEach(async () => {
    await context?.close();
    await replay?.close();
  });

  async function visit(...requests: readonly SampleEvent[]): Promise<Page> {
    const events = journalOf(new Date(Date.now() - 60_000), [created, ...requests]);
    replay = await openReplayServer([{ session: { ...session, lastSeq: events.length }, events }], webRoot);
    const page = await context.newPage();
    await page.goto(`${replay.url}s/two`);
    return page;
  }
  const card = (page: Page, id: string) => page.locator(`[data-request="${id}"]`);
  const answers = () => replay.received.filter((frame) => frame.type === 'permission');

  test('a card that somebody else decided stays in place, and a key meant for it answers no other card', async () => {
    const page = await visit(command('r1', 'echo one'), command('r2', 'rm -rf two'));
    await card(page, 'r1').getByRole('button', { name: 'Allow' }).waitFor();
    replay.book.append('two', { ...DECIDED_ELSEWHERE, requestId: 'r1' });
    await card(page, 'r1').getByText('Bob allowed this').waitFor();
    await page.keyboard.press('y');
    await page.locator('.decided').waitFor();
    await page.keyboard.press('y');
    // A press right after a card disappears is ignored on purpose: a person presses again.
    await expect
      .poll(async () => {
        await card(page, 'r2').click({ position: { x: 5, y: 5 } });
        await page.keyboard.press('n');
        return card(page, 'r2').getByLabel('Reason').count();
      })
      .toBe(1);
    expect(answers()).toEqual([]);
  });

  test('after an answer given here, keys act on the next card', async () => {
    const page = await visit(command('r1', 'echo one'), command('r2', 'echo two'));
    await card(page, 'r1').locator('[aria-keyshortcuts="y"]').waitFor();
    await page.keyboard.press('y');
    await card(page, 'r2').locator('[aria-keyshortcuts="y"]').waitFor();
    expect(answers()).toMatchObject([{ requestId: 'r1', behavior: 'allow' }]);
  });

  test('[R281] a key on a focused button works even when another card has just disappeared', async () => {
    const page = await visit(command('r1', 'echo one'), command('r2', 'echo two'));
    await card(page, 'r2').getByRole('button', { name: 'Allow' }).focus();
    // Does what Enter on a button does, at the exact moment the other card disappears.
    await page.evaluate(() => {
      const watch = new MutationObserver(() => {
        if (document.querySelector('[data-request="r1"]') !== null) return;
        watch.disconnect();
        if (document.activeElement instanceof HTMLElement) document.activeElement.click();
      });
      watch.observe(document.body, { childList: true, subtree: true });
    });
    replay.book.append('two', { ...DECIDED_ELSEWHERE, requestId: 'r1' });
    await expect.poll(answers).toMatchObject([{ requestId: 'r2', behavior: 'allow' }]);
  });

  for (const width of [1440, 390]) {
    test(`a key answers the card that a person selected, even when its place in the transcript is not loaded (${width} px)`, async () => {
      const talk = Array.from({ length: 250 }, (_, at): SampleEvent => ({ type: 'assistant.text', messageId: `m${at}`, index: 0, text: `line ${at}` }));
      const page = await visit(command('r1', 'echo early'), ...talk, command('r2', 'rm -rf late'));
      await page.setViewportSize({ width, height: 900 });
      await card(page, 'r2').waitFor();
      await card(page, 'r1').click({ position: { x: 5, y: 5 } });
      await card(page, 'r1').locator('[aria-keyshortcuts="y"]').waitFor();
      expect(await page.locator('[aria-keyshortcuts="y"]').count()).toBe(1);
      await page.keyboard.press('y');
      await expect.poll(answers).toMatchObject([{ requestId: 'r1', behavior: 'allow' }]);
    });
  }

  for (const width of [1440, 390]) {
    test(`[R289] a request that arrives right after another was decided elsewhere ignores keys until it is selected (${width} px)`, async () => {
      const page = await visit(command('r1', 'echo one'));
      await page.setViewportSize({ width, height: 900 });
      await card(page, 'r1').locator('[aria-keyshortcuts="y"]').waitFor();
      replay.book.append('two', { ...DECIDED_ELSEWHERE, requestId: 'r1' });
      replay.book.append('two', command('r2', 'rm -rf two'));
      await card(page, 'r2').getByRole('button', { name: 'Allow' }).waitFor();
      await page.locator('.decided').waitFor();
      await page.keyboard.press('y');
      expect(await card(page, 'r2').locator('[aria-keyshortcuts]').count()).toBe(0);
      expect(answers()).toEqual([]);
      await card(page, 'r2').click({ position: { x: 5, y: 5 } });
      await card(page, 'r2').locator('[aria-keyshortcuts="y"]').waitFor();
      await page.keyboard.press('y');
      await expect.poll(answers).toMatchObject([{ requestId: 'r2', behavior: 'allow' }]);
    });
  }

  test('[R289] a second quick press after an answer does not answer the next card', async () => {
    const page = await visit(command('r1', 'echo one'), command('r2', 'rm -rf two'));
    await card(page, 'r1').locator('[aria-keyshortcuts="y"]').waitFor();
    // Both within a few frames: through the driver, the second press would be slow on a busy machine.
    await page.evaluate(async () => {
      const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true, cancelable: true }));
      press();
      await new Promise(requestAnimationFrame);
      press();
    });
    await card(page, 'r2').locator('[aria-keyshortcuts="y"]').waitFor();
    expect(answers()).toMatchObject([{ requestId: 'r1', behavior: 'allow' }]);
  });

  test('a question that cannot be parsed is shown raw and cannot be answered', async () => {
    const page = await visit(requestEvent('q', { kind: 'question', input: { questions: 'Which?' }, subject: { kind: 'other' } }));
    await card(page, 'q').getByText('Which?').waitFor();
    await page.keyboard.press('y');
    expect(await card(page, 'q').getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true);
    expect(answers()).toEqual([]);
  });

  test('a diff shows text hidden behind many spaces and a removed newline at the end', async () => {
    const input = { file_path: 'a.ts', old_string: '// verify\n', new_string: `// verify${' '.repeat(300)}evil()`, timeout: 9 };
    const page = await visit(requestEvent('e', { input, subject: { kind: 'edit', paths: ['a.ts'] } }));
    await card(page, 'e').getByText('300 spaces').waitFor();
    await card(page, 'e').getByText('No newline at end of file').waitFor();
    await card(page, 'e').getByText('timeout').waitFor();
    const hidden = await card(page, 'e').evaluate((element) =>
      [...element.querySelectorAll('.diff-lines')].map((lines) => lines.scrollWidth - lines.clientWidth),
    );
    expect(hidden).toEqual([0]);
  });
});
