import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Annotation } from '../../src/protocol/api/annotations.ts';
import type { Session } from '../../src/protocol/session.ts';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { accessibilityViolationsInBothThemes } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const CART = ['export function sum(prices) {', '  let total = 0;', '  const unused = 1;', '  return unused;', '}', ''].join('\n');

describe.skipIf('skip' in found || !isBuilt)('comments and reviews on the page, with the real Claude Code', () => {
  let browser: Browser;
  let opened: LiveSetup | { readonly skip: string };
  beforeAll(async () => {
    if ('path' in found) browser = await sharedChromium(found.path);
    opened = await startClaudeSetup('2.1.197');
  });
  afterAll(async () => {
    await browser?.close();
    if ('close' in opened) await opened.close();
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });

  for (const [name, size] of [
    ['at 1440 px', DESKTOP],
    ['on a phone', PHONE],
  ] as const) {
    test(`[R457] you comment on a line, a message and a command, look at the message, send it once and see what was skipped, ${name}`, async ({ skip }) => {
      if ('skip' in opened) return skip(opened.skip);
      const setup = opened;
      writeFileSync(join(setup.server.project, 'cart.js'), CART);
      const { id } = await setup.create('@BASH echo ready');
      const first = await setup.event(id, 'turn.completed');
      const { page, open } = await signInWithoutPage(browser, setup.server, size);
      const write = async (text: string, kind = 'Change') => {
        const dialog = page.getByRole('dialog', { name: /^Comment on/ });
        await dialog.getByLabel(kind, { exact: true }).check();
        await dialog.getByLabel('Comment', { exact: true }).fill(text);
        await dialog.getByRole('button', { name: 'Add comment' }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await open(`/s/${id}/files?path=cart.js`);
      await page.getByRole('button', { name: 'Comment on line 2', exact: true }).click();
      await write('Use cents. @REVIEW cart.js total cents');
      await open(`/s/${id}`);
      await page.locator('.row-text').hover();
      await page.locator('.row-text').getByRole('button', { name: 'Message actions' }).click();
      await page.getByRole('button', { name: 'Comment…' }).click();
      await write('Why?', 'Question');
      const call = page.locator('.row-tool');
      if ((await call.getByRole('button', { name: 'Comment', exact: true }).count()) === 0) await call.locator('summary, button').first().click();
      await call.getByRole('button', { name: 'Comment', exact: true }).click();
      await write('Never run this.');

      await page.getByRole('link', { name: 'Review (3)' }).click();
      const drafts = page.getByRole('region', { name: 'Drafts' });
      await drafts.getByText('cart.js:2').waitFor();
      await drafts.getByRole('button', { name: 'Preview', exact: true }).click();
      await drafts.getByText('<signalbox-review id="preview">').waitFor();
      expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
      await drafts.getByRole('button', { name: 'Send 3 comments' }).click();
      await page.getByRole('region', { name: 'Sent' }).waitFor();
      const edit = await setup.event(id, 'permission.requested', undefined, first.seq);
      expect(await setup.answer(edit.requestId, 'allow')).toBe(200);
      const skipped = page.getByRole('region', { name: 'Skipped' });
      await skipped.getByText('2 of 3 answered').waitFor();
      expect(await skipped.locator('.comment-text').allTextContents()).toEqual(['Never run this.']);
      const answered = page.getByRole('region', { name: 'Answered' });
      await answered.getByText('because nothing used it.').waitFor();
      await answered.getByRole('button', { name: 'Verify' }).first().click();
      await page.getByRole('region', { name: 'Settled' }).waitFor();
      await skipped.getByRole('button', { name: 'Ask again' }).click();
      const again = await setup.event(id, 'review.sent', (event) => event.annotations.length === 1, first.seq);
      expect(again.annotations[0]?.label).toBe('A1');
      expect((await api<Session>(setup.server, 'GET', `/api/sessions/${id}`)).body.drafts).toBeUndefined();
    });
  }

  test('[R510] you comment on words of a plan, see what is sent, and send it back; a second plan is approved with a comment', async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    const setup = opened;
    const { id } = await setup.create('@PLAN', { permissionMode: 'plan' });
    const asked = await setup.event(id, 'permission.requested');
    const { page, open } = await signInWithoutPage(browser, setup.server, DESKTOP);
    await open('/inbox');
    const card = page.locator(`[data-request="${asked.requestId}"]`);
    await card.getByText('Change one line').selectText();
    await page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Comment' }).waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Comment on the selected words' });
    await dialog.getByLabel('Comment', { exact: true }).fill('Which line?');
    // What is being typed is still there after a reload.
    await page.reload();
    await expect.poll(() => dialog.getByLabel('Comment', { exact: true }).inputValue()).toBe('Which line?');
    await dialog.getByRole('button', { name: 'Add comment' }).click();
    await card.getByRole('list', { name: 'Comments on this plan' }).getByText('Which line?').waitFor();
    await card.getByRole('button', { name: 'Preview', exact: true }).click();
    await card.getByText('<quote>Change one line</quote>').waitFor();
    expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
    await card.getByRole('button', { name: 'Request changes', exact: true }).click();
    const denied = await setup.event(id, 'permission.resolved');
    expect([denied.outcome, denied.message?.includes('<comment>Which line?</comment>')]).toEqual(['denied', true]);
    await setup.event(id, 'turn.completed');

    await setup.send(id, '@PLAN again');
    const again = await setup.event(id, 'permission.requested', ({ requestId }) => requestId !== asked.requestId);
    await open(`/s/${id}`);
    const second = page.locator(`[data-request="${again.requestId}"]`);
    await second.getByRole('button', { name: 'Comment on the plan' }).click();
    await page.getByRole('dialog', { name: 'Comment on this plan' }).getByLabel('Comment', { exact: true }).fill('Fine, but keep it small.');
    await page.keyboard.press('Control+Enter');
    await second.getByRole('button', { name: 'Approve with comments' }).click();
    const allowed = await setup.event(id, 'permission.resolved', ({ requestId }) => requestId === again.requestId);
    expect(allowed.outcome).toBe('allowed');
    await setup.event(id, 'input.consumed', ({ commandId }) => commandId.startsWith('review:'));
  });

  test('[R512] on a phone you select two sentences, comment, send, and see the answer; a dead server loses nothing', async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    const setup = opened;
    const { id } = await setup.create('@PLAIN **First**, read the file. Then change it. Then stop.');
    const said = await setup.event(id, 'assistant.text');
    await setup.event(id, 'turn.completed');
    const { page, open } = await signInWithoutPage(browser, setup.server, PHONE);
    await open(`/s/${id}`);
    const words = page.locator('.row-text .answer p');
    await words.waitFor();
    await words.evaluate((part) => {
      const text = part.lastChild as Text;
      const from = document.createRange();
      from.setStart(part, 0);
      from.setEnd(text, text.data.indexOf(' Then stop'));
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(from);
    });
    await page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Comment' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Comment on the selected words' });
    const field = dialog.getByLabel('Comment', { exact: true });
    await field.fill('Is this right? @PLAIN A1: it is.');
    await setup.server.kill9();
    await dialog.getByRole('button', { name: 'Add comment' }).tap();
    await dialog.getByRole('alert').waitFor();
    await setup.server.restart();
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('Is this right? @PLAIN A1: it is.');
    await dialog.getByRole('button', { name: 'Add comment' }).tap();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Review (1)' }).tap();
    const { body } = await api<{ annotations: Annotation[] }>(setup.server, 'GET', `/api/sessions/${id}/annotations`);
    expect(body.annotations.map(({ anchor }) => anchor?.quote)).toEqual([said.text.slice(0, said.text.indexOf(' Then stop'))]);
    await page.getByRole('button', { name: 'Send 1 comment' }).tap();
    await page.getByRole('region', { name: 'Answered' }).waitFor();
    await open(`/annotations?session=${id}&state=answered`);
    await page.getByText('Is this right?').waitFor();
    await page.getByLabel('State').selectOption('Draft');
    await page.getByText('No matches').waitFor();
    expect(page.url()).toContain('state=draft');
    expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });
});
