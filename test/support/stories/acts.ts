import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Session } from '../../../src/protocol/session.ts';
import { HEAL_MS, type Person } from '../browser/person.ts';
import type { Step } from '../browser/reload.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';

export const text =
  (words: string | RegExp) =>
  (page: Page): Locator =>
    page.getByText(words).first();
export const message = (page: Page): Locator => page.getByLabel('Message', { exact: true });
export const part =
  (selector: string, hasText?: string | RegExp) =>
  (page: Page): Locator =>
    page.locator(selector, hasText === undefined ? {} : { hasText }).first();

/** A field that holds these words. */
export const holds =
  (name: string, words: string) =>
  (page: Page): Locator => {
    const field = page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));
    return field.and(page.locator(`:text-is(${JSON.stringify(words)}), [value=${JSON.stringify(words)}]`));
  };

export const idIn = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? expect.fail('no session is open');

/** Starts a session as people do, from anywhere. */
export async function begin({ page }: Person, server: TestServer, prompt = 'hello'): Promise<void> {
  await connected(page);
  await page.keyboard.press('c');
  await page.getByLabel('Project folder').fill(server.project);
  await page.getByLabel('Demo agent').check();
  await page.getByLabel('First message').fill(prompt);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL('**/s/*');
}

export const connected = (page: Page): Promise<void> => page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });

/** Opens a session that was begun elsewhere, once it is in this state. */
export function opened(server: TestServer, prompt: string, status: Session['status'], more: object = {}): Step['act'] {
  return async ({ open }) => {
    const { body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt, ...more });
    await reaches(server, body.id, status);
    await open(`/s/${body.id}`);
  };
}

export const reaches = (server: TestServer, id: string, status: Session['status']): Promise<void> =>
  expect.poll(async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.status, { timeout: HEAL_MS }).toBe(status);

/** How long one press may take before it is tried again: a busy machine needs seconds to find a button at rest. */
export const PRESS_MS = 5_000;

/** A press in the first moment of a card is swallowed on purpose: a person presses again, until something comes of it. */
export async function pressUntil(button: Locator, comes: Locator): Promise<void> {
  const isThere = async () => {
    if ((await comes.count()) === 0) await button.click({ timeout: PRESS_MS }).catch(() => undefined);
    return (await comes.count()) > 0;
  };
  await expect.poll(isThere, { timeout: HEAL_MS }).toBe(true);
}

/** Presses an answer until its card says that the server has it, or is gone. A page that is left while it still says "telling the server…" may take it along. */
export async function answerWith(card: Locator, name: string | RegExp): Promise<void> {
  const button = card.getByRole('button', { name });
  const isGiven = async () => {
    if ((await button.count()) > 0) await button.click({ timeout: PRESS_MS }).catch(() => undefined);
    const isOpen = (await card.getByRole('button').count()) > 0;
    return !isOpen && (await card.getByText('Sending…').count()) === 0;
  };
  await expect.poll(isGiven, { timeout: HEAL_MS }).toBe(true);
}
