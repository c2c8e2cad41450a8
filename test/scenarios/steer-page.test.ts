import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Event, EventOf } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import type { ClaudeVersion } from '../support/agent-clis.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type ClaudeBench, startClaudeBench } from '../support/claude-bench.ts';
import { api } from '../support/client.ts';
import { DESK, HEAL_MS, PHONE, type Person, signIn } from '../support/person.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));

let browser: Browser;
beforeAll(async () => {
  if ('path' in found && isBuilt) browser = await launchChromium(found.path);
});
afterAll(() => browser?.close());

type Scenario = (title: string, run: (bench: ClaudeBench) => Promise<void>) => void;

function onBench(version: ClaudeVersion, tell: (scenario: Scenario) => void): void {
  describe.skipIf('skip' in found || !isBuilt)(`a person at the page steers Claude Code ${version}`, () => {
    let opened: ClaudeBench | { readonly skip: string };
    beforeAll(async () => {
      opened = await startClaudeBench(version);
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
    tell((title, run) =>
      test(title, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await run(opened);
      }),
    );
  });
}

onBench('2.1.197', (scenario) => {
  for (const viewport of [DESK, PHONE]) {
    scenario(`with the keyboard alone everything is answered, each after a death of the server, without a reload (${viewport.width} px)`, async (bench) => {
      const person = await signIn(browser, bench.server, viewport);
      await person.open('/inbox');
      for (const [prompt, answer] of Object.entries(answers(viewport.width))) await answer(bench, person, prompt);
      expect(person.complaints).toEqual([]);
    });
  }
});

onBench('2.1.325', (scenario) => {
  scenario('a plan that came without its text is shown from the call, approved with a mode, and sent back', async (bench) => {
    const person = await signIn(browser, bench.server);
    await person.open('/inbox');
    await approvePlan(bench, person, '@PLAN');
    await sendPlanBack(bench, person, '@PLAN');
  });
});

type AnswerIt = (bench: ClaudeBench, person: Person, prompt: string) => Promise<void>;

const answers = (width: number): Readonly<Record<string, AnswerIt>> => ({
  [`@WRITE allowed-${width}.txt yes`]: async (bench, person, prompt) => {
    const asked = await askedAndKilled(bench, person, prompt);
    await person.pressOn(asked, 'y');
    await bench.event(asked.sessionId, 'turn.completed');
    expect(readFileSync(inProject(bench, `allowed-${width}.txt`), 'utf8')).toBe('yes');
  },
  [`@WRITE edited-${width}.txt as the agent wanted`]: async (bench, person, prompt) => {
    const asked = await askedAndKilled(bench, person, prompt);
    await person.pressOn(asked, 'e');
    await person.page.keyboard.press('ControlOrMeta+a');
    await person.page.keyboard.type('as the person wanted');
    await person.page.keyboard.press('ControlOrMeta+Enter');
    await bench.event(asked.sessionId, 'turn.completed');
    expect(readFileSync(inProject(bench, `edited-${width}.txt`), 'utf8')).toBe('as the person wanted');
  },
  [`@WRITE denied-${width}.txt no`]: async (bench, person, prompt) => {
    const asked = await askedAndKilled(bench, person, prompt);
    await person.pressOn(asked, 'n');
    await person.page.keyboard.type(`not in this folder ${width}`);
    await person.page.keyboard.press('Enter');
    await bench.event(asked.sessionId, 'turn.completed');
    expect(existsSync(inProject(bench, `denied-${width}.txt`))).toBe(false);
    expect(await seenByModel(bench, `not in this folder ${width}`)).toBe(true);
  },
  [`@WRITE halted-${width}.txt no`]: async (bench, person, prompt) => {
    const asked = await askedAndKilled(bench, person, prompt);
    await person.pressOn(asked, 'n');
    await person.page.keyboard.type(`stop it ${width}`);
    await person.tabTo('Deny and interrupt');
    await person.page.keyboard.press('Enter');
    expect((await bench.event(asked.sessionId, 'turn.completed')).interrupted).toBe(true);
    await bench.send(asked.sessionId, '@PLAIN and now');
    await bench.event(asked.sessionId, 'assistant.text');
    console.log('REASON SEEN', await seenByModel(bench, `stop it ${width}`));
  },
  '@ASK': async (bench, person, prompt) => {
    const asked = await askedAndKilled(bench, person, prompt);
    await person.pressOn(asked, '2');
    await person.page.keyboard.press('y');
    await bench.event(asked.sessionId, 'turn.completed');
    expect(await bench.event(asked.sessionId, 'permission.resolved')).toMatchObject({ outcome: 'allowed', answers: { 'Which colour?': 'Red' } });
  },
  '@PLAN one': approvePlan,
  '@PLAN two': sendPlanBack,
});

async function approvePlan(bench: ClaudeBench, person: Person, prompt: string): Promise<void> {
  const asked = await askedAndKilled(bench, person, prompt, { permissionMode: 'plan' });
  await person.card(asked).getByText('Change one line').waitFor();
  await person.pressOn(asked, 'Tab');
  await person.tabTo('edits freely');
  await person.page.keyboard.press('Space');
  await person.page.keyboard.press('y');
  await bench.event(asked.sessionId, 'turn.completed', (event) => !event.isError);
  expect((await bench.session(asked.sessionId)).permissionMode).toBe('acceptEdits');
}

async function sendPlanBack(bench: ClaudeBench, person: Person, prompt: string): Promise<void> {
  const asked = await askedAndKilled(bench, person, prompt, { permissionMode: 'plan' });
  await person.pressOn(asked, 'n');
  await person.page.keyboard.type('a smaller first step');
  await person.page.keyboard.press('Enter');
  await bench.event(asked.sessionId, 'turn.completed');
  expect(await bench.event(asked.sessionId, 'permission.resolved')).toMatchObject({ outcome: 'denied', message: 'a smaller first step' });
  expect((await bench.session(asked.sessionId)).permissionMode).toBe('plan');
}

/** Begins a session, waits until the page shows its request, and has the server killed before anybody answers. */
async function askedAndKilled(bench: ClaudeBench, person: Person, prompt: string, more = {}): Promise<EventOf<'permission.requested'> & { sessionId: string }> {
  const { id } = await bench.create(prompt, more);
  const asked = { ...(await bench.event(id, 'permission.requested')), sessionId: id };
  await person.card(asked).waitFor();
  await bench.server.restart();
  return asked;
}

const inProject = (bench: ClaudeBench, file: string): string => join(bench.server.project, file);

async function seenByModel(bench: ClaudeBench, words: string): Promise<boolean> {
  return (await bench.model.requests()).some((request) => JSON.stringify(request).includes(words));
}
