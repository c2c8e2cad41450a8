import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityViolations, accessibilityViolationsInBothThemes } from '../support/browser/accessibility.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signedInContext } from '../support/browser/signed-in.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Set to a folder to look at the screens. */
const SHOTS = process.env.SIGNALBOX_SHOTS;

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer({ from: 'dist' });
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function open(address: string, viewport = DESKTOP): Promise<Page> {
  const context = await signedInContext(browser, server, { viewport, colorScheme: 'dark' });
  const page = await context.newPage();
  await page.goto(`${server.url}/${address}`);
  return page;
}

const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
};

const step = (id: string, needs: readonly string[] = [], more: object = {}) => ({ id, title: `The ${id}`, prompt: `echo ${id}`, needs, ...more });
const create = (id: string, title: string, nodes: readonly object[]) =>
  api(server, 'POST', '/api/plans', { id, title, cwd: server.project, defaults: { agent: 'demo' }, nodes });

const drawn = (page: Page, id: string) => page.locator(`.graph-step[data-step="${id}"]`);

async function fillStep(page: Page, title: string, prompt: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^New step/ });
  await dialog.getByLabel('Title', { exact: true }).fill(title);
  await dialog.getByLabel('What the agent should do').fill(prompt);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('[R670] from an empty plan to a finished one by page alone; changes are drawn first, and a reload keeps them', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('plans');
  await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
  await page.getByRole('button', { name: 'New plan' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New plan' });
  await dialog.getByRole('radio', { name: 'Empty' }).check();
  await dialog.getByLabel('Title', { exact: true }).fill('Add search');
  await dialog.getByLabel('Project folder').fill(server.project);
  await dialog.getByLabel(/^Agent/).selectOption('demo');
  await shoot(page, 'new-plan');
  await dialog.getByRole('button', { name: 'Create' }).click();

  await page.getByRole('button', { name: 'Add a step', exact: true }).click();
  await fillStep(page, 'Design', 'echo a design');
  await drawn(page, 'design').click();
  await page.getByRole('button', { name: 'Add after…' }).click();
  await fillStep(page, 'Build', 'echo it is built');
  const bar = page.getByRole('region', { name: 'Changes not applied yet' });
  await bar.getByText('2 new steps').waitFor();
  await bar.getByText('Adds “Build” after “Design”').waitFor();
  await page.reload();
  await bar.getByText('2 new steps').waitFor();
  await shoot(page, 'preview');
  expect(await accessibilityViolations(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Apply' }).click();
  await bar.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.plan-facts').getByText('2 of 2 done').waitFor();
  await drawn(page, 'build').click();
  const details = page.getByRole('region', { name: 'Step Build' });
  await details.getByRole('heading', { name: 'Summary' }).waitFor();
  await details.getByRole('button', { name: 'Add a note or tags' }).click();
  await details.getByLabel('Note', { exact: true }).fill('fast');
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('fast', { exact: true }).waitFor();
  await shoot(page, 'done');
  expect(await accessibilityViolations(page)).toEqual([]);
  await details.getByRole('link', { name: 'Open the session' }).click();
  // The session links back to its step.
  await page.getByRole('link', { name: /^Plan step/ }).click();
  await page.waitForURL('**/plans/*step=build');
  await details.waitFor();
});

test('[R670] a step inserted between two rewires them; what the plan does not allow says why, and is not sent', async ({ skip }) => {
  if (missing) return skip(missing);
  await create('insert', 'Insert a step', [step('one'), step('two', ['one'])]);
  const page = await open('plans/insert');
  await drawn(page, 'two').click();
  await page.getByRole('button', { name: 'Insert a step between one and two' }).click();
  await fillStep(page, 'Middle', 'echo middle');
  const bar = page.getByRole('region', { name: 'Changes not applied yet' });
  await bar.getByText('1 new step').waitFor();
  await bar.getByText('1 rewired').waitFor();
  await bar.getByRole('button', { name: 'Apply' }).click();
  await bar.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit “The two”' });
  await edit.getByRole('checkbox', { name: 'Middle' }).uncheck();
  await edit.getByRole('button', { name: 'Done' }).click();
  await bar.getByText('“The two” now needs nothing').waitFor();
  // Meanwhile the step has started.
  await api(server, 'POST', '/api/plans/insert/nodes/two/skip', {});
  await api(server, 'POST', '/api/plans/insert/start', {});
  await page.locator('.plan-facts').getByText('3 of 3 done').waitFor();
  await bar.getByText(/has started and can't be given new needs/).waitFor();
  expect(await bar.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  await bar.getByRole('button', { name: 'Discard all' }).click();
  await bar.waitFor({ state: 'detached' });
});

test('[R671] on a phone: what needs you first, a list with rails, a gate sent back with words, and a retry', async ({ skip }) => {
  if (missing) return skip(missing);
  await create('phone', 'Release', [
    step('draft'),
    step('notes', ['draft']),
    step('broken', ['draft'], { kind: 'command', prompt: 'test -f fixed' }),
    step('look', ['notes'], { kind: 'gate', prompt: 'Is it good?' }),
    step('publish', ['look', 'broken']),
  ]);
  await api(server, 'POST', '/api/plans/phone/start', {});
  const page = await open('plans/phone', PHONE);
  const needsYou = page.locator('.gate-list').getByRole('button', { name: /The look/ });
  await needsYou.waitFor();
  await page.locator('.rail-row').nth(4).waitFor();
  await shoot(page, 'phone-list');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  expect(await accessibilityViolationsInBothThemes(page)).toEqual([]);
  await needsYou.click();
  const gate = page.getByRole('region', { name: 'Step The look' });
  await gate.getByText('Is it good?').waitFor();
  await gate.getByRole('button', { name: 'Send back…' }).click();
  await gate.getByLabel('What should change').fill('shorter');
  await shoot(page, 'phone-gate');
  await gate.getByRole('button', { name: 'Send back', exact: true }).click();
  // The step before runs again, and the gate asks again.
  await gate.getByRole('button', { name: 'Continue', exact: true }).waitFor({ state: 'detached' });
  await gate.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('button', { name: 'Close the step' }).click();
  await page.locator('[data-step="notes"]').getByText('×2').waitFor();
  await page.locator('[data-step="broken"]').click();
  const broken = page.getByRole('region', { name: 'Step The broken' });
  await broken.getByRole('button', { name: 'Skip', exact: true }).click();
  await broken.getByRole('button', { name: 'Yes, skip' }).click();
  await page.locator('.plan-facts').getByText('5 of 5 done').waitFor();
});

test('[R672] list, queue, inbox and panel show a plan as it goes, without a reload; a card leads to the plan', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await open('plans?status=');
  await create('live', 'Nightly', [step('work'), step('ask', ['work'], { kind: 'gate', prompt: 'Ship it?' }), step('after', ['ask'])]);
  const row = page.locator('[data-plan="live"]');
  await row.getByText('0 of 3 done').waitFor();
  await api(server, 'POST', '/api/plans/live/start', {});
  await row.getByText('1 step waits').waitFor();
  await shoot(page, 'list');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Queue' }).click();
  await page.locator('.plan-queue').getByText('The ask').waitFor();
  await page.goto(`${server.url}/`);
  await page.locator('.panel-plan').getByText('Nightly').waitFor();
  await page.locator('.panel-row').getByText('The work').waitFor();
  await shoot(page, 'deck');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.goto(`${server.url}/inbox`);
  await page.getByRole('link', { name: 'Nightly' }).click();
  await page.waitForURL('**/plans/live');
  await page.locator('.gate-list').getByRole('button').click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.locator('.plan-facts').getByText('3 of 3 done').waitFor();
});

test('[R673] 200 steps: only steps in sight are in the document, the arrow keys follow the lines, and nothing moves while steps run', async ({ skip }) => {
  if (missing) return skip(missing);
  const nodes = Array.from({ length: 200 }, (_, at) => step(`s${at}`, at < 10 ? [] : [`s${at - 10}`], { kind: 'command', prompt: 'true' }));
  await create('many', 'Two hundred', nodes);
  const page = await open('plans/many');
  await page.locator('.graph-step').nth(199).waitFor();
  const place = () => drawn(page, 's15').evaluate((node) => node.parentElement?.style.transform);
  const before = await place();
  const cursor = page.getByRole('button', { name: /Use the arrow keys/ });
  await cursor.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL('**step=s0');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL('**step=s10');
  await api(server, 'POST', '/api/plans/many/start', {});
  await page
    .locator('.plan-facts')
    .getByText(/^([1-9]|\d\d+) of 200 done/)
    .waitFor();
  expect(await place()).toBe(before);
  await api(server, 'POST', '/api/plans/many/cancel', {});
  for (let times = 0; times < 8; times++) await page.getByRole('button', { name: 'Zoom In' }).click();
  await expect.poll(() => page.locator('.graph-step').count()).toBeLessThan(100);
  await shoot(page, 'many');
});
