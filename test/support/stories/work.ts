import { expect } from 'vitest';
import type { Person } from '../browser/person.ts';
import type { Story } from '../browser/reload.ts';
import type { TestServer } from '../real-server.ts';
import { waitFor } from '../wait-for.ts';
import { begin, message, text } from './acts.ts';

/** A person's day, starting with an empty deck. */
export const work: Story = {
  name: 'a day of work',
  steps: (server) => [
    { name: 'the empty deck', act: ({ open }) => open('/'), shows: text('The lines are clear') },
    { name: 'a first session', act: (person) => begin(person, server), shows: text('Try one of these words') },
    { name: 'half a message', act: ({ page }) => message(page).fill('run echo'), shows: (page) => message(page).and(page.locator(':text("run echo")')) },
    { name: 'a pending request', act: ({ say }) => say('run echo hello'), shows: (page) => page.locator('.approval') },
    { name: 'a message in the queue', act: ({ say }) => say('echo later'), shows: text('echo later') },
    { name: 'the inbox', act: ({ page }) => page.getByRole('link', { name: /^Inbox/ }).click(), shows: (page) => page.locator('.approval') },
    { name: 'the session again, at its request', act: ({ page }) => page.locator('.approval-who').click(), shows: (page) => page.locator('.approval') },
    {
      name: 'the request allowed, and the queue empty',
      act: ({ page }) => page.getByRole('button', { name: 'Allow', exact: true }).click(),
      shows: (page) => page.locator('.row-text').getByText('later', { exact: true }),
    },
    { name: 'another title', act: retitle, shows: (page) => page.getByRole('heading', { name: 'Echoes' }) },
    { name: 'the deck', act: ({ page }) => page.getByRole('link', { name: 'Deck' }).click(), shows: text('Echoes') },
    { name: 'all sessions, filtered', act: filterSessions, shows: (page) => page.locator('.list-row') },
    { name: 'search hits', act: ({ open }) => open('/search?q=hello'), shows: (page) => page.locator('.search-body a').first() },
    {
      name: 'the event of a hit',
      act: ({ page }) => page.locator('.search-body a[href*="#e"]').first().click(),
      shows: (page) => page.locator('.row').first(),
    },
    { name: 'sessions side by side', act: openTiles(server), shows: (page) => page.locator('.tile').first().locator('.row').first() },
    { name: 'usage', act: ({ page }) => page.getByRole('link', { name: 'Usage' }).click(), shows: (page) => page.getByRole('heading', { name: 'Usage' }) },
    { name: 'the settings', act: ({ page }) => page.getByRole('link', { name: 'Settings' }).click(), shows: (page) => page.locator('.agent-row').first() },
    {
      name: 'another page of the settings',
      act: ({ open }) => open('/settings/data'),
      shows: (page) => page.getByRole('region', { name: 'Transcript backups' }),
    },
  ],
};

async function retitle({ page }: Person): Promise<void> {
  await page.locator('.session-title button').click();
  await page.getByLabel('Title').fill('Echoes');
  await page.keyboard.press('Enter');
}

async function filterSessions({ page }: Person): Promise<void> {
  await page.getByRole('link', { name: 'All sessions', exact: true }).click();
  await page.getByLabel('Filter sessions').fill('echo');
  await page.waitForURL('**/sessions?q=echo');
}

const openTiles =
  (server: TestServer) =>
  async ({ page }: Person): Promise<void> => {
    const first = page.url().match(/\/s\/([^#]+)/)?.[1] ?? expect.fail('no session is open');
    // A key press is lost if the page isn't listening yet.
    await waitFor('the list of sessions to show next to it', async () => {
      await page.keyboard.press('b');
      return page.getByText('No matches').isVisible();
    });
    await page.keyboard.press('Escape');
    await page.goto(`${server.url}/tiles?s=${first},${first}x`);
  };
