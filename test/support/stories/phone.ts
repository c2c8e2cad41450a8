import type { Session } from '../../../src/protocol/session.ts';
import { type Person, PHONE } from '../browser/person.ts';
import type { Step, Story } from '../browser/reload.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';
import { answerWith, holds, opened, part, text } from './acts.ts';

/** A day of work on a phone. */
export const thumb: Story = {
  name: 'a day on the phone',
  viewport: PHONE,
  steps: (server) => [
    { name: 'the deck', act: ({ open }) => open('/'), shows: part('.plan .blocks') },
    { name: 'a request', act: opened(server, 'run echo on the way', 'waiting'), shows: part('.approval') },
    {
      name: 'the details of the session',
      act: ({ page }) => page.getByRole('button', { name: 'Details' }).tap(),
      shows: part('[aria-label="Details"][aria-expanded="true"]'),
    },
    { name: 'the request allowed', act: ({ page }) => answerWith(page.locator('.approval'), /^Allow/), shows: part('.row-turn') },
    { name: 'half a message', act: ({ page }) => page.getByLabel('Message', { exact: true }).fill('half a word'), shows: holds('Message', 'half a word') },
    { name: 'the inbox', act: ({ open }) => open('/inbox'), shows: (page) => page.getByRole('heading', { name: 'Needs you', exact: true }) },
    { name: 'two sessions, one at a time', act: openTwoTiles(server), shows: (page) => page.getByRole('tab', { selected: true }) },
    { name: 'search hits', act: ({ open }) => open('/search?q=hello'), shows: part('.search-body a') },
    { name: 'its timeline over the transcript', act: side(server, 'timeline'), shows: part('.timeline-sum') },
    { name: 'its raw lines', act: side(server, 'raw'), shows: part('.raw-line') },
    { name: 'raw lines that contain a word', act: ({ page }) => page.getByRole('searchbox').fill('began'), shows: text(/of .* loaded lines/) },
    { name: 'the settings', act: ({ open }) => open('/settings/notifications'), shows: (page) => page.getByRole('region', { name: 'Notifications' }) },
  ],
};

function openTwoTiles(server: TestServer): Step['act'] {
  return async ({ open }) => {
    const { body } = await api<{ sessions: Session[] }>(server, 'GET', '/api/sessions?limit=2');
    await open(`/tiles?s=${body.sessions.map(({ id }) => id)}`);
  };
}

function side(server: TestServer, name: string): (person: Person) => Promise<void> {
  return async ({ open }) => {
    const { body } = await api<{ sessions: Session[] }>(server, 'GET', '/api/sessions?limit=1');
    await open(`/s/${body.sessions[0]?.id}/${name}`);
  };
}
