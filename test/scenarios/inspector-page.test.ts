import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { drawSignal } from '../../src/agents/demo/program/picture.ts';
import type { Event } from '../../src/protocol/event.ts';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { accessibilityViolationsInBothThemes } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { type Person, PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const VIEWS = ['changes', 'files', 'timeline', 'raw'] as const;
/** Enough for the real CLI to start and finish a turn on a busy machine. */
const TURN_MS = 90_000;
/** Limit for a diff of any length. */
const MAX_NODES = 3000;

let browser: Browser;
beforeAll(async () => {
  if ('path' in found && isBuilt) browser = await sharedChromium(found.path);
});
afterAll(() => browser?.close());
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

const git = (folder: string, ...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });

/** Collects console errors, such as those of a part that crashes before it is replaced. */
function watchErrors({ page }: Person): readonly string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text());
  });
  return errors;
}

/** Collects everything that the page's security policy blocked. */
async function watchPolicy({ page }: Person): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const known = JSON.parse(sessionStorage.getItem('violations') ?? '[]');
      sessionStorage.setItem('violations', JSON.stringify([...known, `${event.violatedDirective} ${event.blockedURI}`]));
    });
  });
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('violations') ?? '[]'));
}

describe.skipIf('skip' in found || !isBuilt)('the inspector with the real Claude Code', () => {
  let opened: LiveSetup | { readonly skip: string };
  let project: string;
  beforeAll(async () => {
    opened = await startClaudeSetup('2.1.197');
    if (!('server' in opened)) return;
    project = opened.server.project;
    writeFileSync(join(project, 'cart.ts'), Array.from({ length: 40 }, (_, n) => `const line${n} = ${n};\n`).join(''));
    writeFileSync(join(project, 'logo.png'), drawSignal(32));
    symlinkSync('/etc', join(project, 'way-out'));
    git(project, 'init', '-q', '-b', 'main');
    git(project, 'add', '.');
    git(project, 'commit', '-qm', 'first');
  });
  afterAll(async () => {
    if ('close' in opened) await opened.close();
  });
  const scenario = (title: string, run: (setup: LiveSetup) => Promise<void>) =>
    test(title, async ({ skip }) => {
      if ('skip' in opened) return skip(opened.skip);
      await run(opened);
    });

  /** Sends a message and waits for the end of its turn. */
  async function sendAndFinish(setup: LiveSetup, id: string, text: string): Promise<void> {
    const done = (await setup.events(id)).filter(({ type }) => type === 'turn.completed').length;
    await setup.send(id, text);
    await expect.poll(async () => (await setup.events(id)).filter(({ type }) => type === 'turn.completed').length, { timeout: TURN_MS }).toBe(done + 1);
  }

  scenario('two edits of a file are one change, new ones appear on their own, and each call is one click away', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { page } = person;
    const { id } = await setup.create(undefined, { permissionMode: 'acceptEdits' });
    await sendAndFinish(setup, id, '@EDIT cart.ts line3 = 3 => line3 = 33');
    await sendAndFinish(setup, id, '@EDIT cart.ts line30 = 30 => line30 = 330');
    await person.open(`/s/${id}/changes`);
    const pane = page.locator('.side');
    await pane.getByText('line30 = 330').waitFor();
    expect(await pane.locator('.review-file').allTextContents()).toEqual(['cart.ts+2 −2']);
    expect(await pane.locator('.review-calls a').count()).toBe(2);

    // The page doesn't poll: the next change appears because the agent did something.
    await page.evaluate('window.neverReloaded = true');
    await sendAndFinish(setup, id, '@WRITE notes/plan.md one two three');
    await pane
      .getByRole('button', { name: /notes\/plan\.md/ })
      .first()
      .waitFor();
    expect(await page.evaluate('window.neverReloaded')).toBe(true);

    await pane.locator('.review-calls a').first().click();
    await page.waitForURL(/changes.*#e\d+$/);
    await page.locator('.row-place.lit').waitFor();
    await page.reload();
    await pane.getByText('line30 = 330').waitFor();
    await page.goBack();
    expect(new URL(page.url()).hash).toBe('');
    expect(person.complaints).toEqual([]);
  });

  scenario('keys move between files and changes, and never answer a request', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { page } = person;
    const errors = watchErrors(person);
    const { id } = await setup.create(undefined, { permissionMode: 'acceptEdits' });
    await sendAndFinish(setup, id, '@EDIT cart.ts line1 = 1 => line1 = 11');
    await sendAndFinish(setup, id, '@EDIT cart.ts line25 = 25 => line25 = 255');
    await sendAndFinish(setup, id, '@WRITE second.txt two');
    await fetch(`${setup.server.url}/api/sessions/${id}/permission-mode`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${setup.server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'default' }),
    });
    await setup.send(id, '@WRITE asked.txt now');
    const asked = await setup.event(id, 'permission.requested');
    await person.open(`/s/${id}/changes`);
    await person.card(asked).waitFor();
    await page.getByRole('region', { name: /^Diff/ }).focus();
    const at = () => page.locator('.review-row.at').textContent();
    await page.keyboard.press('n');
    await expect.poll(at).toContain('@@ 1');
    await page.keyboard.press('n');
    await expect.poll(at).toContain('@@ 23');
    await page.keyboard.press('p');
    await expect.poll(at).toContain('@@ 1');
    await page.keyboard.press('j');
    await expect.poll(at).toContain('second.txt');
    await page.waitForURL(/path=.*second\.txt/);
    await page.keyboard.press('k');
    await expect.poll(at).toContain('cart.ts');
    expect((await setup.events(id)).filter(({ type }) => type === 'permission.resolved')).toEqual([]);
    await setup.answer(asked.requestId, 'deny');
    expect(errors).toEqual([]);
  });

  scenario('the working tree shows what a command changed, in split view, at an address that can be shared', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { page } = person;
    const { id } = await setup.create(undefined, { permissionMode: 'acceptEdits' });
    await sendAndFinish(setup, id, '@PLAIN hello');
    await person.open(`/s/${id}/changes`);
    await page.getByText('The agent’s tools have not reported any changed files').waitFor();
    await page.getByRole('button', { name: 'Working tree' }).click();
    writeFileSync(join(project, 'built.txt'), 'by a command\n');
    await sendAndFinish(setup, id, '@PLAIN built');
    await page.locator('.review-file', { hasText: 'built.txt' }).waitFor();
    await page.locator('.review-file', { hasText: 'built.txt' }).click();
    await page.getByText('by a command').waitFor();
    await page.getByRole('button', { name: 'Split view' }).click();
    await page.locator('.review-pair').first().waitFor();
    await page.getByRole('button', { name: 'Full width' }).click();
    const address = page.url();
    expect(address).toMatch(/from=tree/);
    const other = await signInWithoutPage(browser, setup.server);
    await other.page.goto(address);
    await other.page.locator('.side.wide .review-pair').first().waitFor();
    await other.page.locator('.review-head', { hasText: 'built.txt' }).waitFor();
  });

  scenario('files open one folder at a time, changed ones are marked, and links that lead outside are not followed', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { page } = person;
    const violations = await watchPolicy(person);
    const { id } = await setup.create(undefined, { permissionMode: 'acceptEdits' });
    await sendAndFinish(setup, id, '@WRITE deep/down/here.ts export const here = 1;');
    await person.open(`/s/${id}/files`);
    const row = (name: string) => page.getByRole('treeitem', { name });
    await row('way-out').getByText('links outside to /etc, not followed').waitFor();
    await row('deep').getByText('changed').waitFor();
    await page.getByRole('tree').focus();
    while ((await page.locator('.tree-row.at').textContent())?.startsWith('deep') !== true) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await row('down').click();
    await row('here.ts').click();
    await page.waitForURL(/path=/);
    await page.locator('.text-line', { hasText: 'export const here' }).waitFor();
    await page.reload();
    await page.locator('.text-line', { hasText: 'export const here' }).waitFor();
    await row('here.ts').waitFor();
    await row('logo.png').click();
    await expect.poll(() => page.locator('.file-image img').evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(32);
    await page.goBack();
    await page.getByRole('link', { name: 'Sessions that touched this file' }).click();
    await page.waitForURL(/\/search\?q=path/);
    expect(await violations()).toEqual([]);
    expect(person.complaints).toEqual([]);
  });

  scenario('a deleted folder is reported, and the rest of the session still works', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const folder = join(project, 'to-go');
    mkdirSync(folder);
    const { id } = await setup.create('@WRITE x.txt x', { permissionMode: 'acceptEdits', cwd: folder });
    await setup.event(id, 'turn.completed');
    renameSync(folder, `${folder}-gone`);
    await person.open(`/s/${id}/files`);
    await person.page.getByText('no longer exists').waitFor();
    await person.page.getByRole('link', { name: /^Changes/ }).click();
    await person.page.locator('.review-head', { hasText: 'x.txt' }).waitFor();
  });

  scenario('raw lines show input and output, update live, and can be filtered and opened', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { page } = person;
    const { id } = await setup.create('@PLAIN first words');
    await setup.event(id, 'turn.completed');
    await person.open(`/s/${id}/raw`);
    await page.locator('.raw-line').last().waitFor();
    await sendAndFinish(setup, id, '@PLAIN second words');
    await page.getByLabel('Filter lines').fill('"result":"You said: second');
    await page.getByText(/^\d+ of \d+ loaded lines/).waitFor();
    await page.getByLabel('Filter lines').fill('second words');
    await page.locator('.raw-line').first().click();
    await page.locator('.raw-whole pre').getByText('second words').first().waitFor();
    await page.getByRole('button', { name: /^Input/ }).click();
    await page.waitForURL(/side=in/);
    await page.locator('.raw-line', { hasText: 'second words' }).first().waitFor();
  });
});

describe.skipIf('skip' in found || !isBuilt)('the inspector with the demo agent', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ from: 'dist' });
  });
  afterAll(() => server?.close());

  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => (await api<T>(server, method, path, body)).body;

  /** Allows the pending request of a session and waits for the end of its turn. */
  async function allowAndFinish(id: string, turns: number): Promise<void> {
    const request = await waitFor(
      'a request',
      async () => (await call<{ permissions: readonly { requestId: string }[] }>('GET', `/api/permissions?session=${id}`)).permissions[0],
      TURN_MS,
    );
    await call('POST', `/api/permissions/${encodeURIComponent(request.requestId)}`, { behavior: 'allow' });
    const events = async () => (await call<{ events: readonly Event[] }>('GET', `/api/sessions/${id}/events?after=0&limit=1000`)).events;
    await waitFor('the end of the turn', async () => (await events()).filter(({ type }) => type === 'turn.completed').length === turns, TURN_MS);
  }

  /** Opens a session that has written a file with permission. */
  async function openWithChange(person: Person): Promise<string> {
    const { id } = await call<{ id: string }>('POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'write a line' });
    await allowAndFinish(id, 1);
    await person.open(`/s/${id}`);
    await person.page.locator('.row-turn').waitFor();
    return id;
  }

  test('the timeline shows turns, calls and waits with their durations, and links to each', async () => {
    const person = await signInWithoutPage(browser, server);
    const { page } = person;
    await openWithChange(person);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByText(/1 turn in .* · 1 call · 1 wait, /).waitFor();
    const wait = page.getByRole('link', { name: /Asked to use Write.*waited .*, allowed by/ });
    await wait.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/timeline#e\d+$/);
    await page.locator('.row-place.lit').waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Show all', exact: true }).click();
  });

  test('an open inspector recovers without a reload after the server restarts, with what is new', async () => {
    const person = await signInWithoutPage(browser, server);
    const { page } = person;
    const id = await openWithChange(person);
    await page.getByRole('link', { name: /^Changes/ }).click();
    await page.locator('.review-head', { hasText: 'demo-notes.md' }).waitFor();
    await server.restart();
    await page.getByText('Live', { exact: true }).waitFor();
    await person.say('write another line');
    await allowAndFinish(id, 2);
    await page.locator('.review-line', { hasText: 'another line' }).waitFor();
    expect(await page.locator('.review-file').count()).toBe(1);
  });

  test('a diff of twelve thousand lines draws only its visible part, and scrolling reaches its end', async () => {
    const person = await signInWithoutPage(browser, server);
    const { page } = person;
    const id = await openWithChange(person);
    const patch = `@@ -0,0 +1,12000 @@\n${Array.from({ length: 12_000 }, (_, n) => `+line ${n + 1} of many\n`).join('')}`;
    const file = { path: `${server.project}/long.txt`, kind: 'create', additions: 12_000, deletions: 0, edits: [], patch, parts: [] };
    await page.route('**/api/sessions/*/changes', (route) => route.fulfill({ json: { changes: [file], additions: 12_000, deletions: 0, edits: 1, seq: 1 } }));
    await person.open(`/s/${id}/changes`);
    await page.getByText('line 1 of many', { exact: true }).waitFor();
    await page.getByRole('region', { name: /^Diff/ }).evaluate((area) => area.scrollTo(0, area.scrollHeight));
    await page.getByText('line 12000 of many').waitFor();
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(MAX_NODES);
  });

  test('on a phone the inspector fills the screen without overflow, and a call links back to the transcript', async () => {
    const person = await signInWithoutPage(browser, server, PHONE);
    const { page } = person;
    const id = await openWithChange(person);
    for (const view of VIEWS) {
      await person.open(`/s/${id}/${view}`);
      await page.locator('.side').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
      const box = await page.locator('.side').boundingBox();
      expect(box?.width).toBe(PHONE.width);
    }
    await page.getByRole('link', { name: /^Changes/ }).click();
    await page.locator('.review-calls a').first().click();
    await page.waitForURL(new RegExp(`/s/${id}#e\\d+$`));
    await page.locator('.row-place.lit').waitFor();
  });

  test('every view of the inspector has no serious accessibility issue, dark or light, and violates no policy', async () => {
    const person = await signInWithoutPage(browser, server);
    const violations = await watchPolicy(person);
    const errors = watchErrors(person);
    const id = await openWithChange(person);
    for (const view of [...VIEWS, 'changes?from=tree', 'files?path=demo-notes.md']) {
      await person.open(`/s/${id}/${view}`);
      await person.page.locator('.side section').first().waitFor();
      expect([view, ...(await accessibilityViolationsInBothThemes(person.page))]).toEqual([view]);
    }
    expect(await violations()).toEqual([]);
    expect([...errors, ...person.complaints]).toEqual([]);
  });
});
