import type { Person } from '../browser/person.ts';
import type { Story } from '../browser/reload.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';
import { holds, part, text } from './acts.ts';

/** Every setting, half-filled and saved. */
export const settings: Story = {
  name: 'settings',
  steps: (server) => [
    { name: 'the agents', act: ({ open }) => open('/settings/agents'), shows: part('.agent-row') },
    { name: 'half a rule', act: halfRule, shows: holds('Pattern', 'echo mine *') },
    { name: 'a rule', act: ({ page }) => page.getByRole('button', { name: 'Create rule' }).click(), shows: part('.rule-row', 'echo mine') },
    { name: 'a half-narrowed rule', act: narrow, shows: holds('Pattern', 'echo mine only') },
    { name: 'a narrower rule', act: ({ page }) => page.getByRole('button', { name: 'Replace rule' }).click(), shows: part('.rule-row', 'echo mine only') },
    { name: 'the rule revoked', act: revoke, shows: part('[aria-label="Rules"]') },
    {
      name: 'half a name for a token',
      act: ({ open, page }) => open('/settings/people').then(() => page.getByLabel('Name').fill('ann')),
      shows: holds('Name', 'ann'),
    },
    { name: 'a revoked token', act: createAndRevokeToken(server), shows: part('.token-row') },
    { name: 'quiet hours', act: setQuietHours, shows: (page) => page.getByLabel('to', { exact: true }) },
    {
      name: 'no notification for finished turns',
      act: ({ page }) => page.getByLabel('A turn finished').uncheck(),
      shows: (page) => page.getByRole('checkbox', { name: 'A turn finished', checked: false }),
    },
    { name: 'the audit log, filtered', act: filterAudit, shows: part('.audit-list li', 'rule') },
    { name: 'larger text, compact layout', act: changeAppearance, shows: part('html[data-text="130"][data-density="compact"]') },
    { name: 'the data', act: ({ open }) => open('/settings/data'), shows: (page) => page.getByRole('region', { name: 'Transcript backups' }) },
    { name: 'about', act: ({ open }) => open('/settings/about'), shows: text('Data folder') },
    { name: 'an address with no page', act: ({ open }) => open('/settings/nowhere'), shows: text('Page not found') },
  ],
};

async function halfRule({ open, page }: Person): Promise<void> {
  await open('/settings/rules');
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByLabel('Pattern').fill('echo mine *');
}

async function narrow({ page }: Person): Promise<void> {
  await page.locator('.rule-row', { hasText: 'echo mine' }).getByRole('button', { name: 'Narrow' }).click();
  await page.getByLabel('Pattern').fill('echo mine only');
}

async function revoke({ page }: Person): Promise<void> {
  const row = page.locator('.rule-row', { hasText: 'echo mine only' });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await row.getByRole('button', { name: 'Yes, revoke' }).click();
  await row.waitFor({ state: 'detached' });
}

const createAndRevokeToken =
  (server: TestServer) =>
  async ({ page, open }: Person): Promise<void> => {
    await page.getByLabel('Name').fill('');
    await api(server, 'POST', '/api/tokens', { name: 'anna', role: 'viewer' });
    await open('/settings/people');
    const row = page.locator('.token-row', { hasText: 'anna' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Yes, revoke' }).click();
    await row.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
  };

async function setQuietHours({ open, page }: Person): Promise<void> {
  await open('/settings/notifications');
  await page.getByLabel('Quiet hours').check();
  await page.getByLabel('to', { exact: true }).fill('06:30');
}

async function filterAudit({ open, page }: Person): Promise<void> {
  await open('/settings/audit');
  // Not by its label alone: a session of another story can have the word in its title.
  await page
    .locator('label', { hasText: /^Action/ })
    .locator('select')
    .selectOption('rule.created');
  await page.getByLabel('Contains').pressSequentially('mine');
}

async function changeAppearance({ open, page }: Person): Promise<void> {
  await open('/settings/appearance');
  await page.getByLabel('130 %').check();
  await page.getByLabel('Compact').check();
}
