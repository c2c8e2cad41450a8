import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { api } from '../support/client.ts';
import { HEAL_MS, type Person, signIn } from '../support/person.ts';
import { startServer, type TestServer } from '../support/server.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
/** Every step is drawn twice. */
const STORY_MS = 300_000;

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist' });
  browser = await launchChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

interface Step {
  readonly name: string;
  readonly act: (person: Person) => Promise<unknown>;
  /** What is on the screen once the step is done. */
  readonly shows: (page: Page) => ReturnType<Page['locator']>;
}

const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first();
const message = (page: Page) => page.getByLabel('Message', { exact: true });

/** One day of a person, from an empty deck on. */
const STORY: readonly Step[] = [
  { name: 'the empty deck', act: ({ open }) => open('/'), shows: text('The lines are clear') },
  { name: 'a first session', act: (person) => begin(person), shows: text('Try one of these words') },
  { name: 'half a message', act: ({ page }) => message(page).fill('run echo'), shows: (page) => message(page).and(page.locator(':text("run echo")')) },
  { name: 'a request that waits', act: ({ say }) => say('run echo hello'), shows: (page) => page.locator('.approval') },
  { name: 'a message in the queue', act: ({ say }) => say('echo later'), shows: text('echo later') },
  { name: 'the inbox', act: ({ page }) => page.getByRole('link', { name: /^Inbox/ }).click(), shows: (page) => page.locator('.approval') },
  { name: 'the session again, where it waits', act: ({ page }) => page.locator('.approval-who').click(), shows: (page) => page.locator('.approval') },
  {
    name: 'the request allowed, and the queue at its end',
    act: ({ page }) => page.getByRole('button', { name: 'Allow', exact: true }).click(),
    shows: (page) => page.locator('.row-text').getByText('later', { exact: true }),
  },
  { name: 'another title', act: retitle, shows: (page) => page.getByRole('heading', { name: 'Echoes' }) },
  { name: 'the deck', act: ({ page }) => page.getByRole('link', { name: 'Deck' }).click(), shows: text('Echoes') },
  { name: 'all sessions, narrowed', act: narrow, shows: (page) => page.locator('.list-row') },
  { name: 'what a search finds', act: ({ open }) => open('/search?q=hello'), shows: (page) => page.locator('.search-body a').first() },
  { name: 'the place of a hit', act: ({ page }) => page.locator('.search-body a[href*="#e"]').first().click(), shows: (page) => page.locator('.row').first() },
  { name: 'sessions side by side', act: beside, shows: (page) => page.locator('.tile').first().locator('.row').first() },
  { name: 'usage', act: ({ page }) => page.getByRole('link', { name: 'Usage' }).click(), shows: (page) => page.getByRole('heading', { name: 'Usage' }) },
  { name: 'the settings', act: ({ page }) => page.getByRole('link', { name: 'Settings' }).click(), shows: (page) => page.locator('.agent-row').first() },
  { name: 'another page of the settings', act: ({ open }) => open('/settings/data'), shows: (page) => page.getByRole('region', { name: 'Kept copies' }) },
];

/** A day on which much goes wrong, and what a person then looks at. */
const ROUGH: readonly Step[] = [
  { name: 'an agent that died', act: (person) => begin(person, 'crash'), shows: text('The agent ended in the middle of this turn') },
  { name: 'a question', act: ({ say }) => say('ask'), shows: (page) => page.locator('.approval', { hasText: 'Which signal' }) },
  {
    name: 'the answer',
    act: answer,
    shows: (page) => page.locator('.row-turn').nth(1),
  },
  { name: 'a change that is asked about', act: ({ say }) => say('edits'), shows: (page) => page.locator('.approval', { hasText: 'wants to change' }) },
  { name: 'a refusal with its reason', act: deny, shows: text('not before noon') },
  { name: 'its changes', act: side('changes'), shows: (page) => page.locator('.side-tab[aria-current="page"]') },
  { name: 'its files', act: side('files'), shows: (page) => page.getByRole('tree') },
  { name: 'its timeline', act: side('timeline'), shows: (page) => page.locator('.timeline-sum') },
  { name: 'its raw lines', act: side('raw'), shows: (page) => page.locator('.raw-line').first() },
  { name: 'a copy of it', act: fork, shows: text('Goes on with a copy of a conversation') },
  { name: 'the copy asleep', act: sleep, shows: (page) => page.locator('.session-head', { hasText: 'sleeping' }) },
  { name: 'the deck with both', act: ({ open }) => open('/'), shows: (page) => page.locator('.plan .points') },
  { name: 'what was decided', act: ({ open }) => open('/settings/audit'), shows: (page) => page.locator('.audit-list li').first() },
  { name: 'another appearance', act: brighten, shows: (page) => page.locator('html[data-theme="light"]') },
];

for (const [name, story] of [
  ['a day of work', STORY],
  ['a rough day', ROUGH],
] as const) {
  test(`[R255] at every step of a story a reload shows the same screen (${name})`, { timeout: STORY_MS }, async ({ skip }) => {
    if (missing) return skip(missing);
    const person = await signIn(browser, server);
    for (const step of story) await reloadAfter(person, step);
    expect(person.complaints).toEqual([]);
  });
}

async function reloadAfter(person: Person, { name, act, shows }: Step): Promise<void> {
  await act(person);
  await shows(person.page).waitFor();
  const before = await settled(person.page);
  const address = person.page.url();
  await person.page.reload();
  await shows(person.page).waitFor();
  await expect.poll(() => screen(person.page), { timeout: HEAL_MS, message: `after ${name}` }).toBe(before);
  expect(person.page.url(), name).toBe(address);
}

test('back and forward lead through the same addresses to the same screens', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page } = await signIn(browser, server);
  const seen: string[] = [];
  for (const [keys, heading] of [
    ['gs', 'All sessions'],
    ['gu', 'Usage'],
    ['gi', 'Waits for you'],
  ] as const) {
    await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    seen.push(page.url());
  }
  await page.goBack();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'All sessions' }).waitFor();
  expect(page.url()).toBe(seen[0]);
  await page.goForward();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  expect(page.url()).toBe(seen[1]);
});

async function begin({ page }: Person, prompt = 'hello'): Promise<void> {
  await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
  await page.keyboard.press('c');
  await page.getByLabel('Folder on the server').fill(server.project);
  await page.getByLabel('Demo agent').check();
  await page.getByLabel('First message').fill(prompt);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL('**/s/*');
}

async function answer({ page }: Person): Promise<void> {
  await page
    .locator('.approval')
    .getByRole('button', { name: /^Green/ })
    .click();
  await page.getByRole('button', { name: 'Answer' }).click();
}

async function deny({ page }: Person): Promise<void> {
  await page.locator('.approval').getByRole('button', { name: /^Deny/ }).click();
  await page.getByLabel('Reason').fill('not before noon');
  await page.keyboard.press('Enter');
}

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? expect.fail('no session is open');
function side(name: string): Step['act'] {
  return ({ open, page }) => open(`/s/${idIn(page)}/${name}`);
}

async function fork({ open, page }: Person): Promise<void> {
  const { body } = await api<Session>(server, 'POST', `/api/sessions/${idIn(page)}/fork`, {});
  await open(`/s/${body.id}`);
}

async function sleep({ page }: Person): Promise<void> {
  await api(server, 'POST', `/api/sessions/${idIn(page)}/sleep`, {});
}

async function brighten({ open, page }: Person): Promise<void> {
  await open('/settings/appearance');
  await page.getByLabel('Light').check();
}

async function retitle({ page }: Person): Promise<void> {
  await page.locator('.session-title button').click();
  await page.getByLabel('Title').fill('Echoes');
  await page.keyboard.press('Enter');
}

async function narrow({ page }: Person): Promise<void> {
  await page.getByRole('link', { name: 'All sessions', exact: true }).click();
  await page.getByLabel('Words in the list').fill('echo');
  await page.waitForURL('**/sessions?q=echo');
}

async function beside({ page }: Person): Promise<void> {
  const first = page.url().match(/\/s\/([^#]+)/)?.[1];
  await page.keyboard.press('b');
  await page.getByText('Nothing fits').waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/tiles?s=${first},${first}x`);
}

/** What eyes and ears are told, without what passes by itself: how long ago, how much memory, how many milliseconds. */
async function screen(page: Page): Promise<string> {
  const told = await page.locator('body').ariaSnapshot();
  return (
    told
      .replace(/\b(now|\d+[smhd])\b/g, 'a while')
      .replace(/\d+(\.\d+)? (ms|s|min|MB|GB)\b/g, 'so much')
      .replace(/\d{1,2}:\d{2}(:\d{2})?( [AP]M)?/g, 'a time')
      // Its memory is known a moment after its process, and what has just ended is announced to those who were there.
      .replace(/(pid \d+) so much/g, '$1')
      .replace(/^( *- status): (The turn has ended|It waits for you|It has failed)$/gm, '$1')
  );
}

/** The screen once it has been the same twice in a row, and does not say itself that more will come. */
async function settled(page: Page): Promise<string> {
  let before = '';
  await expect
    .poll(
      async () => {
        const now = await screen(page);
        const isSame = now === before && !now.includes('Still reading past sessions');
        before = now;
        return isSame;
      },
      { timeout: HEAL_MS, interval: 300 },
    )
    .toBe(true);
  return before;
}
