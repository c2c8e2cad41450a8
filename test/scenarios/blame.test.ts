import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Blame } from '../../src/protocol/api/blame.ts';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';

const START = ['// the cart', '// its sums', '// in cents', 'export const zero = 0;', '', 'export function one() {', '  return 1;', '}', ''].join('\n');

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));

describe('who wrote a line, with Claude Code 2.1.197', () => {
  let opened: LiveSetup | { readonly skip: string };
  let browser: Browser | undefined;
  beforeAll(async () => {
    if ('path' in chromium && isBuilt) browser = await sharedChromium(chromium.path);
    opened = await startClaudeSetup('2.1.197');
  });
  afterAll(async () => {
    await browser?.close();
    if ('close' in opened) await opened.close();
  });

  const project = (setup: LiveSetup): string => setup.server.project;
  const file = (setup: LiveSetup): string => join(project(setup), 'src', 'cart.js');
  const git = (setup: LiveSetup, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...args], {
      cwd: project(setup),
      encoding: 'utf8',
      env: { ...process.env, HOME: project(setup) },
    });

  async function ask(setup: LiveSetup, line: number, who: Parameters<typeof api>[0] = setup.server): Promise<Blame> {
    const { status, body } = await api<Blame>(who, 'GET', `/api/blame?path=${encodeURIComponent(file(setup))}&line=${line}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  }

  /** Every line that is not the person's own, with the session that wrote it. */
  async function table(setup: LiveSetup): Promise<readonly string[]> {
    const lines = readFileSync(file(setup), 'utf8').split('\n').slice(0, -1);
    const told: string[] = [];
    for (const [index, text] of lines.entries()) {
      const { certainty, session, commit } = await ask(setup, index + 1);
      told.push(`${text} | ${certainty} ${session?.id ?? commit?.author ?? 'nobody'}`);
    }
    return told;
  }

  /** One turn; an edit is allowed. */
  async function turn(setup: LiveSetup, id: string, text: string): Promise<void> {
    const { lastSeq } = await setup.session(id);
    await setup.send(id, text);
    const request = await setup.event(id, 'permission.requested', () => true, lastSeq);
    // A command that runs before this checkpoint is finished leaves lines of which nobody can tell whether the person typed them before.
    await setup.event(id, 'checkpoint.made', ({ when }) => when === 'before', lastSeq);
    expect(await setup.answer(request.requestId, 'allow')).toBe(200);
    await setup.event(id, 'turn.completed', () => true, lastSeq);
    await setup.event(id, 'checkpoint.made', ({ when }) => when === 'after', lastSeq);
  }

  test('[R481] two sessions and a person edit one file in turn; every line goes to the right one, also after a squash, a rebase and a cherry-pick', async ({
    skip,
  }) => {
    if ('skip' in opened) return skip(opened.skip);
    const setup = opened;
    mkdirSync(join(project(setup), 'src'));
    writeFileSync(file(setup), START);
    git(setup, 'init', '-q', '-b', 'main');
    git(setup, 'add', '-A');
    git(setup, 'commit', '-qm', 'start');
    git(setup, 'checkout', '-qb', 'feature');
    const one = await setup.create('@BASH echo ready');
    await setup.event(one.id, 'turn.completed');
    const two = await setup.create('@BASH echo ready');
    await setup.event(two.id, 'turn.completed');
    await turn(setup, one.id, '@EDIT src/cart.js return 1; => return 1 + zero; // by one');
    await turn(setup, two.id, '@BASH sed -i "4a export const two = 2;" src/cart.js');
    writeFileSync(file(setup), `${readFileSync(file(setup), 'utf8')}export const typed = "by hand";\n`);
    await turn(setup, one.id, '@EDIT src/cart.js export const zero = 0; => export const zero = 0; // again one');
    const expected = [
      '// the cart | unknown Ada',
      '// its sums | unknown Ada',
      '// in cents | unknown Ada',
      `export const zero = 0; // again one | exact ${one.id}`,
      `export const two = 2; | turn ${two.id}`,
      ' | unknown Ada',
      'export function one() { | unknown Ada',
      `  return 1 + zero; // by one | exact ${one.id}`,
      '} | unknown Ada',
      'export const typed = "by hand"; | unknown nobody',
    ];
    expect(await table(setup)).toEqual(expected);

    const exact = await ask(setup, 8);
    expect(exact).toMatchObject({
      prompt: { text: '@EDIT src/cart.js return 1; => return 1 + zero; // by one' },
      approval: { outcome: 'allowed' },
      call: { tool: 'Edit' },
    });
    const edit = (await setup.events(one.id)).find(({ seq }) => seq === exact.seq);
    expect(edit).toMatchObject({ type: 'tool.completed', toolUseId: exact.call?.toolUseId });

    // By hand on the way: the commit of the person's own line.
    const committed = expected.with(9, 'export const typed = "by hand"; | unknown Ada');
    git(setup, 'commit', '-qam', 'feature');
    git(setup, 'checkout', '-q', 'main');
    // The turn's checkpoints see the file without the work of both sessions.
    await turn(setup, two.id, '@BASH echo other > other.txt');
    git(setup, 'merge', '-q', '--squash', 'feature');
    git(setup, 'commit', '-qm', 'squashed');
    expect(await table(setup)).toEqual(committed);

    git(setup, 'checkout', '-q', '-b', 'picked', 'main~1');
    git(setup, 'cherry-pick', 'feature');
    expect(await table(setup)).toEqual(committed);

    git(setup, 'checkout', '-q', 'feature');
    git(setup, 'checkout', '-q', '-b', 'upstream', 'main~1');
    writeFileSync(file(setup), `// header\n// second\n${START}`);
    git(setup, 'commit', '-qam', 'upstream');
    git(setup, 'checkout', '-q', 'feature');
    git(setup, 'pull', '-q', '--rebase', '.', 'upstream');
    expect(await table(setup)).toEqual(['// header | unknown Ada', '// second | unknown Ada', ...committed]);

    git(setup, 'mv', 'src/cart.js', 'src/basket.js');
    git(setup, 'commit', '-qm', 'renamed');
    const renamed = await api<Blame>(setup.server, 'GET', `/api/blame?path=${encodeURIComponent(join(project(setup), 'src/basket.js'))}&line=10`);
    expect(renamed.body).toMatchObject({ certainty: 'exact', session: { id: one.id } });
    git(setup, 'reset', '-q', '--hard', 'HEAD~1');

    // Private: unknown for another driver, without a name.
    expect((await api(setup.server, 'PATCH', `/api/sessions/${one.id}`, { closed: true })).status).toBe(200);
    const { body: token } = await api<{ token: string }>(setup.server, 'POST', '/api/tokens', { name: 'dora', role: 'driver' });
    const dora = { url: setup.server.url, token: token.token };
    const seen = JSON.stringify(await ask(setup, 10, dora));
    expect(JSON.parse(seen)).toEqual({ path: file(setup), line: 10, text: '  return 1 + zero; // by one', certainty: 'unknown' });
    expect((await ask(setup, 7, dora)).session?.id).toBe(two.id);
  });

  test('[R482] a path outside the folders of sessions, through a link, or of the data folder is refused, and so are unknown parameters', async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    const { server } = opened;
    const status = async (query: string): Promise<number> => (await api(server, 'GET', `/api/blame?${query}`)).status;
    execFileSync('ln', ['-s', '/etc/hostname', join(server.project, 'link')]);
    const path = (to: string): string => `path=${encodeURIComponent(to)}`;
    expect(await status(`${path('/etc/hostname')}&line=1`)).toBe(404);
    expect(await status(`${path(join(server.project, 'link'))}&line=1`)).toBe(403);
    expect(await status(`${path(join(server.project, '../token'))}&line=1`)).toBe(404);
    expect(await status(`${path('cart.js')}&line=1`)).toBe(400);
    expect(await status(`${path(file(opened))}&line=0`)).toBe(400);
    expect(await status(`${path(file(opened))}&line=999`)).toBe(422);
    expect(await status(`${path(file(opened))}&line=1&who=me`)).toBe(400);
  });

  for (const [name, size] of [
    ['at 1440 px', DESKTOP],
    ['on a phone', PHONE],
  ] as const) {
    test(`[R481] on the page, a line’s number leads to who wrote it, with links to the call, the prompt and the approval, ${name}`, async ({ skip }) => {
      if ('skip' in opened || browser === undefined) return skip('there is no Claude Code, Chromium or built page');
      const setup = opened;
      writeFileSync(join(project(setup), 'page.js'), 'const first = 1;\nconst second = 2;\n');
      const { id } = await setup.create('@BASH echo ready');
      await setup.event(id, 'turn.completed');
      await turn(setup, id, '@EDIT page.js second = 2 => second = 3');
      const { page, open } = await signInWithoutPage(browser, setup.server, size);
      await open(`/s/${id}/files?path=page.js`);
      await page.getByRole('button', { name: 'Comment on line 2', exact: true }).click();
      await page.getByRole('button', { name: 'Who wrote this?' }).click();
      const answer = page.locator('.who');
      await answer.getByRole('link', { name: 'Edit', exact: true }).waitFor();
      await answer.getByRole('link', { name: /^allowed by/ }).waitFor();
      if (process.env.PICTURES !== undefined) await page.screenshot({ path: join(process.env.PICTURES, `blame-${size.width}.png`) });
      await answer.getByRole('link', { name: /^@EDIT page.js/ }).click();
      await expect.poll(() => page.url()).toMatch(/#e\d+$/);
      await page.context().close();
    });
  }
});
