import { rm } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildWeb } from '../support/browser/build-web.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { openReplayServer, type ReplayServer } from '../support/replay/replay-server.ts';
import { journalOf, type SampleEvent } from '../support/replay/sample-journal.ts';
import { sessionOf } from '../support/replay/sample-sessions.ts';

const found = findChromium();
const session = sessionOf({ id: 'hostile', title: 'Hostile output', status: 'waiting', waiting: 1 }, 5);
const created: SampleEvent = { type: 'session.created', agent: 'demo', cwd: session.cwd, node: 'local', owner: 'ada', options: {} };
const textEvent = (text: string, at: number): SampleEvent => ({ type: 'assistant.text', messageId: `m${at}`, index: 0, text });
const requestEvent = (fields: Readonly<Record<string, unknown>>): SampleEvent => ({
  type: 'permission.requested',
  requestId: 'r1',
  agentRequestId: 'r1',
  kind: 'tool',
  tool: 'any',
  ...fields,
});
const command = (text: string) => requestEvent({ input: { command: text }, subject: { kind: 'command', command: text, field: 'command' } });

const HOSTILE = {
  quotes: `${'>'.repeat(2500)} needle`,
  bullets: `${'- '.repeat(1500)}needle`,
  'quotes and lists': `${'> - '.repeat(900)}needle`,
  emphasis: `${'*a '.repeat(2500)}needle${' b*'.repeat(2500)}`,
} as const;
const LIMIT_MS = 10_000;
const NOTE = 'Shown as plain text';

/** Makes every text with this word impossible to render: it can't be split by a pattern, which cards, outputs and diffs need. */
const POISON = 'undrawable';
const poison = (word: string) => {
  const split = RegExp.prototype[Symbol.split];
  RegExp.prototype[Symbol.split] = function (text, limit) {
    if (text.includes(word)) throw new RangeError('Maximum call stack size exceeded');
    return split.call(this, text, limit);
  };
};

describe.skipIf('skip' in found)(`hostile output in a real browser${'skip' in found ? ` (${found.skip})` : ''}`, () => {
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
  afterEach(async () => {
    await context?.close();
    await replay?.close();
  });

  async function visit(width: number, transcript: readonly SampleEvent[], word?: string): Promise<Page> {
    context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    if (word !== undefined) await context.addInitScript(poison, word);
    const events = journalOf(new Date(Date.now() - 60_000), [created, ...transcript]);
    replay = await openReplayServer([{ session: { ...session, lastSeq: events.length }, events }], webRoot);
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(`${replay.url}s/hostile`);
    return page;
  }

  /** A person must always be able to send a message and allow the request. */
  async function sendAndAllow(page: Page, allowed = page.locator('.decided').getByText('Allowed')): Promise<void> {
    await page.getByRole('textbox', { name: /^Message/ }).fill('still here');
    await page.locator('button.send').click();
    await expect.poll(() => replay.received.filter((frame) => frame.type === 'input')).toMatchObject([{ text: 'still here' }]);
    await allow(page, 'Allow');
    await allowed.waitFor();
  }

  /** A click while a card moves is ignored on purpose: a person clicks again. */
  async function allow(page: Page, name: string): Promise<void> {
    const button = page.locator('[data-request="r1"]').getByRole('button', { name });
    const answers = () => replay.received.filter((frame) => frame.type === 'permission');
    await expect
      .poll(async () => {
        if (answers().length === 0) await button.click();
        return answers();
      })
      .toMatchObject([{ requestId: 'r1', behavior: 'allow' }]);
  }

  for (const width of [1440, 390]) {
    for (const [name, text] of Object.entries(HOSTILE)) {
      test(`[R298] nested ${name} are shown as plain text, and a person can still send and allow, at ${width} px`, async () => {
        const page = await visit(width, [textEvent('words **before**', 1), textEvent(text, 2), textEvent('words **after**', 3), command('echo one')]);
        const row = page.locator('.row-text').filter({ hasText: 'needle' });
        await row.getByText(NOTE).waitFor();
        expect(await row.innerText()).toContain(text);
        await page.locator('strong', { hasText: 'before' }).waitFor();
        await page.locator('strong', { hasText: 'after' }).waitFor();
        await sendAndAllow(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      });
    }

    test(`[R298] a hostile message that is still streaming breaks nothing, at ${width} px`, async () => {
      const page = await visit(width, [textEvent('words **before**', 1), command('echo one')]);
      await page.locator('strong', { hasText: 'before' }).waitFor();
      const text = `the **start**\n\n${HOSTILE['quotes and lists']}`;
      for (let offset = 0; offset < text.length; offset += 400) {
        const delta = { itemId: 'i1', messageId: 'm9', index: 0, kind: 'text', text: text.slice(offset, offset + 400), offset } as const;
        replay.book.tell({ type: 'delta', sessionId: session.id, ...delta });
      }
      const row = page.locator('.row-text').filter({ hasText: 'needle' });
      await row.getByText(NOTE).waitFor();
      await row.locator('strong', { hasText: 'start' }).waitFor();
      replay.book.append('hostile', { ...textEvent(text, 9), itemId: 'i1' });
      await expect.poll(() => row.getByText(NOTE).count()).toBe(1);
      await sendAndAllow(page);
    });

    test(`[R298] a plan that cannot be formatted can be read and approved, at ${width} px`, async () => {
      const page = await visit(width, [requestEvent({ kind: 'plan', tool: 'ExitPlanMode', input: { plan: `# The plan\n\n${HOSTILE.bullets}` } })]);
      const card = page.locator('[data-request="r1"]');
      await card.getByText(NOTE).waitFor();
      await card.getByRole('heading', { name: 'The plan' }).waitFor();
      await allow(page, 'Approve');
    });

    test(`[R299] content that cannot be rendered is plain text inside its card or item, and everything else works, at ${width} px`, async () => {
      const page = await visit(
        width,
        [
          textEvent('words **before**', 1),
          { type: 'tool.started', toolUseId: 't1', name: 'Bash', input: { command: 'false' } },
          { type: 'tool.completed', toolUseId: 't1', output: `${POISON} output`, isError: true },
          command(`echo ${POISON}`),
        ],
        POISON,
      );
      await page.locator('strong', { hasText: 'before' }).waitFor();
      await page.locator('.row-tool').getByText(NOTE).waitFor();
      expect(await page.locator('.row-tool').innerText()).toContain(`${POISON} output`);
      expect(await page.locator('[data-request="r1"] .request-body').innerText()).toMatch(new RegExp(`${NOTE}[^]*echo ${POISON}`));
      await sendAndAllow(page, page.locator('.row-permission').getByText('"outcome": "allowed"'));
    });

    test(`[R299] deeply nested subagents are shown only as deep as the page can handle, at ${width} px`, async () => {
      const calls = Array.from({ length: 150 }, (_, at): SampleEvent => {
        const parent = at === 0 ? {} : { parentToolUseId: `t${at - 1}` };
        return { type: 'tool.started', toolUseId: `t${at}`, name: 'Task', input: { prompt: `level ${at}` }, ...parent };
      });
      const page = await visit(width, [...calls, command('echo one')]);
      await page.getByText('1 step nested too deep to show here').waitFor();
      await sendAndAllow(page);
    });
  }
});
