import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { ACTION_IDS, type ACTIONS, type ActionId, factsOf } from '../../web/base/actions/action-list.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { RECOVERY_LIMIT_MS, signIn, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { type DemoSessions, furnish, pendingRequestsOf } from '../support/demo-sessions.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
/** Enough to try every key on a freshly loaded page, on a busy machine. */
const WALK_MS = 600_000;

type ActionWithKey = { [id in ActionId]: (typeof ACTIONS)[id] extends { readonly keys: readonly string[] } ? id : never }[ActionId];

/** How to check that a key does what the list of shortcuts says. */
interface Proof {
  readonly at: (setup: DemoSessions) => string;
  /** Brings the page into the state that the key needs. */
  readonly ready?: (page: Page) => Promise<unknown>;
  readonly seen: (page: Page, setup: DemoSessions) => Promise<unknown>;
  /** Only these keys are tried, when one is proof enough or each press would repeat the effect. */
  readonly keys?: readonly string[];
}

const shown = (find: (page: Page) => Locator) => (page: Page) => find(page).waitFor();
const arrives = (path: string) => (page: Page) => page.waitForURL(`**${path}`);
const focused = (find: (page: Page) => Locator) => async (page: Page) => {
  await expect.poll(() => find(page).evaluate((part) => part === document.activeElement), { timeout: RECOVERY_LIMIT_MS }).toBe(true);
};
const message = (page: Page) => page.getByLabel('Message', { exact: true });
const row = (page: Page) => page.locator('.list-row').nth(2);
const selectedRow = (page: Page) => page.locator('.list-link:focus');
const inList = { at: () => '/sessions', ready: shown(row) };
const choose = async (page: Page, times = 1) => {
  await row(page).waitFor();
  for (let press = 0; press < times; press++) await page.keyboard.press('j');
  await selectedRow(page).waitFor();
};
const rowAt = (page: Page) => page.locator('.list-link').evaluateAll((links) => links.findIndex((link) => link.matches(':focus')));
const inSession = { at: ({ done }: DemoSessions) => `/s/${done}`, ready: shown((page) => page.locator('.row').first()) };
const inTiles = {
  at: ({ done, running, failed }: DemoSessions) => `/tiles?s=${[done, running, failed]}&`,
  ready: shown((page) => page.locator('.tile').nth(2).locator('.row').first()),
};
const tiles = (page: Page) => page.locator('.tile').evaluateAll((all) => all.map((tile) => tile.getAttribute('data-tile')));
const width = (page: Page) =>
  page
    .locator('.tile')
    .first()
    .evaluate((tile) => tile.getBoundingClientRect().width);
const height = (page: Page) =>
  page
    .locator('.tile')
    .first()
    .evaluate((tile) => tile.getBoundingClientRect().height);
const activeTile = (page: Page) => page.locator('.tile[aria-current]').getAttribute('data-tile');
const even = async (page: Page) => {
  await inTiles.ready(page);
  await page.keyboard.press('=');
};
/** Two tiles on top of each other, for actions that change heights. */
const stacked = async (page: Page) => {
  await inTiles.ready(page);
  await page.getByRole('button', { name: '1', exact: true }).click();
  await expect.poll(() => height(page)).toBeLessThan(400);
};
const onCard = { at: ({ waiting }: DemoSessions) => `/s/${waiting}`, ready: shown((page) => page.locator('.approval [aria-keyshortcuts="y"]')) };
const onQuestion = { at: ({ asking }: DemoSessions) => `/s/${asking}`, ready: shown((page) => page.locator('.approval [aria-keyshortcuts="n"]')) };

/** In this order: actions that end something come last. A key without a proof does not compile. */
const PROOFS: Readonly<Record<ActionWithKey, Proof>> = {
  'palette.open': { at: () => '/', seen: shown((page) => page.getByRole('combobox')) },
  'keys.show': { at: () => '/', seen: shown((page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })) },
  'session.new': { at: () => '/', seen: shown((page) => page.getByRole('dialog', { name: 'New session' })) },
  'go.deck': { at: () => '/usage', seen: shown((page) => page.getByRole('heading', { name: 'Signalbox' })) },
  'go.inbox': { at: () => '/', seen: arrives('/inbox') },
  'go.sessions': { at: () => '/', seen: arrives('/sessions') },
  'go.tiles': { at: () => '/', seen: arrives('/tiles*') },
  'go.waiting': { at: () => '/usage', seen: arrives('/s/*') },
  'go.search': { at: () => '/', seen: arrives('/search') },
  'go.annotations': { at: () => '/', seen: arrives('/annotations') },
  'go.worktrees': { at: () => '/', seen: arrives('/worktrees') },
  'go.usage': { at: () => '/', seen: arrives('/usage') },
  'go.settings': { at: () => '/', seen: arrives('/settings/agents') },
  'list.next': { ...inList, seen: (page) => expect.poll(() => rowAt(page)).toBe(0) },
  'list.previous': { ...inList, ready: (page) => choose(page, 2), seen: (page) => expect.poll(() => rowAt(page)).toBe(0) },
  'list.star': {
    at: () => '/sessions?star=',
    ready: choose,
    seen: shown((page) => page.locator('.list-row').first().locator('[aria-pressed="true"]')),
  },
  'list.leave': { ...inList, ready: choose, seen: (page) => expect.poll(() => selectedRow(page).count()).toBe(0) },
  'list.words': { ...inList, seen: focused((page) => page.getByLabel('Filter sessions')) },
  'list.open': { ...inList, ready: choose, seen: arrives('/s/*') },
  'session.write': { ...inSession, seen: focused(message) },
  'session.begin': {
    ...inSession,
    seen: (page) => expect.poll(() => page.getByRole('log').evaluate((area) => area.scrollTop), { timeout: RECOVERY_LIMIT_MS }).toBe(0),
  },
  'session.end': {
    ...inSession,
    ready: async (page) => {
      await inSession.ready(page);
      await page.getByRole('log').evaluate((area) => area.scrollTo(0, 0));
      await page.locator('.new-pill').waitFor();
    },
    seen: (page) => page.locator('.new-pill').waitFor({ state: 'detached' }),
  },
  'session.list': { ...inSession, seen: (page) => page.locator('.session-nav').waitFor({ state: 'detached' }) },
  'session.next': { ...inSession, seen: (page, { asking }) => page.waitForURL(`**/s/${asking}`) },
  'session.previous': { ...inSession, seen: (page, { running }) => page.waitForURL(`**/s/${running}`) },
  'session.changes': { ...inSession, seen: arrives('/changes') },
  'session.finish': { ...inSession, seen: arrives('/finish') },
  'session.files': { ...inSession, seen: arrives('/files') },
  'session.review': { ...inSession, seen: arrives('/review') },
  'session.timeline': { ...inSession, seen: arrives('/timeline') },
  'session.raw': { ...inSession, seen: arrives('/raw') },
  'session.transcript': { ...inSession, at: ({ done }) => `/s/${done}/raw`, seen: (page, { done }) => page.waitForURL(`**/s/${done}`) },
  'session.star': { ...inSession, seen: (_page, { done }) => starIs(done, false) },
  'session.beside': { ...inSession, seen: shown((page) => page.getByRole('combobox', { name: /^Open beside/ })) },
  'tiles.next': { ...inTiles, seen: (page, { running }) => expect.poll(() => activeTile(page)).toBe(running) },
  'tiles.previous': { ...inTiles, seen: (page, { failed }) => expect.poll(() => activeTile(page)).toBe(failed) },
  'tiles.later': { ...inTiles, seen: (page, { done, running, failed }) => expect.poll(() => tiles(page)).toEqual([running, done, failed]) },
  'tiles.earlier': {
    ...inTiles,
    ready: async (page) => {
      await inTiles.ready(page);
      await page.keyboard.press(']');
    },
    seen: (page, { done, running, failed }) => expect.poll(() => tiles(page)).toEqual([running, done, failed]),
  },
  'tiles.wider': { ...inTiles, ready: even, seen: (page) => expect.poll(() => width(page)).toBeGreaterThan(470) },
  'tiles.narrower': { ...inTiles, ready: even, seen: (page) => expect.poll(() => width(page)).toBeLessThan(455) },
  'tiles.even': { ...inTiles, seen: (page) => expect.poll(() => width(page)).toBeCloseTo(462, -1) },
  'tiles.taller': { ...inTiles, ready: stacked, seen: (page) => expect.poll(() => height(page)).toBeGreaterThan(300) },
  'tiles.shorter': { ...inTiles, ready: stacked, seen: (page) => expect.poll(() => height(page)).toBeLessThan(270) },
  'tiles.add': { ...inTiles, seen: shown((page) => page.getByRole('combobox', { name: 'Add a session' })) },
  'tiles.remove': { ...inTiles, seen: (page, { running, failed }) => expect.poll(() => tiles(page)).toEqual([running, failed]) },
  'tiles.alone': { ...inTiles, seen: arrives('/s/*') },
  'request.edit': { ...onCard, seen: shown((page) => page.getByRole('button', { name: 'Allow edited' })) },
  'request.remember': { ...onCard, seen: shown((page) => page.getByRole('button', { name: 'Allow and remember' })) },
  'request.deny': { ...onCard, seen: shown((page) => page.getByLabel('Reason')) },
  'request.choose': { ...onQuestion, keys: ['2'], seen: shown((page) => page.getByRole('button', { name: /Yellow/, pressed: true })) },
  'request.allow': {
    ...onCard,
    seen: async () => waitFor('the request to be allowed', async () => (await pendingRequestsOf(server)).length === 1, RECOVERY_LIMIT_MS),
  },
  'writing.complete': { ...inSession, ready: writing(''), seen: shown((page) => page.getByRole('listbox', { name: 'Suggestions' })) },
  'writing.again': { ...inSession, ready: writing(''), seen: (page) => expect.poll(() => message(page).inputValue()).toBe('long 160') },
  'writing.line': { ...inSession, ready: writing('one'), seen: (page) => expect.poll(() => message(page).inputValue()).toBe('one\n') },
  'writing.send': {
    ...inSession,
    ready: writing('echo sent by a key'),
    seen: shown((page) => page.locator('.row').getByText('sent by a key', { exact: true })),
  },
  'writing.steer': {
    at: ({ running }) => `/s/${running}`,
    ready: writing('still waiting'),
    seen: (_page, { running }) =>
      waitFor('the message to join the turn', async () => (await inputsOf(running)).includes('steer still waiting'), RECOVERY_LIMIT_MS),
  },
  'writing.move': {
    at: ({ running }) => `/s/${running}`,
    ready: async (page) => {
      for (const words of ['first', 'second']) {
        await message(page).fill(`echo ${words} ${Date.now()}`);
        await page.keyboard.press('Enter');
        // Until the server has it, it is shown as a row that can't be moved yet.
        await page.locator('button.queue-text', { hasText: words }).last().waitFor();
      }
      await page.locator('button.queue-text').first().focus();
    },
    keys: ['Alt+ArrowDown'],
    seen: (page) => expect.poll(() => page.locator('.queue-text').first().textContent(), { timeout: RECOVERY_LIMIT_MS }).toContain('second'),
  },
  'session.side-question': { ...inSession, seen: shown((page) => page.getByRole('dialog', { name: 'Side question' })) },
  'session.comment': {
    ...inSession,
    ready: async (page) => {
      await page.locator('.row-text .answer').first().selectText();
      await page.getByRole('toolbar', { name: 'Selected text' }).waitFor();
    },
    seen: shown((page) => page.getByRole('dialog', { name: /^Comment on/ })),
  },
  'session.interrupt': {
    at: ({ running }) => `/s/${running}`,
    ready: shown((page) => page.getByRole('button', { name: 'Interrupt' })),
    seen: shown((page) => page.getByRole('button', { name: 'Esc again to interrupt' })),
  },
};

let server: TestServer;
let browser: Browser;
let setup: DemoSessions;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist', env: { SIGNALBOX_MAX_LIVE: '20' } });
  setup = await furnish(server);
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('[R253] every key in the list of shortcuts does what the list says', { timeout: WALK_MS }, async ({ skip }) => {
  if (missing) return skip(missing);
  const { page, complaints } = await signIn(browser, server);
  const failed: string[] = [];
  for (const id of Object.keys(PROOFS).filter((each): each is ActionWithKey => each in PROOFS)) {
    for (const keys of PROOFS[id].keys ?? factsOf(id).keys ?? []) {
      await prove(page, PROOFS[id], keys).catch((error: Error) => failed.push(`${id} (${keys}): ${error.message.slice(0, 300)}`));
    }
  }
  expect(failed).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the list of shortcuts has every key, and shows which ones work on this page', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page } = await signInWithoutPage(browser, server);
  await page.goto(`${server.url}/s/${setup.done}`);
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('?');
  const lines = page.locator('[data-action]');
  await lines.first().waitFor();
  const named = await lines.evaluateAll((all) => all.map((each) => each.getAttribute('data-action')));
  expect(named.sort()).toEqual(ACTION_IDS.filter((id) => factsOf(id).keys !== undefined).sort());
  expect(await page.locator('[data-action="session.end"]').getAttribute('class')).toContain('here');
  expect(await page.locator('[data-action="tiles.next"]').getAttribute('class')).not.toContain('here');
});

test('a letter typed into a field is never treated as a shortcut', async ({ skip }) => {
  if (missing) return skip(missing);
  const { page } = await signInWithoutPage(browser, server);
  await page.goto(`${server.url}/s/${setup.done}`);
  const letters = [...new Set(ACTION_IDS.flatMap((id) => factsOf(id).keys ?? []).flatMap((keys) => keys.split(' ')))].filter((key) => key.length === 1);
  await message(page).focus();
  for (const letter of letters) await page.keyboard.press(letter);
  expect(await message(page).inputValue()).toBe(letters.join(''));
  expect(await page.locator('dialog[open]').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe(`/s/${setup.done}`);
  await message(page).fill('');
});

async function prove(page: Page, { at, ready, seen }: Proof, keys: string): Promise<void> {
  await page.goto(`${server.url}${at(setup)}`);
  await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
  await ready?.(page);
  // By then, parts that load a moment after the surface have bound their keys too.
  await page.waitForLoadState('networkidle');
  for (const key of keys.split(' ')) await page.keyboard.press(key.replace('Mod+', 'Control+'));
  await seen(page, setup);
}

function writing(words: string): (page: Page) => Promise<void> {
  return async (page) => {
    await message(page).fill(words);
    await message(page).focus();
  };
}

const starIs = (id: string, star: boolean) =>
  waitFor('the star to change', async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.star === star, RECOVERY_LIMIT_MS);

async function inputsOf(id: string): Promise<readonly string[]> {
  const { events } = (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=0`)).body;
  return events.flatMap((event) => (event.type === 'input.accepted' ? [`${event.mode} ${event.text}`] : []));
}
