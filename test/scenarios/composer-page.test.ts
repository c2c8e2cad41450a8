import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawSignal } from '../../src/agents/demo/program/picture.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolationsInBothThemes } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signedInContext } from '../support/browser/signed-in.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const found = findChromium();
const isBuilt = existsSync(join(resolve(import.meta.dirname, '../..'), 'dist/web/index.html'));
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

describe.skipIf('skip' in found || !isBuilt)('a person steers the demo agent from the page', () => {
  let browser: Browser;
  let server: TestServer;
  let context: BrowserContext;
  let page: Page;
  let session: Session;
  let complaints: string[];

  beforeAll(async () => {
    if ('path' in found) browser = await sharedChromium(found.path);
    server = await startServer();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(() => {
    complaints = [];
  });
  afterEach(async () => {
    await context?.close();
    await api(server, 'DELETE', `/api/sessions/${session.id}`);
  });

  /** Starts a session with this prompt and opens it on a page of this size. */
  async function start(prompt: string, viewport = DESKTOP): Promise<void> {
    ({ body: session } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt }));
    context = await signedInContext(browser, server, { viewport, hasTouch: viewport === PHONE, reducedMotion: 'reduce', serviceWorkers: 'block' });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${server.url}/s/${session.id}`);
    await page.locator('.row-user').first().waitFor();
  }

  const field = () => page.getByLabel('Message', { exact: true });
  const queue = () => page.locator('.queue-line .queue-text').allTextContents();
  const eventsOf = async () => (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${session.id}/events?limit=1000`)).body.events;
  const say = async (text: string) => {
    await field().fill(text);
    await page.locator('.composer .send').click();
  };
  const lineOf = (text: string) => page.locator('.queue-line', { hasText: text });

  /** With a mouse, the buttons are in the row; on a touch screen, the message has to be opened first. */
  async function act(text: string, name: string): Promise<void> {
    if (page.viewportSize()?.width === PHONE.width) await lineOf(text).locator('.queue-text').tap();
    else await lineOf(text).hover();
    await page.locator('.queue-line').getByRole('button', { name }).and(page.locator(':visible')).click();
  }

  for (const viewport of [DESKTOP, PHONE]) {
    test(`three queued messages are edited, moved, canceled and steered, and each one ends exactly once (${viewport.width} px)`, async () => {
      await start('wait', viewport);
      await page.getByText('I am waiting.').waitFor();
      for (const text of ['first of all', 'echo second', 'echo third']) await say(text);
      await expect.poll(queue).toEqual(['first of all', 'echo second', 'echo third']);

      await lineOf('echo second').getByRole('button', { name: 'echo second' }).click();
      await page.getByLabel('Queued message').fill('echo second, changed');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(queue).toEqual(['first of all', 'echo second, changed', 'echo third']);

      await lineOf('echo third').locator('.queue-text').focus();
      await page.keyboard.press('Alt+ArrowUp');
      await expect.poll(queue).toEqual(['first of all', 'echo third', 'echo second, changed']);

      await act('echo third', 'Remove from queue');
      await expect.poll(queue).toEqual(['first of all', 'echo second, changed']);

      await act('first of all', 'Send now');
      await page.getByText('Got your message: “first of all”').waitFor();

      await field().fill('enough');
      await page.getByRole('button', { name: 'Send now' }).click();
      await page.locator('.row-text', { hasText: /^second, changed$/ }).waitFor();
      await expect.poll(queue).toEqual([]);
      const ends = (await eventsOf()).filter((event) => event.type === 'input.consumed' || event.type === 'input.cancelled');
      expect(ends.map((event) => event.type)).toEqual(['input.consumed', 'input.cancelled', 'input.consumed', 'input.consumed', 'input.consumed']);
      expect(complaints).toEqual([]);
    });
  }

  test('a queued message can be dragged to another position', async () => {
    await start('wait');
    for (const text of ['echo one', 'echo two', 'echo three']) await say(text);
    await expect.poll(queue).toEqual(['echo one', 'echo two', 'echo three']);
    await lineOf('echo three').locator('.queue-grip').dragTo(lineOf('echo one'));
    await expect.poll(queue).toEqual(['echo three', 'echo one', 'echo two']);
  });

  test('an edit that comes too late for a queued message moves to the composer', async () => {
    await start('wait');
    await page.getByText('I am waiting.').waitFor();
    await say('echo early');
    await lineOf('echo early').getByRole('button', { name: 'echo early' }).click();
    await page.getByLabel('Queued message').fill('echo late');
    await api(server, 'POST', `/api/sessions/${session.id}/interrupt`, {});
    await api(server, 'POST', `/api/sessions/${session.id}/queue/resume`, {});
    // The row disappears with the message; the edited text must not.
    await page.locator('.row-text', { hasText: /^early$/ }).waitFor();
    await expect.poll(() => field().inputValue()).toBe('echo late');
  });

  test('[R129] an unsent picture survives a reload; sent while the server is down, it arrives once, with its file reference', async () => {
    await start('echo ready');
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await paste(drawSignal(48));
    await page.locator('.thumb img').waitFor();
    await page.getByRole('button', { name: 'Attach a file' }).click();
    await page.getByLabel(/File in the project folder/).fill('src/cart/merge.ts:38-44');
    await page.keyboard.press('Enter');
    await page.locator('.chip-removable').waitFor();
    await page.reload();
    await page.locator('.thumb img').waitFor();
    await server.kill9();
    await page.getByText(/No connection|Reconnecting/).waitFor();
    await say('echo look at it');
    await page.getByText('not sent yet', { exact: true }).waitFor();
    await server.restart();
    await page.locator('.row-user .picture img').waitFor();
    await page.getByText('You sent me a picture (PNG of').waitFor();

    expect(await page.locator('.row-user .context-chips').textContent()).toBe('src/cart/merge.ts:38–44');
    expect((await eventsOf()).filter((event) => event.type === 'input.accepted' && event.images !== undefined)).toHaveLength(1);
    await expect.poll(() => page.locator('.row-user .picture img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(48);
    await expect.poll(() => page.locator('.thumb').count()).toBe(0);
    await page.locator('.row-user .picture').click();
    await page.locator('dialog.enlarged').waitFor();
  });

  for (const viewport of [DESKTOP, PHONE]) {
    test(`[R306] a part of the page that failed to load is retried, and plain text is shown in the meantime (${viewport.width} px)`, async () => {
      await start('echo **the night train**', viewport);
      let asked = 0;
      await page.route('**/formatted-markdown*.js', (route) => (asked++ < 2 ? route.abort() : route.continue()));
      await page.reload();
      await page.locator('.markdown.undrawn', { hasText: '**the night train**' }).waitFor();
      await page.locator('.markdown strong', { hasText: 'the night train' }).waitFor();
      expect(asked).toBeGreaterThan(2);
    });

    test(`[R306] a part whose shared scripts and styles failed to load is retried too, and no script is loaded twice (${viewport.width} px)`, async () => {
      await start('echo ready', viewport);
      const failed: string[] = [];
      await page.route(/\/(palette|use-push)-[^/]+$/, (route) => {
        const name = new URL(route.request().url()).pathname.replace(/.*\/(palette|use-push)-.*(\.\w+)$/, '$1$2');
        return failed.includes(name) ? route.continue() : failed.push(name) && route.abort();
      });
      await field().waitFor();
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Actions and sessions' });
      await palette.waitFor();
      expect(failed.sort()).toEqual(['palette.css', 'palette.js', 'use-push.js']);
      expect(await palette.evaluate((dialog) => getComputedStyle(dialog).display)).toBe('flex');
      const scripts = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').pop() ?? ''));
      expect(scripts.filter((name) => /\.js./.test(name))).toEqual([]);
    });

    test(`[R307] when the server no longer has a part, the page asks for a reload (${viewport.width} px)`, async () => {
      await start('echo ready', viewport);
      await page.route('**/palette*.js', (route) => route.fulfill({ status: 404, body: '' }));
      await field().fill('half a sentence');
      await field().blur();
      await page.keyboard.press('Control+k');
      await page.getByRole('heading', { name: 'Reload the page to continue' }).waitFor();
      await page.screenshot({ path: `.cache/screenshots/part-missing-${viewport.width}.png` });
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Reload the page' }).click();
      await expect.poll(() => field().inputValue()).toBe('half a sentence');
    });
  }

  test('the composer suggests the agent’s own commands and the files in its folder', async () => {
    mkdirSync(join(server.project, 'src'));
    writeFileSync(join(server.project, 'src', 'signal-lamp.ts'), '');
    await start('echo hello');
    await page.getByText('Done').first().waitFor();
    await field().focus();
    await page.keyboard.type('/');
    await page.getByRole('option').first().waitFor();
    const started = (await eventsOf()).findLast((event) => event.type === 'session.started');
    const names = started?.type === 'session.started' ? started.commands.map(({ name }) => `/${name}`) : [];
    expect((await page.getByRole('option').locator('.mono').allTextContents()).map((words) => words.split(' ')[0])).toEqual(names);
    await field().fill('');
    await page.keyboard.type('echo @lamp');
    await page.getByRole('option', { name: 'src/signal-lamp.ts' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await field().inputValue()).toBe('echo @src/signal-lamp.ts ');
  });

  test('a file that cannot be attached is rejected with a reason', async () => {
    await start('echo ready');
    await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.getByText('notes.txt was not added: use PNG, JPEG, GIF or WebP').waitFor();
    await page.locator('input[type=file]').setInputFiles({ name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) });
    await page.getByText('huge.png was not added: it has 5.0 MB, and the limit is 5 MB.').waitFor();
    expect(await page.locator('.thumb').count()).toBe(0);
  });

  test('text selected in the transcript is quoted in the next message', async () => {
    await start('echo the night train is late');
    await page.locator('.row-text', { hasText: 'the night train' }).waitFor();
    await page.locator('.row-text .answer p').selectText();
    await page.getByRole('button', { name: 'Quote in message' }).click();
    await page.locator('.attached .chip', { hasText: '“the night train is late”' }).waitFor();
    await say('echo why');
    await page.locator('.row-user .context-chips', { hasText: 'the night train is late' }).waitFor();
  });

  test('a setting is shown once the agent confirms it, and a refusal is shown with its reason', async () => {
    await start('echo ready');
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    const choose = async (setting: RegExp, value: RegExp) => {
      await page.getByRole('button', { name: setting }).click();
      await page.locator('.popup').getByRole('button', { name: value }).click();
    };
    await choose(/^Model/, /^Semaphore/);
    await page.getByRole('button', { name: /^Model: Semaphore \(slow\)$/ }).waitFor();
    await choose(/^Thinking/, /^high thinking/);
    await page.getByRole('button', { name: 'Thinking: high thinking', exact: true }).waitFor();
    await choose(/^Permissions/, /^Plan only/);
    await page.getByRole('button', { name: 'Permissions: Plan only', exact: true }).waitFor();
    await choose(/^Permissions/, /^Bypass permissions/);
    await page.getByText('Bypassing permissions is turned off on this server').waitFor();
    expect((await eventsOf()).filter((event) => event.type === 'setting.requested')).toHaveLength(3);
  });

  test('a limit counts down, and the session resumes automatically if a person asked for it', async () => {
    await start('echo ready');
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await say('limit 4');
    await page.getByText(/Demo limit reached, resets in \d s/).waitFor();
    await page.getByRole('button', { name: 'Resume automatically' }).click();
    await page.getByText(/Resumes automatically at \d\d:\d\d, in/).waitFor();
    await page.locator('.row-user', { hasText: 'The usage limit has been reset' }).waitFor();
    await expect.poll(() => page.locator('.limit-bar').count()).toBe(0);
  });

  for (const viewport of [DESKTOP, PHONE]) {
    test(`queue, attachments, menus and limits have no serious accessibility issue and fit the screen, dark and light (${viewport.width} px)`, async () => {
      await start('wait', viewport);
      await page.getByText('I am waiting.').waitFor();
      for (const text of ['echo a message that is far too long for one line of a telephone and has to be cut', 'echo b']) await say(text);
      await paste(drawSignal(16));
      await field().fill('and this');
      await page.locator('.thumb img').waitFor();
      await lineOf('echo b').locator('.queue-text').focus();
      expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
      if (viewport === PHONE) await page.getByRole('button', { name: 'Details' }).click();
      await page.getByRole('button', { name: /^Permissions/ }).click();
      expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('button', { name: /^New session with summary/ }).click();
      await page.getByRole('dialog').waitFor();
      expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      expect(complaints).toEqual([]);
    });
  }

  /** Pastes a picture like a person would. */
  const paste = (png: Buffer): Promise<void> =>
    field().evaluate((area, base64) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, png.toString('base64'));
});
