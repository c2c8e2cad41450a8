import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { accessibilityViolationsInBothThemes } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, type Person, PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { message } from '../support/stories/acts.ts';
import { waitFor } from '../support/wait-for.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const LIMITS = { SIGNALBOX_MAX_LIVE: '1', DEMO_AGENT_PACE_MS: '0' };

describe.skipIf('skip' in found || !isBuilt)('the line and the paused queue on the page', () => {
  let browser: Browser;
  let server: TestServer;
  beforeAll(async () => {
    if ('path' in found) browser = await sharedChromium(found.path);
    server = await startServer({ env: LIMITS });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    const { body } = await api<{ sessions: Session[] }>(server, 'GET', '/api/sessions');
    for (const { id } of body.sessions) await api(server, 'DELETE', `/api/sessions/${id}`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const create = async (prompt: string, title: string): Promise<string> =>
    (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt, title })).body.id;
  const session = async (id: string): Promise<Session> => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
  const eventsOf = async (id: string): Promise<readonly Event[]> =>
    (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?limit=1000`)).body.events;
  const said = async (id: string): Promise<readonly string[]> => (await eventsOf(id)).flatMap((event) => (event.type === 'user.message' ? [event.text] : []));
  const queue = ({ page }: Person) => page.locator('.queue-line .queue-text').allTextContents();

  async function resumeAndSend({ page }: Person, id: string): Promise<void> {
    await message(page).fill('echo four');
    await page.getByRole('button', { name: 'Resume and send' }).click();
    await expect.poll(() => said(id)).toEqual(['wait', 'echo now', 'echo one, edited', 'echo two', 'echo three', 'echo four']);
  }

  async function clearAndSend(person: Person, id: string): Promise<void> {
    await person.page.getByRole('button', { name: 'Clear', exact: true }).tap();
    await person.page.getByRole('button', { name: 'Yes, clear' }).tap();
    await expect.poll(() => queue(person)).toEqual([]);
    await person.say('echo after');
    await expect.poll(() => said(id)).toEqual(['wait', 'echo now', 'echo after']);
  }

  for (const viewport of [DESKTOP, PHONE]) {
    const size = `${viewport.width} px`;
    test(`[R360] a session in line shows its place and the limit on the deck, in the list and on its page, and moves up (${size})`, async () => {
      const working = await create('wait', 'At work');
      const first = await create('echo first', 'First in line');
      const second = await create('echo second', 'Second in line');
      const person = await signInWithoutPage(browser, server, viewport);
      const { page } = person;
      await person.open('/');
      await page.getByText('Number 1 in line: the only agent slot is in use').waitFor();
      await page.getByText('Number 2 in line: the only agent slot is in use').waitFor();
      await expect.poll(() => page.locator('.page-summary').textContent()).toContain('2 in line');
      if (viewport === DESKTOP) {
        await person.open('/sessions');
        await page.getByText('Number 2 in line').waitFor();
      }
      await person.open(`/s/${second}`);
      const bar = page.getByRole('status', { name: 'Place in line' });
      await bar.getByText('Number 2 in line').waitFor();
      expect(await bar.getByRole('link', { name: 'Change the limit' }).getAttribute('href')).toContain('settings/data');
      expect(await page.getByText('Starting the agent…').count()).toBe(0);
      if (viewport === PHONE) expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
      await api(server, 'DELETE', `/api/sessions/${first}`);
      await bar.getByText('Number 1 in line').waitFor();
      await api(server, 'POST', `/api/sessions/${working}/interrupt`, {});
      await page.locator('.row-text').first().waitFor();
      await bar.waitFor({ state: 'detached' });
      expect(person.complaints).toEqual([]);
    });

    test(`[R364] [R366] interrupting pauses the queue; it takes more messages, and continues or is cleared when somebody says so (${size})`, async () => {
      const id = await create('wait', 'At work');
      const person = await signInWithoutPage(browser, server, viewport);
      const { page } = person;
      await person.open(`/s/${id}`);
      await page.getByText('I am waiting.').waitFor();
      for (const text of ['echo one', 'echo two']) await person.say(text);
      await expect.poll(() => queue(person)).toEqual(['echo one', 'echo two']);
      if (viewport === DESKTOP) {
        await page.locator('body').click({ position: { x: 2, y: 2 } });
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
      } else await page.getByRole('button', { name: 'Interrupt', exact: true }).tap();
      const bar = page.getByRole('region', { name: 'Queue paused' });
      await bar.getByText('Queue paused, 2 messages waiting').waitFor();
      if (viewport === DESKTOP) await server.restart();
      await page.reload();
      await bar.waitFor();
      await message(page).fill('echo three');
      await page.getByText('The queue is paused: this waits too').waitFor();
      if (viewport === PHONE) expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
      await page.getByRole('button', { name: 'Add to queue' }).click();
      await bar.getByText('3 messages waiting').waitFor();
      await message(page).fill('echo now');
      await page.getByRole('button', { name: 'Send now' }).first().click();
      await expect.poll(() => said(id)).toEqual(['wait', 'echo now']);
      await bar.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Queued message').fill('echo one, edited');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(() => queue(person)).toEqual(['echo one, edited', 'echo two', 'echo three']);
      await (viewport === DESKTOP ? resumeAndSend(person, id) : clearAndSend(person, id));
      await bar.waitFor({ state: 'detached' });
      expect(person.complaints).toEqual([]);
    });
  }

  test('[R369] after a restart of the machine, one card on the deck offers the turns that were cut off, and continues those that are chosen', async () => {
    await server.restart({ env: { ...LIMITS, SIGNALBOX_MAX_LIVE: '5' } });
    const ids = [await create('wait', 'One'), await create('wait', 'Two'), await create('wait', 'Three')];
    const pids = await Promise.all(ids.map((id) => waitFor('a turn', async () => ((await said(id)).length === 1 ? (await session(id)).pid : undefined))));
    await server.kill9();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await server.restart({ env: LIMITS });
    const person = await signInWithoutPage(browser, server, PHONE);
    const { page } = person;
    await person.open('/');
    const card = page.getByRole('region', { name: '3 turns interrupted' });
    await card.waitFor();
    await card.getByRole('button', { name: 'Choose…' }).click();
    await card.getByRole('checkbox', { name: 'Two' }).uncheck();
    expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
    await card.getByRole('button', { name: 'Continue 2' }).click();
    const rest = page.getByRole('region', { name: '1 turn interrupted' });
    await rest.waitFor();
    await rest.getByRole('button', { name: 'Dismiss' }).click();
    await rest.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Two').first().waitFor();
    expect(await page.locator('.cut-off-card').count()).toBe(0);
    const accepted = async (id: string) => (await eventsOf(id)).filter((event) => event.type === 'input.accepted').length;
    expect(await Promise.all(ids.map(accepted))).toEqual([2, 1, 2]);
    expect(person.complaints).toEqual([]);
  });

  test('[R367] a limit can be waited out always, and the deck lists what resumes automatically', async () => {
    const id = await create('limit 1800', 'Limited');
    const person = await signInWithoutPage(browser, server);
    const { page } = person;
    await person.open(`/s/${id}`);
    await page.getByRole('button', { name: 'Always…' }).click();
    await page.getByRole('button', { name: 'Always in this project' }).click();
    await page
      .getByText(/Resumes automatically at/)
      .first()
      .waitFor();
    await person.open('/');
    const schedule = page.getByRole('region', { name: 'Resumes automatically' });
    await schedule.getByRole('button', { name: 'Don’t resume Limited automatically' }).click();
    await schedule.waitFor({ state: 'detached' });
    expect((await session(id)).continuesAt).toBeUndefined();
    expect(person.complaints).toEqual([]);
  });
});
