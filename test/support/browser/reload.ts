import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestServer } from '../real-server.ts';
import { type DESKTOP, HEAL_MS, type Person } from './person.ts';

/** Something that a person does, and what is then to be seen. */
export interface Step {
  readonly name: string;
  readonly act: (person: Person) => Promise<unknown>;
  /** What is on the screen once the step is done. */
  readonly shows: (page: Page) => Locator;
  /** What a hand does again after the reload: it closes dialogs, but what was typed into them is there when they are opened again. */
  readonly again?: (person: Person) => Promise<unknown>;
}

export interface Story {
  readonly name: string;
  readonly viewport?: typeof DESKTOP;
  readonly steps: (server: TestServer) => readonly Step[];
}

/** All steps of a story, by somebody who goes then. */
export async function tell(person: Person, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await reloadAfter(person, step);
  expect(person.complaints).toEqual([]);
  await person.page.context().close();
}

/** Every step is drawn twice. */
export const STORY_MS = 300_000;

/**
 * Does a step, reloads the page, and expects the same screen. What passes by nature is not asked for: an open menu, dialog or list of proposals, a tooltip,
 * a message that is shown for a moment, how far a long output was unrolled, where the cursor of a list stood.
 */
async function reloadAfter(person: Person, { name, act, shows, again }: Step): Promise<void> {
  await act(person);
  // What a pointer brings out passes with it.
  await person.page.mouse.move(0, 0);
  await shows(person.page).waitFor();
  const before = await settled(person.page, name);
  const address = person.page.url();
  await person.page.reload();
  await again?.(person);
  await shows(person.page).waitFor();
  // Each look takes from the processor what the page is drawn with.
  await expect.poll(() => screen(person.page), { timeout: HEAL_MS, interval: LOOK_MS, message: `after ${name}` }).toBe(before);
  expect(person.page.url(), name).toBe(address);
}

/** What eyes and ears are told, without what changes by itself: how long ago, how much memory or disk, how many milliseconds. */
async function screen(page: Page): Promise<string> {
  const told = await page.locator('body').ariaSnapshot();
  return (
    told
      .replace(/\b(now|\d+[smhd])\b/g, 'a while')
      .replace(/\d+(\.\d+)? (ms|s|min|KB|MB|GB)\b/g, 'so much')
      .replace(/\d{1,2}:\d{2}(:\d{2})?( [AP]M)?/g, 'a time')
      // Its memory is known a moment after its process, and what has just ended is announced to those who were there.
      .replace(/^ *- (text: Memory so much|paragraph: Uses so much of memory)\n/gm, '')
      .replace(/ ?Memory so much/g, '')
      .replace(/frees (its memory|so much)/g, 'frees memory')
      .replace(/^( *- status): (Turn finished|Needs you|The agent failed)$/gm, '$1')
      .replace(/^( *- paragraph: Working…) so much$/gm, '$1')
      .replace(/(running, \d+ tools?), so much/g, '$1')
      // How many lie beyond what was fetched says how much was looked at before.
      .replace(/Jump to end [\d,]+ newer/g, 'Jump to end')
      // What a pointer brings out stays for as long as nothing else is under it.
      .replace(/^ *- button "(Star message|Add or edit note)"\n/gm, '')
      // Where the focus is passes too.
      .replace(/ \[active\]/g, '')
  );
}

const LOOK_MS = 200;

/** Parts that are fetched when they are needed come some pictures after the rest. */
const RESTING_LOOKS = 4;

/** The screen once it has been the same for some looks in a row, and does not say itself that more will come. */
async function settled(page: Page, name: string): Promise<string> {
  let before = '';
  let looks = 0;
  await expect
    .poll(
      async () => {
        const now = await screen(page);
        const isDrawn = (await page.locator('.undrawn').count()) === 0; // the grammar of Markdown comes beside the words
        const isSame = now === before && isDrawn && !now.includes('Still importing past sessions');
        before = now;
        looks = isSame ? looks + 1 : 0;
        return looks >= RESTING_LOOKS;
      },
      { timeout: HEAL_MS, interval: LOOK_MS, message: `${name} comes to rest` },
    )
    .toBe(true);
  return before;
}
