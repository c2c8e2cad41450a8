import type { Page } from 'playwright-core';
import { RECOVERY_LIMIT_MS } from '../support/browser/person.ts';
import type { FaultProxy } from '../support/fault-proxy.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Cut, Round } from './plan.ts';
import type { Setup } from './setup.ts';

/** Enough for the real CLI to restart and finish a turn on a busy machine. */
const QUIET_MS = 120_000;

/** Types, cuts, keeps typing, heals, and waits until every message is answered. Returns what was typed into each session. */
export async function runRound(setup: Setup, round: Round): Promise<ReadonlyMap<string, readonly string[]>> {
  const { page } = setup.watched;
  const typed = new Map<string, string[]>(setup.actors.map(({ id }) => [id, []]));
  await typeAll(setup, round.before, typed);
  if (round.isMidText) await waitForText(page);
  cut(setup.proxy, round.cut);
  if (round.cut.kind === 'down') await page.locator('.connection-sign.off').waitFor({ state: 'attached' });
  await typeAll(setup, round.during, typed);
  await heal(setup);
  for (const { id } of setup.actors) await waitUntilQuiet(setup, id);
  return typed;
}

async function typeAll(setup: Setup, texts: readonly (string | undefined)[], typed: ReadonlyMap<string, string[]>): Promise<void> {
  for (const [index, { id }] of setup.actors.entries()) {
    const text = texts[index];
    if (text === undefined) continue;
    await type(setup.watched.page, id, text);
    typed.get(id)?.push(text);
  }
}

/** The field is cleared once the message is stored in the browser. */
async function type(page: Page, id: string, text: string): Promise<void> {
  const tile = page.locator(`[data-tile="${id}"]`);
  const field = tile.getByLabel('Message', { exact: true });
  await field.fill(text);
  await tile.locator('.composer .send').click();
  await waitFor(`“${text}” to be stored`, async () => (await field.inputValue()) === '', RECOVERY_LIMIT_MS);
}

/** Text in progress anywhere, or turns that ended before we could look. */
const waitForText = (page: Page): Promise<unknown> =>
  waitFor(
    'text in progress, or its end',
    async () => (await page.locator('.sign-live').count()) > 0 || (await page.locator('.tile .working-sign').count()) === 0,
    RECOVERY_LIMIT_MS,
  );

function cut(proxy: FaultProxy, { kind, ...rest }: Cut): void {
  if (kind === 'deaf') return proxy.set({ kind: 'stall' });
  proxy.set({ kind: 'cut-after', bytes: 'bytes' in rest ? rest.bytes : 0 });
  proxy.cut();
}

/** Stalled data is lost; the browser reports that the network is back. */
async function heal({ proxy, watched: { page } }: Setup): Promise<void> {
  proxy.cut();
  proxy.set({ kind: 'none' });
  await page.evaluate(() => void window.dispatchEvent(new Event('online')));
  await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
}

const QUIET: ReadonlySet<string> = new Set(['idle', 'sleeping']);

/** The server has every message and nothing left to do; the page has nothing left to send. */
async function waitUntilQuiet(setup: Setup, id: string): Promise<void> {
  await waitFor('an empty outbox', async () => (await outboxOf(setup.watched.page)) === 0, QUIET_MS);
  await waitFor(
    `session ${id} to be quiet`,
    async () => {
      const session = await setup.session(id);
      return QUIET.has(session.status) && session.queue.length === 0;
    },
    QUIET_MS,
  );
}

/** How many unsent messages the browser stores. Keys that start with # are not messages. */
export const outboxOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('signalbox');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const keys = opening.result.transaction('outbox').objectStore('outbox').getAllKeys();
          keys.onerror = () => reject(keys.error);
          keys.onsuccess = () => {
            opening.result.close();
            resolve(keys.result.filter((key) => !String(key).startsWith('#')).length);
          };
        };
      }),
  );
