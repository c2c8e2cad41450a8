import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { drawSignal } from '../../src/agents/demo/program/picture.ts';
import type { Event, EventOf } from '../../src/protocol/event.ts';
import type { RuleInUse } from '../../src/protocol/rule.ts';
import type { Session } from '../../src/protocol/session.ts';
import { type ClaudeVersion, claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv, startClaudeSetup } from '../support/agents/claude-setup.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, type Person, PHONE, RECOVERY_LIMIT_MS, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { PRESS_MS, pressUntil } from '../support/stories/acts.ts';
import { waitFor } from '../support/wait-for.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
/** The CLI reports the time of a reset only when it believes it is logged in with an account. */
const ACCOUNT = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake' };

let browser: Browser;
beforeAll(async () => {
  if ('path' in found && isBuilt) browser = await sharedChromium(found.path);
});
afterAll(() => browser?.close());

type Scenario = (title: string, run: (setup: LiveSetup) => Promise<void>) => void;

function describeVersion(version: ClaudeVersion, define: (scenario: Scenario) => void): void {
  describe.skipIf('skip' in found || !isBuilt)(`steering Claude Code ${version} from the page`, () => {
    let opened: LiveSetup | { readonly skip: string };
    beforeAll(async () => {
      opened = await startClaudeSetup(version);
    });
    afterEach(async () => {
      for (const context of browser.contexts()) await context.close();
      if (!('server' in opened)) return;
      const { body } = await api<{ sessions: Session[] }>(opened.server, 'GET', '/api/sessions');
      for (const { id } of body.sessions) await api(opened.server, 'DELETE', `/api/sessions/${id}`);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });
    define((title, run) =>
      test(title, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await run(opened);
      }));
  });
}

describeVersion('2.1.197', (scenario) => {
  scenario('the keyboard alone answers every kind of request, each after a server kill, without a reload', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    await person.open('/inbox');
    const { id } = await setup.create();
    await allow(setup, person, id, 'allowed.txt');
    await editAndAllow(setup, person, id, 'edited.txt');
    await deny(setup, person, id, 'denied.txt');
    await denyAndInterrupt(setup, person, id, 'halted.txt');
    await answerQuestion(setup, person, id);
    const { id: planner } = await setup.create(undefined, { permissionMode: 'plan' });
    await sendPlanBack(setup, person, planner);
    await approvePlan(setup, person, planner);
    expect(person.complaints).toEqual([]);
  });

  scenario('the same on a phone with a keyboard (390 px)', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server, PHONE);
    await person.open('/inbox');
    const { id } = await setup.create();
    await editAndAllow(setup, person, id, 'edited-on-the-way.txt');
    await deny(setup, person, id, 'denied-on-the-way.txt');
    await answerQuestion(setup, person, id);
    expect(person.complaints).toEqual([]);
  });

  scenario('a call remembered for the session or the project is not asked about again, names its rule, and the rule can be revoked', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { id } = await setup.create('@BASH touch once.txt');
    await person.open(`/s/${id}`);
    await remember(setup, person, id, 'In this session only');
    await setup.event(id, 'turn.completed');
    await person.say('@BASH touch once.txt');
    await person.page.getByText(/The rule “.*touch once.txt.*” allowed this/).waitFor();

    await person.say('@BASH touch twice.txt');
    await remember(setup, person, id, /^In .* and its subfolders/);
    const { id: other } = await setup.create('@BASH touch twice.txt');
    expect((await setup.event(other, 'permission.resolved')).actor).toMatchObject({ kind: 'rule' });
    await person.open('/settings/rules');
    const row = person.page.locator('.rule-row', { hasText: 'touch twice.txt' });
    await row.getByText('used 1 time').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByRole('button', { name: 'Yes, revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await rulesOf(setup)).map(({ command, uses }) => [command, uses])).toEqual([['touch once.txt', 1]]);
    await setup.event(other, 'turn.completed');
    await setup.send(other, '@BASH touch twice.txt');
    await soon(async () => (await setup.session(other)).waiting).toBe(1);
  });

  for (const viewport of [DESKTOP, PHONE]) {
    scenario(`messages queued during a tool call are edited, moved, canceled and sent now (${viewport.width} px)`, async (setup) => {
      const go = `go-${viewport.width}`;
      const person = await signInWithoutPage(browser, setup.server, viewport);
      const { id } = await setup.create(`@BASH until [ -e ${go} ]; do sleep 0.05; done`, { allowedTools: ['Bash'] });
      await person.open(`/s/${id}`);
      await setup.event(id, 'tool.started');
      for (const text of ['mind the gap', '@PLAIN second', '@PLAIN third', '@PLAIN fourth']) await person.say(text);
      await soon(() => queue(person)).toEqual(['mind the gap', '@PLAIN second', '@PLAIN third', '@PLAIN fourth']);
      await setup.server.restart();
      await line(person, '@PLAIN second').locator('button.queue-text').click();
      await person.page.getByLabel('Queued message').fill('@PLAIN second, changed');
      await person.page.reload();
      await soon(() => person.page.getByLabel('Queued message').inputValue()).toBe('@PLAIN second, changed');
      await person.page.locator('.queue-line').getByRole('button', { name: 'Save', exact: true }).click();
      await act(person, '@PLAIN fourth', 'Move up');
      await soon(() => queue(person)).toEqual(['mind the gap', '@PLAIN second, changed', '@PLAIN fourth', '@PLAIN third']);
      await act(person, '@PLAIN third', 'Remove from queue');
      await act(person, 'mind the gap', 'Send now');
      await soon(async () => count(await setup.events(id), 'input.delivered')).toBe(2);
      writeFileSync(inProject(setup, go), '');
      await person.page.locator('.row-text', { hasText: 'Plain answer to: fourth' }).waitFor();
      const shown = await person.page.locator('.row-user .said-text').allTextContents();
      expect(shown.slice(1)).toEqual(['mind the gap', '@PLAIN second, changed', '@PLAIN fourth']);
      await soon(() => queue(person)).toEqual([]);
      expect(person.complaints).toEqual([]);
    });
  }

  scenario('a message can be forked and rewound to, and its files can be restored', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { id } = await setup.create('@WRITE put-back.txt first', { permissionMode: 'acceptEdits' });
    await setup.event(id, 'turn.completed');
    await person.open(`/s/${id}`);
    await person.say('@EDIT put-back.txt first => second');
    await person.page.locator('.row-text', { hasText: 'Edited it.' }).waitFor();
    await soon(async () => (await setup.session(id)).status).toBe('idle');

    await aboutMessage(person, '@EDIT put-back.txt', /^Restore files/);
    const dialog = person.page.getByRole('dialog', { name: 'Restore files' });
    // A checkpoint that lost the race with the first tool preselects nothing.
    await dialog.getByRole('checkbox').first().check();
    expect(readFileSync(inProject(setup, 'put-back.txt'), 'utf8')).toBe('second');
    await dialog.getByRole('button', { name: 'Restore 1 file' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(readFileSync(inProject(setup, 'put-back.txt'), 'utf8')).toBe('first');

    await aboutMessage(person, '@EDIT put-back.txt', /^Fork from here/);
    await person.page.waitForURL((url) => !url.pathname.endsWith(id));
    await person.page.getByText('Before this session').waitFor();
    await person.say('@PLAIN in the copy');
    await person.page.locator('.row-text', { hasText: 'in the copy' }).waitFor();

    await person.open(`/s/${id}`);
    await person.choose('More', /^Stop the agent/);
    await setup.event(id, 'session.exited');
    await aboutMessage(person, '@WRITE put-back.txt', /^Rewind to here/);
    await person.page.waitForURL((url) => !url.pathname.endsWith(id));
    await person.say('@PLAIN another way');
    await person.page.locator('.row-text', { hasText: 'another way' }).waitFor();
    expect(person.complaints).toEqual([]);
  });

  scenario('a session sleeps, wakes, is made private, is taken over from another program, and is handed over', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { id } = await setup.create('@PLAIN held here');
    await setup.event(id, 'session.status', (event) => event.status === 'idle');
    await person.open(`/s/${id}`);
    await person.choose('More', /^Sleep/);
    await person.page.locator('.head-word', { hasText: 'sleep' }).waitFor();
    await person.choose('More', /^Wake/);
    await person.page.locator('.head-word', { hasText: 'idle' }).waitFor();
    await person.choose('More', /^Make private/);
    await soon(async () => (await setup.session(id)).closed).toBe(true);
    await person.choose('More', /^Share with everyone/);
    await soon(async () => (await setup.session(id)).closed).not.toBe(true);

    await person.choose('More', /^Sleep/);
    await person.page.locator('.head-word', { hasText: 'sleep' }).waitFor();
    const holder = await openElsewhere(setup, (await setup.session(id)).agentSessionId ?? '');
    await person.say('@PLAIN waits its turn');
    await person.page.getByRole('button', { name: 'Take over' }).waitFor();
    await setup.server.restart();
    await person.page.getByRole('button', { name: 'Take over' }).click();
    await person.page.locator('.row-text', { hasText: 'waits its turn' }).waitFor();
    expect(holder.exitCode ?? holder.signalCode).not.toBeNull();

    await person.choose('More', /^New session with summary/);
    await person.page
      .getByRole('dialog')
      .getByLabel(/^Extract/)
      .check();
    await person.page.getByRole('button', { name: 'Start session', exact: true }).click();
    await person.page.waitForURL((url) => !url.pathname.endsWith(id));
    const made = new URL(person.page.url()).pathname.slice('/s/'.length);
    expect((await setup.event(made, 'handover.ready')).how).toBe('extract');
    expect(person.complaints).toEqual([]);
  });

  scenario('a requested model, mode or thinking level is shown as requested until the agent confirms it, even if nothing changes', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { id } = await setup.create('@PLAIN ready');
    await setup.event(id, 'session.status', (event) => event.status === 'idle');
    await person.open(`/s/${id}`);
    let turns = 1;
    for (const [menu, choice, changed, shown] of [
      [/^Model/, /^Sonnet sonnet$/, 'model.changed', /^Model: Sonnet$/],
      [/^Thinking/, /^high thinking/, 'thinking.changed', /^Thinking: high thinking$/],
      [/^Permissions/, /^Accept edits/, 'mode.changed', /^Permissions: Accept edits$/],
    ] as const) {
      const lastSeq = (await setup.events(id)).length;
      await person.choose(menu, choice);
      await setup.event(id, changed, (event) => event.seq > lastSeq);
      await person.page.getByRole('button', { name: shown }).waitFor();
      await person.choose(menu, choice);
      await setup.event(id, changed, (event) => event.seq > lastSeq);
      await setup.send(id, '@PLAIN settled');
      await soon(async () => count(await setup.events(id), 'turn.completed')).toBe(++turns);
      expect(await unconfirmed(person)).toBe(0);
    }
  });

  scenario('an account limit counts down, and resuming automatically can be scheduled and canceled', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { id } = await setup.create('@LIMIT 1800000000', { env: ACCOUNT });
    await person.open(`/s/${id}`);
    await person.page.getByText(/5-hour limit reached, resets in/).waitFor();
    await person.page.getByRole('button', { name: 'Resume automatically' }).click();
    await person.page
      .locator('.limit-bar')
      .getByText(/Resumes automatically at/)
      .waitFor();
    await setup.server.restart();
    await person.page.locator('.limit-bar').getByRole('button', { name: 'Cancel' }).click();
    await person.page.getByRole('button', { name: 'Resume automatically' }).waitFor();
    expect((await setup.session(id)).continuesAt).toBeUndefined();
  });

  scenario('a pasted picture reaches the model, is shown, and survives a reload', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    const { id } = await setup.create();
    await person.open(`/s/${id}`);
    const png = drawSignal(32);
    await person.paste(png);
    await person.page.locator('.thumb img').waitFor();
    await person.say('@PLAIN look');
    await person.page.locator('.row-text', { hasText: 'look' }).waitFor();
    await person.page.reload();
    const picture = person.page.locator('.row-user .picture img');
    await soon(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(32);
    expect(await seenByModel(setup, png.toString('base64'))).toBe(true);
  });
});

describeVersion('2.1.325', (scenario) => {
  scenario('a plan without text in its request is shown from the call, sent back, and approved with a mode', async (setup) => {
    const person = await signInWithoutPage(browser, setup.server);
    await person.open('/inbox');
    const { id } = await setup.create(undefined, { permissionMode: 'plan' });
    await sendPlanBack(setup, person, id);
    await approvePlan(setup, person, id);
  });
});

async function allow(setup: LiveSetup, person: Person, id: string, file: string): Promise<void> {
  const request = await requestThenRestart(setup, person, id, `@WRITE ${file} yes`);
  await person.pressOn(request, 'y');
  await turnAfter(setup, request);
  expect(readFileSync(inProject(setup, file), 'utf8')).toBe('yes');
}

async function editAndAllow(setup: LiveSetup, person: Person, id: string, file: string): Promise<void> {
  const request = await requestThenRestart(setup, person, id, `@WRITE ${file} as the agent wanted`);
  await person.pressOn(request, 'e');
  await person.page.keyboard.press('ControlOrMeta+a');
  await person.page.keyboard.type('as the person wanted');
  await person.page.keyboard.press('ControlOrMeta+Enter');
  await turnAfter(setup, request);
  expect(readFileSync(inProject(setup, file), 'utf8')).toBe('as the person wanted');
}

async function deny(setup: LiveSetup, person: Person, id: string, file: string): Promise<void> {
  const request = await requestThenRestart(setup, person, id, `@WRITE ${file} no`);
  await person.pressOn(request, 'n');
  await person.page.keyboard.type(`nothing about ${file}`);
  await person.page.keyboard.press('Enter');
  await turnAfter(setup, request);
  expect(existsSync(inProject(setup, file))).toBe(false);
  expect(await seenByModel(setup, `nothing about ${file}`)).toBe(true);
}

/** The agent stops and never receives the reason; it is stored for people. */
async function denyAndInterrupt(setup: LiveSetup, person: Person, id: string, file: string): Promise<void> {
  const request = await requestThenRestart(setup, person, id, `@WRITE ${file} no`);
  await person.pressOn(request, 'n');
  await person.card(request).getByText('Deny sends your reason to the agent').waitFor();
  await person.page.keyboard.type(`stop ${file}`);
  await person.tabTo('Deny and stop');
  await person.page.keyboard.press('Enter');
  expect((await turnAfter(setup, request)).interrupted).toBe(true);
  const resolved = await setup.event(id, 'permission.resolved', (event) => event.requestId === request.requestId);
  expect(resolved).toMatchObject({ outcome: 'denied', message: `stop ${file}`, interrupt: true });
}

async function answerQuestion(setup: LiveSetup, person: Person, id: string): Promise<void> {
  const request = await requestThenRestart(setup, person, id, '@ASK');
  expect(await seenByModel(setup, 'stop halted')).toBe(false);
  await person.pressOn(request, '2');
  await person.page.keyboard.press('y');
  await turnAfter(setup, request);
  const resolved = await setup.event(id, 'permission.resolved', (event) => event.requestId === request.requestId);
  expect(resolved).toMatchObject({ outcome: 'allowed', answers: { 'Which colour?': 'Red' } });
}

async function sendPlanBack(setup: LiveSetup, person: Person, id: string): Promise<void> {
  const request = await requestThenRestart(setup, person, id, '@PLAN');
  await person.pressOn(request, 'n');
  await person.page.keyboard.type('a smaller first step');
  await person.page.keyboard.press('Enter');
  await turnAfter(setup, request);
  expect(await seenByModel(setup, 'a smaller first step')).toBe(true);
  expect((await setup.session(id)).permissionMode).toBe('plan');
}

async function approvePlan(setup: LiveSetup, person: Person, id: string): Promise<void> {
  const request = await requestThenRestart(setup, person, id, '@PLAN');
  await person.card(request).getByText('Change one line').waitFor();
  await person.pressOn(request, 'Tab');
  await person.tabTo('Accept edits');
  await person.page.keyboard.press('Space');
  await person.page.keyboard.press('y');
  await turnAfter(setup, request);
  expect((await setup.session(id)).permissionMode).toBe('acceptEdits');
}

type PendingRequest = EventOf<'permission.requested'> & { readonly sessionId: string };

/** Makes the agent ask, waits until the page shows the request, and kills the server before anybody answers. */
async function requestThenRestart(setup: LiveSetup, person: Person, id: string, prompt: string): Promise<PendingRequest> {
  const before = (await setup.events(id)).length;
  await setup.send(id, prompt);
  const request = await setup.event(id, 'permission.requested', (event) => event.seq > before);
  await person.card(request).waitFor();
  await setup.server.restart();
  return { ...request, sessionId: id };
}

const turnAfter = (setup: LiveSetup, { sessionId, seq }: PendingRequest): Promise<EventOf<'turn.completed'>> =>
  setup.event(sessionId, 'turn.completed', (event) => event.seq > seq);

/** Chooses "Always…" with this scope on the pending card of this session. */
async function remember(setup: LiveSetup, person: Person, id: string, label: string | RegExp): Promise<void> {
  const [always, scope] = [person.page.getByRole('button', { name: /^Always/ }), person.page.getByLabel(label)];
  await pressUntil(always, scope);
  await scope.check();
  const before = count(await setup.events(id), 'permission.resolved');
  await person.page.getByRole('button', { name: 'Allow and remember' }).click();
  await soon(async () => count(await setup.events(id), 'permission.resolved')).toBe(before + 1);
}

const rulesOf = async (setup: LiveSetup): Promise<readonly RuleInUse[]> => (await api<{ rules: RuleInUse[] }>(setup.server, 'GET', '/api/rules')).body.rules;

const count = (events: readonly Event[], type: Event['type']): number => events.filter((event) => event.type === type).length;
const queue = (person: Person): Promise<readonly string[]> => person.page.locator('.queue-line .queue-text').allTextContents();
const line = (person: Person, text: string) => person.page.locator('.queue-line', { hasText: text });
const unconfirmed = (person: Person): Promise<number> => person.page.locator('.chip-asked').count();

/** With a mouse, the buttons are in the row; on a touch screen, the message is opened first, and closed again if it is still there. */
async function act(person: Person, text: string, name: string): Promise<void> {
  if (person.page.viewportSize()?.width === DESKTOP.width) {
    const button = line(person, text).getByRole('button', { name });
    // Rows that appear above push this one away from under the pointer, so hover again.
    const press = async () => {
      await line(person, text).hover();
      return button.click({ timeout: PRESS_MS }).then(
        () => true,
        () => false,
      );
    };
    return void (await waitFor(`${name} to be pressed on “${text}”`, press, RECOVERY_LIMIT_MS));
  }
  await line(person, text).locator('.queue-text').tap();
  const opened = person.page.locator('.queue-line.editing');
  await opened.getByRole('button', { name }).tap();
  if (name === 'Move up') await opened.getByRole('button', { name: 'Cancel', exact: true }).tap();
}

async function aboutMessage(person: Person, text: string, choice: RegExp): Promise<void> {
  const row = person.page.locator('.row-user', { hasText: text });
  await row.hover();
  await row.getByRole('button', { name: 'Message actions' }).click();
  await person.page.locator('.popup').getByRole('button', { name: choice }).click();
}

/** Starts another program that has the conversation open, like a terminal would. */
async function openElsewhere(setup: LiveSetup, agentSessionId: string): Promise<ChildProcessWithoutNullStreams> {
  const claude = claudePath('2.1.197');
  if ('skip' in claude) throw new Error(claude.skip);
  const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--resume', agentSessionId];
  const env = { PATH: process.env.PATH ?? '', HOME: setup.server.home, ...claudeEnv(claude.path, setup.model.url) };
  const child = spawn(claude.path, args, { cwd: setup.server.project, env });
  child.stdin.on('error', () => undefined);
  const isReady = new Promise((ready) => createInterface(child.stdout).on('line', ready));
  child.stdin.write(`${JSON.stringify({ type: 'control_request', request_id: 'hello', request: { subtype: 'initialize' } })}\n`);
  await isReady;
  return child;
}

/** Polls a value of the page or the server. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: RECOVERY_LIMIT_MS });

const inProject = (setup: LiveSetup, file: string): string => join(setup.server.project, file);

async function seenByModel(setup: LiveSetup, words: string): Promise<boolean> {
  return (await setup.model.requests()).some((request) => JSON.stringify(request).includes(words));
}
