import type { Locator, Page } from 'playwright-core';
import { drawSignal } from '../../../src/agents/demo/program/picture.ts';
import type { Person } from '../browser/person.ts';
import type { Story } from '../browser/reload.ts';
import { holds, message, opened, part, text } from './acts.ts';

const line = (page: Page, words: string): Locator => page.locator('.queue-line', { hasText: words });
const FILE_LABEL = /^File in the project folder/;

/** Messages that are queued while an agent works, and their attachments. */
export const queue: Story = {
  name: 'queued messages',
  steps: (server) => [
    { name: 'a working agent', act: opened(server, 'wait', 'busy'), shows: text('I am waiting.') },
    { name: 'three queued messages', act: sayThree, shows: (page) => line(page, 'echo third') },
    { name: 'a half-edited one', act: editQueued, shows: (page) => page.locator('.queue-line.editing') },
    { name: 'an edited one', act: saveEdit, shows: part('.queue-text', 'changed') },
    { name: 'another order', act: moveUp, shows: (page) => page.locator('.queue-line').nth(1).filter({ hasText: 'echo third' }) },
    { name: 'one removed', act: ({ page }) => press(page, 'echo third', 'Remove from queue'), shows: part('.queue-line:last-child', 'changed') },
    {
      name: 'one sent into the turn',
      act: ({ page }) => press(page, 'first of all', 'Send now'),
      shows: text('Got your message: “first of all”'),
    },
    { name: 'half a command', act: halfCommand, shows: holds('Message', '/ec') },
    { name: 'a half-finished file reference', act: startFileReference, shows: (page) => page.getByLabel(FILE_LABEL) },
    { name: 'an attached file reference', act: ({ page }) => page.keyboard.press('Enter'), shows: part('.attached .chip', 'src/cart/merge.ts') },
    { name: 'an attached image', act: ({ paste }) => paste(drawSignal(24)), shows: part('.thumb img') },
    { name: 'an interrupted turn', act: interrupt, shows: text('Queue paused, 1 message waiting') },
    {
      name: 'a resumed queue',
      act: ({ page }) => page.getByRole('button', { name: 'Resume', exact: true }).click(),
      shows: part('.row-text', /^second, changed$/),
    },
    { name: 'the image sent', act: ({ say }) => say('echo look at it'), shows: text('You sent me a picture (PNG of') },
    { name: 'a quote from the transcript attached', act: quote, shows: part('.attached .chip', 'look at it') },
    {
      name: 'another model',
      act: ({ choose }) => choose(/^Model/, /^Semaphore/),
      shows: (page) => page.getByRole('button', { name: /^Model: Semaphore \(slow\)$/ }),
    },
    {
      name: 'another thinking level',
      act: ({ choose }) => choose(/^Thinking/, /^high thinking/),
      shows: (page) => page.getByRole('button', { name: 'Thinking: high thinking', exact: true }),
    },
    { name: 'a limit', act: ({ say }) => say('limit 3000'), shows: text(/Demo limit reached/) },
    {
      name: 'automatic resume at the reset',
      act: ({ page }) => page.getByRole('button', { name: 'Resume automatically' }).click(),
      shows: text(/Resumes automatically at/),
    },
    { name: 'expanded thinking', act: expandThinking(server), shows: part('.thinking') },
    { name: 'a subagent that asks', act: opened(server, 'subagent', 'waiting'), shows: part('.approval') },
    { name: 'an expanded card', act: ({ page }) => page.locator('.row-tool .fold-head').first().click(), shows: part('.row-tool .fold.open') },
    { name: 'an image from the agent', act: opened(server, 'picture', 'idle'), shows: part('.picture img, .row-tool img') },
  ],
};

async function sayThree({ say, page }: Person): Promise<void> {
  for (const words of ['first of all', 'echo second', 'echo third']) {
    await say(words);
    await line(page, words).waitFor();
  }
}

async function editQueued({ page }: Person): Promise<void> {
  await line(page, 'echo second').getByRole('button', { name: 'echo second' }).click();
  await page.getByLabel('Queued message').fill('echo second, changed');
}

/** Moves the focus away at the end: a line only shows its buttons while it has the focus. */
async function saveEdit({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await message(page).focus();
}

async function moveUp({ page }: Person): Promise<void> {
  await line(page, 'echo third').locator('.queue-text').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await message(page).focus();
}

async function press(page: Page, words: string, name: string): Promise<void> {
  await line(page, words).hover();
  await line(page, words).getByRole('button', { name }).click();
  await message(page).focus();
}

/** Closes the suggestions, which don't survive a reload. */
async function halfCommand({ page }: Person): Promise<void> {
  await message(page).fill('/ec');
  await page.getByRole('option').first().waitFor();
  await message(page).press('Escape');
}

async function startFileReference({ page }: Person): Promise<void> {
  await message(page).fill('');
  await page.getByRole('button', { name: 'Attach a file' }).click();
  await page.getByLabel(FILE_LABEL).fill('src/cart/merge.ts:38-44');
}

async function interrupt({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: /^Interrupt/ }).click();
  await page.getByText('Queue paused').first().waitFor();
}

async function quote({ page }: Person): Promise<void> {
  await page.locator('.row-text .answer p', { hasText: 'look at it' }).last().selectText();
  await page.getByRole('button', { name: 'Quote in message' }).click();
}

const expandThinking =
  (server: Parameters<Story['steps']>[0]) =>
  async (person: Person): Promise<void> => {
    await opened(server, 'think', 'idle')(person);
    await person.page.locator('.row-thinking .fold-head').first().click();
  };
