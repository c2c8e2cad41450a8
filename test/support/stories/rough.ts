import type { Session } from '../../../src/protocol/session.ts';
import type { Person } from '../browser/person.ts';
import type { Step, Story } from '../browser/reload.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';
import { answerWith, begin, idIn, pressUntil, text } from './acts.ts';

/** A day on which a lot goes wrong, and what a person then looks at. */
export const rough: Story = {
  name: 'a rough day',
  steps: (server) => [
    { name: 'a crashed agent', act: (person) => begin(person, server, 'crash'), shows: text('The agent crashed mid-turn') },
    { name: 'a question', act: ({ say }) => say('ask'), shows: (page) => page.locator('.approval', { hasText: 'Which signal' }) },
    {
      name: 'the answer',
      act: answer,
      shows: (page) => page.locator('.row-turn').nth(1),
    },
    { name: 'a request to change a file', act: ({ say }) => say('edits'), shows: (page) => page.locator('.approval', { hasText: 'wants to change' }) },
    { name: 'a denial with a reason', act: deny, shows: text('not before noon') },
    { name: 'its changes', act: side('changes'), shows: (page) => page.locator('.side-tab[aria-current="page"]') },
    { name: 'its files', act: side('files'), shows: (page) => page.getByRole('tree') },
    { name: 'its timeline', act: side('timeline'), shows: (page) => page.locator('.timeline-sum') },
    { name: 'its raw lines', act: side('raw'), shows: (page) => page.locator('.raw-line').first() },
    { name: 'a fork of it', act: fork(server), shows: text('Forked a conversation') },
    { name: 'the fork sleeping', act: sleep(server), shows: (page) => page.locator('.session-head', { hasText: 'sleeping' }) },
    { name: 'the deck with both', act: ({ open }) => open('/'), shows: (page) => page.locator('.plan .points') },
    { name: 'the audit log', act: ({ open }) => open('/settings/audit'), shows: (page) => page.locator('.audit-list li').first() },
    { name: 'another theme', act: chooseLightTheme, shows: (page) => page.locator('html[data-theme="light"]') },
  ],
};

async function answer({ page }: Person): Promise<void> {
  const card = page.locator('.approval');
  await pressUntil(card.getByRole('button', { name: /^Green/ }), card.locator('[aria-pressed="true"], :checked'));
  await answerWith(card, 'Answer');
}

async function deny({ page }: Person): Promise<void> {
  await pressUntil(page.locator('.approval').getByRole('button', { name: /^Deny/ }), page.getByLabel('Reason'));
  await page.getByLabel('Reason').fill('not before noon');
  await page.keyboard.press('Enter');
}

function side(name: string): Step['act'] {
  return ({ open, page }) => open(`/s/${idIn(page)}/${name}`);
}

const fork =
  (server: TestServer) =>
  async ({ open, page }: Person): Promise<void> => {
    const { body } = await api<Session>(server, 'POST', `/api/sessions/${idIn(page)}/fork`, {});
    await open(`/s/${body.id}`);
  };

const sleep =
  (server: TestServer) =>
  ({ page }: Person): Promise<unknown> =>
    api(server, 'POST', `/api/sessions/${idIn(page)}/sleep`, {});

async function chooseLightTheme({ open, page }: Person): Promise<void> {
  await open('/settings/appearance');
  await page.getByLabel('Light').check();
}
