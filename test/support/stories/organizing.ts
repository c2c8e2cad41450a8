import { expect } from 'vitest';
import type { Session } from '../../../src/protocol/session.ts';
import type { Person } from '../browser/person.ts';
import type { Step, Story } from '../browser/reload.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';
import { connected, holds, idIn, opened, part, reaches, text } from './acts.ts';

/** Sessions are named, tagged, archived, found, compared and handed over. */
export const keeping: Story = {
  name: 'organizing many sessions',
  steps: (server) => [
    { name: 'a half-filled form for a new session', act: halfForm, shows: holds('Append to system prompt', 'Be brief.'), again: openForm },
    { name: 'half a description', act: describe(server), shows: holds('Note', 'ask Anna first'), again: ({ page }) => openDescription(page) },
    {
      name: 'a session with tags and a note',
      act: ({ page }) => page.getByRole('button', { name: 'Save', exact: true }).click(),
      shows: part('.list-row', 'night-train'),
    },
    { name: 'a star', act: star, shows: (page) => page.getByRole('button', { name: /Remove star/ }).first() },
    { name: 'only sessions with that tag', act: ({ open }) => open('/sessions?tag=night-train'), shows: part('.list-row', 'Timetable') },
    { name: 'the list by project', act: ({ open }) => open('/sessions?group=project'), shows: part('.group-head') },
    { name: 'a collapsed project', act: ({ page }) => page.locator('.group-head button').first().click(), shows: part('.group-head [aria-expanded="false"]') },
    { name: 'a session archived from the palette', act: archive, shows: text('Timetable') },
    { name: 'the archived sessions', act: ({ open }) => open('/sessions?archived=true'), shows: part('.list-row', 'Timetable') },
    { name: 'three side by side', act: openTiles(server), shows: (page) => page.locator('.tile').nth(2).locator('.row').first() },
    { name: 'half a message in one of them', act: writeInTile, shows: (page) => page.locator('.tile').nth(1).locator('textarea') },
    {
      name: 'another order of tiles',
      act: ({ page }) =>
        page
          .getByRole('button', { name: /^Move .* later$/ })
          .first()
          .click(),
      shows: (page) => page.locator('.tile').nth(2),
    },
    { name: 'another tile width', act: widen, shows: (page) => page.getByRole('separator', { name: 'Width of column 1' }) },
    {
      name: 'one tile closed',
      act: ({ page }) =>
        page
          .getByRole('button', { name: /^Close / })
          .first()
          .click(),
      shows: (page) => page.locator('.tiles:not(:has(.tile:nth-of-type(4)))'),
    },
    { name: 'a search with operators', act: ({ open }) => open('/search?q=notes%20kind%3Adiff'), shows: part('.search-body') },
    { name: 'sessions that touched a file', act: ({ open }) => open('/search?q=path%3Ademo-notes.md'), shows: part('.search-body a') },
    { name: 'the event of a hit', act: ({ page }) => page.locator('.search-body a[href*="#e"]').first().click(), shows: part('.row') },
    { name: 'the end again, with a key', act: toEnd, shows: part('.row.last') },
    {
      name: 'usage of seven days',
      act: usageOfAWeek,
      shows: (page) => page.getByRole('radio', { name: '7 days', checked: true }),
    },
    { name: 'a longer panel window', act: choosePanelWindow, shows: part('.window-choice [aria-pressed="true"]', '4 h') },
    { name: 'a new session with a summary', act: handOver(server), shows: part('.row') },
    { name: 'its changes in two columns', act: ({ open, page }) => open(`/s/${idIn(page)}/changes?view=split`), shows: part('.side-tab[aria-current="page"]') },
  ],
};

async function usageOfAWeek({ open, page }: Person): Promise<void> {
  await open('/usage');
  await page.getByRole('radio', { name: '7 days' }).check({ force: true });
}

async function openForm({ page }: Person): Promise<void> {
  await connected(page);
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'New session' }).waitFor();
}

async function halfForm(person: Person): Promise<void> {
  const { page } = person;
  await openForm(person);
  await page.getByLabel('First message').fill('half a message');
  await page.getByText('Options', { exact: true }).click();
  await page.getByLabel('Permissions').selectOption('plan');
  await page.getByText('More', { exact: true }).last().click();
  await page.getByLabel('Append to system prompt').fill('Be brief.');
}

function describe(server: TestServer): Step['act'] {
  return async (person) => {
    await opened(server, 'write', 'idle', { title: 'Timetable', permissionMode: 'acceptEdits' })(person);
    await person.open('/sessions');
    await openDescription(person.page);
    await person.page.getByLabel('Tags (comma-separated)').fill('night-train');
    await person.page.getByRole('textbox', { name: 'Note' }).fill('ask Anna first');
  };
}

async function openDescription(page: Person['page']): Promise<void> {
  await page.getByRole('button', { name: 'More actions for Timetable' }).click();
  await page.getByRole('button', { name: /^Title, tags and note/ }).click();
  await page.getByRole('dialog').waitFor();
}

async function star({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'More actions for Timetable' }).click();
  await page.locator('.popup').getByRole('button', { name: 'Star', exact: true }).click();
}

async function archive({ open, page }: Person): Promise<void> {
  await open('/sessions?tag=night-train');
  await page.locator('.list-row', { hasText: 'Timetable' }).click();
  await page.waitForURL('**/s/*');
  await connected(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('archive');
  await page
    .getByRole('option', { name: /^Archive/ })
    .first()
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

function openTiles(server: TestServer): Step['act'] {
  return async ({ open }) => {
    const ids = [];
    for (const title of ['Up line', 'Down line', 'Branch line']) {
      const { body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, title, prompt: `echo ${title}` });
      await reaches(server, body.id, 'idle');
      ids.push(body.id);
    }
    await open(`/tiles?s=${ids}`);
  };
}

const writeInTile: Step['act'] = ({ page }) => page.locator('.tile').nth(1).getByLabel('Message', { exact: true }).fill('half a word');

async function widen({ page }: Person): Promise<void> {
  const border = page.getByRole('separator', { name: 'Width of column 1' });
  await border.focus();
  await page.keyboard.press('ArrowRight');
}

async function toEnd({ page }: Person): Promise<void> {
  await page.locator('.transcript').press('End');
  await expect.poll(() => new URL(page.url()).hash).toBe('');
}

async function choosePanelWindow({ open, page }: Person): Promise<void> {
  await open('/');
  await page.getByRole('button', { name: '4 h' }).click();
}

function handOver(server: TestServer): Step['act'] {
  return async (person) => {
    const { page, choose } = person;
    await opened(server, 'echo what to go on with', 'idle')(person);
    const before = idIn(page);
    await choose('More', /^New session with summary/);
    await page
      .getByRole('dialog')
      .getByLabel(/^Extract/)
      .check();
    await page.getByRole('button', { name: 'Start session', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(before));
    await reaches(server, idIn(page), 'idle');
  };
}
