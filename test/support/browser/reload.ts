import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestServer } from '../real-server.ts';
import { type DESKTOP, type Person, RECOVERY_LIMIT_MS } from './person.ts';

/** Something a person does, and what the page shows afterwards. */
export interface Step {
  readonly name: string;
  readonly act: (person: Person) => Promise<unknown>;
  /** Visible once the step is done. */
  readonly shows: (page: Page) => Locator;
  /** What the person does again after the reload. A reload closes dialogs, but what was typed into them is back when they are opened again. */
  readonly again?: (person: Person) => Promise<unknown>;
}

export interface Story {
  readonly name: string;
  readonly viewport?: typeof DESKTOP;
  readonly steps: (server: TestServer) => readonly Step[];
}

/** Does all steps of a story, then closes the person's browser context. */
export async function tell(person: Person, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await reloadAfter(person, step);
  expect(person.complaints).toEqual([]);
  await person.page.context().close();
}

/** Every step loads the page twice. */
export const STORY_MS = 300_000;

/**
 * Does a step, reloads the page, and expects the same screen. Some things don't survive a reload, and that is fine: an open menu, dialog or list of
 * suggestions, a tooltip, a toast, how far a long output was expanded, the selected row of a list.
 */
async function reloadAfter(person: Person, { name, act, shows, again }: Step): Promise<void> {
  await act(person);
  // Controls that appear on hover would be gone after the reload.
  await person.page.mouse.move(0, 0);
  await shows(person.page).waitFor();
  const before = await settled(person.page, name);
  const address = person.page.url();
  await person.page.reload();
  await again?.(person);
  await shows(person.page).waitFor();
  // Every poll takes CPU time away from the page.
  await expect.poll(() => screen(person.page), { timeout: RECOVERY_LIMIT_MS, interval: POLL_MS, message: `after ${name}` }).toBe(before);
  expect(person.page.url(), name).toBe(address);
}

/** The accessibility tree without what changes by itself: ages, memory, disk space, milliseconds. */
async function screen(page: Page): Promise<string> {
  // After an answer, a hint names the session that needs you next; a page that was reloaded has answered nothing.
  await page.locator('.next-up').evaluateAll((hints) => {
    for (const hint of hints) hint.setAttribute('aria-hidden', 'true');
  });
  const tree = await page.locator('body').ariaSnapshot();
  return (
    tree
      .replace(/\b(now|\d+[smhd])\b/g, 'a while')
      .replace(/\d+(\.\d+)? (ms|s|min|KB|MB|GB)\b/g, 'so much')
      .replace(/\d{1,2}:\d{2}(:\d{2})?( [AP]M)?/g, 'a time')
      // An agent's memory is known a moment after its process, and an end is only announced to pages that were open.
      .replace(/^ *- (text: Memory so much|paragraph: Uses so much of memory)\n/gm, '')
      .replace(/ ?Memory so much/g, '')
      .replace(/frees (its memory|so much)/g, 'frees memory')
      .replace(/^( *- status): (Turn finished|Needs you|The agent failed)$/gm, '$1')
      .replace(/^( *- paragraph: Working…) so much$/gm, '$1')
      .replace(/(running, \d+ tools?), so much/g, '$1')
      // The number of newer messages depends on how much was loaded before.
      .replace(/Jump to end [\d,]+ newer/g, 'Jump to end')
      // Hover controls stay until the pointer is over something else.
      .replace(/^ *- button "(Star message|Comment on message)"\n/gm, '')
      // Sessions of other stories finish at any time.
      .replace(/"Deck,? \d+ unread"/g, '"Deck"')
      .replace(/^ *- text: "\d+"\n/gm, '')
      // The focus doesn't survive a reload either.
      .replace(/ \[active\]/g, '')
  );
}

const POLL_MS = 200;

/** Lazily loaded parts appear some frames after the rest. */
const STABLE_POLLS = 4;

/** The screen once it was the same for several polls in a row and doesn't say that more is loading. */
async function settled(page: Page, name: string): Promise<string> {
  let before = '';
  let stablePolls = 0;
  await expect
    .poll(
      async () => {
        const now = await screen(page);
        const isDrawn = (await page.locator('.undrawn').count()) === 0; // the Markdown grammar is loaded separately
        const isSame = now === before && isDrawn && !now.includes('Still importing past sessions');
        before = now;
        stablePolls = isSame ? stablePolls + 1 : 0;
        return stablePolls >= STABLE_POLLS;
      },
      { timeout: RECOVERY_LIMIT_MS, interval: POLL_MS, message: `${name} settles` },
    )
    .toBe(true);
  return before;
}
