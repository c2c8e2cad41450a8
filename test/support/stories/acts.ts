import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Session } from '../../../src/protocol/session.ts';
import { type Person, RECOVERY_LIMIT_MS } from '../browser/person.ts';
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

/** A field with this value. */
export const holds =
  (name: string, words: string) =>
  (page: Page): Locator => {
    const field = page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));
    return field.and(page.locator(`:text-is(${JSON.stringify(words)}), [value=${JSON.stringify(words)}]`));
  };

export const idIn = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? expect.fail('no session is open');

/** Starts a session as a person does, from any page. */
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

/** Starts a session through the API and opens it once it has this status. */
export function opened(server: TestServer, prompt: string, status: Session['status'], more: object = {}): Step['act'] {
  return async ({ open }) => {
    const { body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt, ...more });
    await reaches(server, body.id, status);
    await open(`/s/${body.id}`);
  };
}

export const reaches = (server: TestServer, id: string, status: Session['status']): Promise<void> =>
  expect.poll(async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.status, { timeout: RECOVERY_LIMIT_MS }).toBe(status);

/** How long one click can take before it is retried: on a busy machine it takes seconds until a button is stable. */
export const PRESS_MS = 5_000;

/** A card ignores clicks in its first moment on purpose. Like a person, this clicks again until it has an effect. */
export async function pressUntil(button: Locator, expected: Locator): Promise<void> {
  const hasAppeared = async () => {
    if ((await expected.count()) === 0) await button.click({ timeout: PRESS_MS }).catch(() => undefined);
    return (await expected.count()) > 0;
  };
  await expect.poll(hasAppeared, { timeout: RECOVERY_LIMIT_MS }).toBe(true);
}

/** Clicks an answer until the server has it. If the page were left while the card still says "Sending…", the answer could be lost. */
export async function answerWith(card: Locator, name: string | RegExp): Promise<void> {
  const button = card.getByRole('button', { name });
  const isGiven = async () => {
    if ((await button.count()) > 0) await button.click({ timeout: PRESS_MS }).catch(() => undefined);
    const isOpen = (await card.getByRole('button').count()) > 0;
    return !isOpen && (await card.getByText('Sending…').count()) === 0;
  };
  await expect.poll(isGiven, { timeout: RECOVERY_LIMIT_MS }).toBe(true);
}
