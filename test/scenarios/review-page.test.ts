import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
});
