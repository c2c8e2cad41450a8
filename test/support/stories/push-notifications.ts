import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Session } from '../../../src/protocol/session.ts';
import type { Person } from '../browser/person.ts';
import type { Story } from '../browser/reload.ts';
import { api } from '../client.ts';
import type { PushEndpoint } from '../push-endpoint.ts';
import type { TestServer } from '../real-server.ts';
import { opened, part, text } from './acts.ts';

/** Push notifications to a phone, muted sessions, and the export of the audit log. */
export const told = (endpoint: PushEndpoint): Story => ({
  name: 'push notifications and the audit export',
  steps: (server) => [
    { name: 'a phone that gets notifications', act: withPhone(server, endpoint), shows: text('A phone') },
    { name: 'a rejected test message', act: sendRejectedTest(endpoint), shows: text('Its push service answered with status 403') },
    { name: 'a session', act: opened(server, 'hello', 'idle'), shows: part('.row.last') },
    { name: 'a muted session', act: mute, shows: (page) => page.locator('.popup').getByText('turn its notifications back on'), again: openMenu },
    { name: 'the number of muted sessions', act: ({ open }) => open('/settings/notifications'), shows: text('1 session muted') },
    {
      name: 'an unmuted session',
      act: unmute(server),
      shows: (page) => page.locator('.popup').getByText('no notifications from this session'),
      again: openMenu,
    },
    { name: 'the exported audit log', act: exportAudit, shows: part('.audit-list li') },
  ],
});

const withPhone =
  (server: TestServer, endpoint: PushEndpoint) =>
  async ({ open }: Person): Promise<void> => {
    await api(server, 'POST', '/api/push/devices', { device: 'A phone', ...endpoint.target('phone') });
    await open('/settings/notifications');
  };

const sendRejectedTest =
  (endpoint: PushEndpoint) =>
  async ({ page }: Person): Promise<void> => {
    endpoint.answers.push({ status: 403 });
    await page.getByRole('button', { name: 'Send a test' }).click();
  };

const openMenu = ({ page }: Person): Promise<void> => page.getByRole('button', { name: 'More', exact: true }).first().click();

async function mute(person: Person): Promise<void> {
  await person.choose('More', /^Mute/);
  await openMenu(person);
}

const unmute =
  (server: TestServer) =>
  async (person: Person): Promise<void> => {
    const { sessions } = (await api<{ sessions: Session[] }>(server, 'GET', '/api/sessions?limit=1')).body;
    await person.open(`/s/${sessions[0]?.id ?? expect.fail('there is no session')}`);
    await person.choose('More', /^Unmute/);
    await openMenu(person);
  };

async function exportAudit({ open, page }: Person): Promise<void> {
  await open('/settings/audit');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export NDJSON' }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
}
