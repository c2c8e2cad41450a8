import type { Page } from 'playwright-core';
import type { DemoSessions } from '../demo-sessions.ts';
import type { Surface } from './check-surfaces.ts';

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first();
const words = (text: string | RegExp) => (page: Page) => page.getByText(text).first();
const region = (name: string) => (page: Page) => page.getByRole('region', { name }).first();
const dialog = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name });
const sideTab = (page: Page) => page.locator('.side-tab[aria-current="page"]');
const press = (key: string) => (page: Page) => page.keyboard.press(key);

/** Every surface. Add a line here for a new one, and it is checked in every size and theme. */
export const SURFACES: readonly Surface<DemoSessions>[] = [
  { name: 'deck', address: () => '/', ready: words('Rotate the signing keys') },
  { name: 'session', address: ({ done }) => `/s/${done}`, ready: (page) => page.locator('.row').nth(2) },
  { name: 'session-waiting', address: ({ waiting }) => `/s/${waiting}`, ready: (page) => page.locator('.approval') },
  { name: 'session-asking', address: ({ asking }) => `/s/${asking}`, ready: (page) => page.locator('.approval') },
  { name: 'session-failed', address: ({ failed }) => `/s/${failed}`, ready: (page) => page.locator('.row').nth(1) },
  { name: 'session-changes', address: ({ done }) => `/s/${done}/changes`, ready: sideTab },
  { name: 'session-review', address: ({ done }) => `/s/${done}/review`, ready: sideTab },
  { name: 'session-files', address: ({ done }) => `/s/${done}/files`, ready: sideTab },
  { name: 'session-timeline', address: ({ done }) => `/s/${done}/timeline`, ready: sideTab },
  { name: 'session-raw', address: ({ done }) => `/s/${done}/raw`, ready: sideTab },
  { name: 'inbox', address: () => '/inbox', ready: (page) => page.locator('.approval').nth(1) },
  { name: 'sessions', address: () => '/sessions', ready: (page) => page.locator('.list-row').nth(3) },
  { name: 'sessions-by-project', address: () => '/sessions?group=project', ready: (page) => page.locator('.list-row').nth(3) },
  {
    name: 'tiles',
    address: ({ done, waiting, asking, running }) => `/tiles?s=${[done, waiting, asking, running]}`,
    ready: (page) => page.locator('.row').nth(1),
  },
  { name: 'search', address: () => '/search', ready: (page) => page.getByLabel('Search everything') },
  { name: 'search-hits', address: () => '/search?q=signal', ready: (page) => page.locator('.search-body a').first() },
  { name: 'annotations', address: () => '/annotations', ready: heading('Comments') },
  { name: 'usage', address: () => '/usage', ready: heading('Usage') },
  { name: 'settings-agents', address: () => '/settings/agents', ready: (page) => page.locator('.agent-row').first() },
  { name: 'settings-rules', address: () => '/settings/rules', ready: (page) => page.locator('.rule-row').first() },
  { name: 'settings-audit', address: () => '/settings/audit', ready: (page) => page.locator('.audit-list li').first() },
  { name: 'settings-people', address: () => '/settings/people', ready: (page) => page.locator('.token-row').nth(1) },
  { name: 'settings-notifications', address: () => '/settings/notifications', ready: region('Notifications') },
  { name: 'settings-appearance', address: () => '/settings/appearance', ready: region('Appearance') },
  { name: 'settings-data', address: () => '/settings/data', ready: region('Transcript backups') },
  { name: 'settings-about', address: () => '/settings/about', ready: words('Data folder') },
  { name: 'not-found', address: () => '/settings/nowhere', ready: heading('Page not found') },
  { name: 'palette', address: () => '/', ready: dialog('Actions and sessions'), reach: press('Control+k') },
  { name: 'palette-of-session', address: ({ done }) => `/s/${done}`, ready: dialog('Actions and sessions'), reach: press('Control+k') },
  { name: 'keys', address: () => '/', ready: dialog('Keyboard shortcuts'), reach: press('?') },
  { name: 'new-session', address: () => '/', ready: dialog('New session'), reach: press('c') },
];
