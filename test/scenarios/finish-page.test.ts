import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityViolationsInBothThemes } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { gitFor, makeRepository, startFinishSession } from '../support/git/finish-session.ts';
import { GH, hostStandIn } from '../support/git/host-stand-in.ts';
import { thirtyLines } from '../support/git/repository.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const PR_URL = 'https://github.com/ada/one/pull/7';

/** Where pictures of the pane go, if somebody wants to look at them. */
const pictures = process.env.FINISH_PICTURES;
const picture = async (page: Page, name: string) => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
};

describe.skipIf('skip' in found || !isBuilt)('the Finish tab', () => {
  const hosts = mkdtempSync(join(tmpdir(), 'signalbox-hosts-'));
  const host = hostStandIn(hosts, 'gh');
  let browser: Browser;
  let server: TestServer;
  beforeAll(async () => {
    if ('path' in found) browser = await sharedChromium(found.path);
    server = await startServer({ env: host.env });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(hosts, { recursive: true, force: true });
  });

  test('[R349] on a phone, a person checks what the agent planted, stages a hunk, commits, pushes and opens a pull request', async () => {
    const folder = makeRepository(server, 'one', { 'a.txt': thirtyLines(), 'b.txt': 'b\n' });
    const session = await startFinishSession(server, folder);
    session.write('a.txt', thirtyLines([2, 15, 28]));
    session.write('b.txt', 'changed\n');
    const hook = join(folder, '.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\necho checking the style\n');
    chmodSync(hook, 0o755);
    const person = await signInWithoutPage(browser, server, PHONE);
    await person.open(`/s/${session.id}/finish`);
    const { page } = person;
    const pane = page.getByRole('region', { name: 'Finish' });
    const planted = pane.getByRole('region', { name: 'Changed hooks and settings' });
    await planted.getByText('echo checking the style').waitFor();
    expect(await pane.getByRole('button', { name: 'Stage all' }).isDisabled()).toBe(true);
    await picture(page, 'phone-planted');
    await planted.getByRole('button', { name: 'I know these' }).click();
    await planted.waitFor({ state: 'detached' });
    const changes = pane.getByRole('region', { name: 'Changes' });
    await changes.getByRole('button', { name: 'a.txt', exact: true }).click();
    await changes.getByRole('button', { name: 'Stage hunk' }).nth(1).click();
    const staged = pane.getByRole('region', { name: 'Staged' });
    await staged.getByRole('button', { name: 'a.txt', exact: true }).waitFor();
    expect(session.git('show', ':a.txt')).toBe(thirtyLines([15]));
    await picture(page, 'phone-staged');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await pane.getByLabel('Message').fill('Change line 15');
    await pane.getByRole('button', { name: 'Commit 1 file' }).click();
    await pane.getByText(/^Committed [0-9a-f]{8}$/).waitFor();
    expect(session.git('log', '-1', '--format=%s').trim()).toBe('Change line 15');
    await pane.getByRole('button', { name: 'Push', exact: true }).click();
    await pane.getByText('Pushed.', { exact: true }).waitFor();
    expect(gitFor(server.home)(join(server.home, 'one.git'), 'log', '-1', '--format=%s', 'main').trim()).toBe('Change line 15');
    session.git('config', 'remote.origin.url', 'https://github.com/ada/one.git');
    await pane.getByRole('button', { name: 'Reload' }).click();
    await planted.getByRole('button', { name: 'I know these' }).click();
    host.reply({
      'pr create': GH.created(PR_URL),
      'pr view': GH.view({ statusCheckRollup: [GH.check('test', 'FAILURE'), GH.check('lint', 'SUCCESS')] }),
      api: { out: [GH.lineComment(9, 'eve', 'a.txt', 15, 'Why this line?'), GH.lineComment(10, 'bob', 'a.txt', 2, 'Shorter?')] },
    });
    await pane.getByLabel('Title').fill('Change a line');
    await pane.getByRole('button', { name: 'Open pull request' }).click();
    await pane.getByRole('link', { name: 'Pull request #7' }).waitFor();
    await pane.getByRole('button', { name: 'Check now' }).click();
    const card = pane.getByRole('article', { name: 'Comment by eve' });
    await card.waitFor();
    await card.scrollIntoViewIfNeeded();
    await picture(page, 'phone-pr');
    expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
    const fromBob = pane.getByRole('article', { name: 'Comment by bob' });
    await fromBob.getByRole('button', { name: 'Add to review' }).click();
    await fromBob.waitFor({ state: 'detached' });
    expect((await session.events()).filter(({ type }) => type === 'annotation.made')).toMatchObject([
      { target: { type: 'code', file: join(folder, 'a.txt'), lineStart: 2 }, text: 'bob: Shorter?', actor: { kind: 'person' } },
    ]);
    await person.open('/inbox');
    const inInbox = page.getByRole('article', { name: 'Comment by eve' });
    await inInbox.getByRole('button', { name: 'Send to agent' }).click();
    await inInbox.waitFor({ state: 'detached' });
    await page.getByRole('article', { name: 'Check failed: CI / test' }).getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('article').first().waitFor({ state: 'detached' });
    expect((await session.events()).filter(({ type }) => type === 'input.accepted')).toMatchObject([{ text: expect.stringContaining('> Why this line?') }]);
    expect(person.complaints).toEqual([]);
    await page.close();
  });

  test('[R349] a failing hook is shown while it runs and after it ended, and the message is not lost', async () => {
    const folder = makeRepository(server, 'two', { 'a.txt': thirtyLines() });
    const hook = join(folder, '.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\necho the linter is looking\nwhile [ ! -e .git/go ]; do sleep 0.05; done\necho the linter says no\nexit 1\n');
    chmodSync(hook, 0o755);
    const session = await startFinishSession(server, folder);
    session.write('a.txt', thirtyLines([2]));
    const person = await signInWithoutPage(browser, server);
    await person.open(`/s/${session.id}/finish`);
    const pane = person.page.getByRole('region', { name: 'Finish' });
    await pane.getByRole('button', { name: 'Stage all' }).click();
    await pane.getByRole('button', { name: 'Unstage all' }).waitFor();
    await pane.getByLabel('Message').fill('Try it');
    await pane.getByRole('button', { name: 'Commit 1 file' }).click();
    await pane.getByText('the linter is looking').waitFor();
    await picture(person.page, 'desktop-running');
    writeFileSync(join(folder, '.git/go'), '');
    await pane.getByText('Not committed. What you staged is still staged.').waitFor();
    await pane.getByText('the linter says no').waitFor();
    expect(await pane.getByLabel('Message').inputValue()).toBe('Try it');
    await picture(person.page, 'desktop-failed');
    expect(person.complaints).toEqual([]);
  });
});
