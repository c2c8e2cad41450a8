import type { Locator, Page } from 'playwright-core';
import type { Session } from '../../../src/protocol/session.ts';
import type { Step, Story } from '../browser/reload.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';
import { answerWith, holds, opened, part, pressUntil, reaches, text } from './acts.ts';

const COMMAND = 'echo from the inbox';
/** By the titles of their sessions. */
const ASKED = { Command: `run ${COMMAND}`, Question: 'ask', File: 'write', Plan: 'plan' };

const card = (page: Page, title: keyof typeof ASKED): Locator =>
  page.locator('.approval').filter({ has: page.locator('.approval-who', { hasText: `The ${title.toLowerCase()}` }) });
const cards = (count: number) => (page: Page) => page.locator('.approval').nth(count - 1);

/** An inbox with one request of each kind: half an answer to each is still there, and then the whole one is. */
export const answers: Story = {
  name: 'many answers',
  steps: (server) => [
    { name: 'an inbox with several', act: askAll(server), shows: cards(4) },
    { name: 'half a reason', act: ({ page }) => face(page, 'Command', /^Deny/, 'Reason', 'not in this'), shows: holds('Reason', 'not in this') },
    { name: 'the choice again', act: back('Command'), shows: (page) => card(page, 'Command').getByText('Always') },
    {
      name: 'a command that is changed',
      act: ({ page }) => face(page, 'Command', /^Edit/, /^command/i, `${COMMAND}, changed`),
      shows: text('Allow edited'),
    },
    { name: 'the choice once more', act: back('Command'), shows: (page) => card(page, 'Command').getByText('Always') },
    { name: 'a rule that is being made of it', act: remember, shows: text('Allow and remember') },
    { name: 'the rule made', act: answered('Command', 'Allow and remember'), shows: cards(3) },
    { name: 'half an answer in own words', act: ownWords, shows: part('.question') },
    { name: 'a question answered', act: answered('Question', /^Answer/), shows: cards(2) },
    { name: 'a file that is changed before it is written', act: changeFile, shows: text('Allow edited') },
    { name: 'the file written so', act: answered('File', /^Allow edited/), shows: cards(1) },
    { name: 'a plan that may go on freely', act: freely, shows: part('[aria-pressed="true"]', 'Accept edits') },
    { name: 'a plan with another line', act: changePlan, shows: text('Allow edited') },
    { name: 'a plan half sent back', act: sendBack, shows: holds('Reason', 'smaller steps') },
    { name: 'an empty inbox', act: answered('Plan', /^Request changes$/), shows: text('Nothing needs you') },
    { name: 'what a rule answered', act: opened(server, `run ${COMMAND}`, 'idle'), shows: text(/The rule “.*” allowed this/) },
    { name: 'only for this session', act: opened(server, 'run date', 'waiting'), shows: part('.approval') },
    { name: 'what was allowed for it', act: forThisSession, shows: part('.row-permission, .row-turn') },
  ],
};

function askAll(server: TestServer): Step['act'] {
  return async ({ open }) => {
    for (const [title, prompt] of Object.entries(ASKED)) {
      const wish = { agent: 'demo', cwd: server.project, title: `The ${title.toLowerCase()}`, prompt };
      const { body } = await api<Session>(server, 'POST', '/api/sessions', wish);
      await reaches(server, body.id, 'waiting');
    }
    await open('/inbox');
  };
}

/** The card of what was just decided stays for a moment, so that nothing moves under a finger. That passes. */
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

/** Opens another face of a card, and writes into its field. */
async function face(page: Page, title: keyof typeof ASKED, button: RegExp, label: string | RegExp, typed: string): Promise<void> {
  const field = card(page, title).getByLabel(label);
  await pressUntil(card(page, title).getByRole('button', { name: button }), field);
  await field.fill(typed);
}

const remember: Step['act'] = async ({ page }) => {
  const everywhere = page.getByLabel('Everywhere on this server');
  await pressUntil(card(page, 'Command').getByRole('button', { name: /^Always/ }), everywhere);
  await everywhere.check();
};

const ownWords: Step['act'] = ({ page }) => card(page, 'Question').getByRole('textbox').fill('a white one, which is no signal at all');

const changeFile: Step['act'] = async ({ page }) => {
  const fields = card(page, 'File').getByRole('textbox');
  await pressUntil(card(page, 'File').getByRole('button', { name: /^Edit/ }), fields);
  await fields.last().fill('as a person wanted it');
};

const freely: Step['act'] = ({ page }) =>
  pressUntil(card(page, 'Plan').getByRole('button', { name: 'Accept edits' }), page.locator('[aria-pressed="true"]', { hasText: 'Accept edits' }));

const changePlan: Step['act'] = ({ page }) => face(page, 'Plan', /^Edit/, /plan/i, '1. Look around\n2. Stop');

const sendBack: Step['act'] = async (person) => {
  await back('Plan')(person);
  await face(person.page, 'Plan', /^Request changes/, 'Reason', 'smaller steps');
};

const forThisSession: Step['act'] = async ({ page }) => {
  const here = page.getByLabel('In this session only');
  await pressUntil(page.getByRole('button', { name: /^Always/ }), here);
  await here.check();
  await answerWith(page.locator('.approval'), 'Allow and remember');
};
