import type { Locator, Page } from 'playwright-core';
import type { Session } from '../../../src/protocol/session.ts';
import type { Step, Story } from '../browser/reload.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';
import { answerWith, holds, opened, part, pressUntil, reaches, text } from './acts.ts';

const COMMAND = 'echo from the inbox';
/** Prompts by the titles of their sessions. */
const ASKED = { Command: `run ${COMMAND}`, Question: 'ask', File: 'write', Plan: 'plan' };

const card = (page: Page, title: keyof typeof ASKED): Locator =>
  page.locator('.approval').filter({ has: page.locator('.approval-who', { hasText: `The ${title.toLowerCase()}` }) });
const cards = (count: number) => (page: Page) => page.locator('.approval').nth(count - 1);

/** An inbox with one request of each kind: a half-written answer survives a reload, and so does the finished one. */
export const answers: Story = {
  name: 'answers of every kind',
  steps: (server) => [
    { name: 'an inbox with several requests', act: askAll(server), shows: cards(4) },
    { name: 'half a reason', act: ({ page }) => fillForm(page, 'Command', /^Deny/, 'Reason', 'not in this'), shows: holds('Reason', 'not in this') },
    { name: 'the buttons again', act: back('Command'), shows: (page) => card(page, 'Command').getByText('Always') },
    {
      name: 'an edited command',
      act: ({ page }) => fillForm(page, 'Command', /^Edit/, /^command/i, `${COMMAND}, changed`),
      shows: text('Allow edited'),
    },
    { name: 'the buttons once more', act: back('Command'), shows: (page) => card(page, 'Command').getByText('Always') },
    { name: 'a rule being created from it', act: remember, shows: text('Allow and remember') },
    { name: 'the rule created', act: answered('Command', 'Allow and remember'), shows: cards(3) },
    { name: 'half an answer in free text', act: answerInFreeText, shows: part('.question') },
    { name: 'a question answered', act: answered('Question', /^Answer/), shows: cards(2) },
    { name: 'a file edited before it is written', act: changeFile, shows: text('Allow edited') },
    { name: 'the edited file written', act: answered('File', /^Allow edited/), shows: cards(1) },
    { name: 'a plan that will accept edits', act: acceptEdits, shows: part('[aria-pressed="true"]', 'Accept edits') },
    { name: 'an edited plan', act: changePlan, shows: text('Allow edited') },
    { name: 'a half-written change request for a plan', act: sendBack, shows: holds('Reason', 'smaller steps') },
    { name: 'an empty inbox', act: answered('Plan', /^Request changes$/), shows: text('Nothing needs you') },
    { name: 'a request that a rule answered', act: opened(server, `run ${COMMAND}`, 'idle'), shows: text(/The rule “.*” allowed this/) },
    { name: 'a request to allow for this session only', act: opened(server, 'run date', 'waiting'), shows: part('.approval') },
    { name: 'the request allowed for this session', act: forThisSession, shows: part('.row-permission, .row-turn') },
  ],
};

function askAll(server: TestServer): Step['act'] {
  return async ({ open }) => {
    for (const [title, prompt] of Object.entries(ASKED)) {
      const fields = { agent: 'demo', cwd: server.project, title: `The ${title.toLowerCase()}`, prompt };
      const { body } = await api<Session>(server, 'POST', '/api/sessions', fields);
      await reaches(server, body.id, 'waiting');
    }
    await open('/inbox');
  };
}

/** A card stays for a moment after its answer, so that nothing moves under a finger. Opening the inbox again clears it. */
function answered(title: keyof typeof ASKED, button: string | RegExp): Step['act'] {
  return async ({ page, open }) => {
    await answerWith(card(page, title), button);
    await open('/inbox');
  };
}

const back =
  (title: keyof typeof ASKED): Step['act'] =>
  ({ page }) =>
    card(page, title).getByRole('button', { name: 'Cancel', exact: true }).click();

/** Opens a form of a card and fills in its field. */
async function fillForm(page: Page, title: keyof typeof ASKED, button: RegExp, label: string | RegExp, typed: string): Promise<void> {
  const field = card(page, title).getByLabel(label);
  await pressUntil(card(page, title).getByRole('button', { name: button }), field);
  await field.fill(typed);
}

const remember: Step['act'] = async ({ page }) => {
  const everywhere = page.getByLabel('Everywhere on this server');
  await pressUntil(card(page, 'Command').getByRole('button', { name: /^Always/ }), everywhere);
  await everywhere.check();
};

const answerInFreeText: Step['act'] = ({ page }) => card(page, 'Question').getByRole('textbox').fill('a white one, which is no signal at all');

const changeFile: Step['act'] = async ({ page }) => {
  const fields = card(page, 'File').getByRole('textbox');
  await pressUntil(card(page, 'File').getByRole('button', { name: /^Edit/ }), fields);
  await fields.last().fill('as a person wanted it');
};

const acceptEdits: Step['act'] = ({ page }) =>
  pressUntil(card(page, 'Plan').getByRole('button', { name: 'Accept edits' }), page.locator('[aria-pressed="true"]', { hasText: 'Accept edits' }));

const changePlan: Step['act'] = ({ page }) => fillForm(page, 'Plan', /^Edit/, /plan/i, '1. Look around\n2. Stop');

const sendBack: Step['act'] = async (person) => {
  await back('Plan')(person);
  await fillForm(person.page, 'Plan', /^Request changes/, 'Reason', 'smaller steps');
};

const forThisSession: Step['act'] = async ({ page }) => {
  const here = page.getByLabel('In this session only');
  await pressUntil(page.getByRole('button', { name: /^Always/ }), here);
  await here.check();
  await answerWith(page.locator('.approval'), 'Allow and remember');
};
