import type { Page } from 'playwright-core';
import type { Person } from '../browser/person.ts';
import type { Step } from '../browser/reload.ts';
import type { LiveSetup } from '../live-suite/live-setup.ts';
import { answerWith, holds, idIn, message, part, pressUntil, reaches, text } from './acts.ts';

/** An account that can have a limit. */
const ACCOUNT = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake' };

const card = part('.approval');
/** This many turns have ended. */
const turns = (count: number) => (page: Page) => page.locator('.row-turn').nth(count - 1);

/** Steering the real CLI: requests, answers and messages. */
export const claudeSteeringSteps = (setup: LiveSetup): readonly Step[] => [
  { name: 'thoughts and an answer', act: opened(setup, '@THINK about the night train'), shows: text('Thought about: about the night train') },
  { name: 'its thinking expanded', act: ({ page }) => page.locator('.row-thinking .fold-head').first().click(), shows: part('.row-thinking .fold.open') },
  { name: 'a file that it wants to write', act: ({ say }) => say('@WRITE plan.txt from the agent'), shows: card },
  { name: 'half-edited content for it', act: editFile, shows: text('Allow edited') },
  { name: 'the edited file written', act: ({ page }) => answerWith(page.locator('.approval'), /^Allow edited/), shows: turns(2) },
  { name: 'a file that it must not write', act: ({ say }) => say('@WRITE secret.txt no'), shows: card },
  { name: 'half a reason', act: halfReason, shows: holds('Reason', 'never') },
  { name: 'a denial', act: ({ page }) => answerWith(page.locator('.approval'), /^Deny$/), shows: turns(3) },
  { name: 'a question', act: ({ say }) => say('@ASK'), shows: card },
  { name: 'half an answer', act: choose, shows: part('.approval [aria-pressed="true"], .approval :checked') },
  { name: 'the answer', act: ({ page }) => answerWith(page.locator('.approval'), /^Answer/), shows: turns(4) },
  { name: 'a command that is always allowed', act: allowAlways(setup), shows: turns(5) },
  { name: 'a subagent', act: runSubagent(setup), shows: part('.row-tool', 'Agent') },
  {
    name: 'another permission mode',
    act: ({ choose }) => choose(/^Permissions/, /^Accept edits/),
    shows: (page) => page.getByLabel(/^Permissions: Accept edits/),
  },
  { name: 'two messages queued during a long answer', act: queueTwo(setup), shows: (page) => page.locator('.queue-line').nth(1) },
  { name: 'interrupted', act: interrupt, shows: text(/interrupted/i) },
  { name: 'its changes', act: ({ open, page }) => open(`/s/${idIn(page)}/changes`), shows: part('.stage', 'plan.txt') },
  { name: 'its raw lines', act: ({ open, page }) => open(`/s/${idIn(page)}/raw`), shows: part('.raw-line') },
  { name: 'its files', act: ({ open, page }) => open(`/s/${idIn(page)}/files`), shows: part('.tree-row', 'plan.txt') },
  { name: 'its timeline', act: ({ open, page }) => open(`/s/${idIn(page)}/timeline`), shows: part('.timeline-sum') },
  { name: 'asleep', act: sleep(setup), shows: part('.session-head', 'sleeping') },
];

/** What can go wrong with the real CLI, on a small screen. */
export const claudeFailureSteps = (setup: LiveSetup): readonly Step[] => [
  { name: 'a retry', act: opened(setup, '@ERROR529 1'), shows: turns(1) },
  { name: 'a refusal by the model', act: ({ say }) => say('@REFUSE'), shows: text('The model refused') },
  { name: 'an answer that was cut', act: ({ say }) => say('@ERROR400'), shows: turns(3) },
  { name: 'a context that is nearly full', act: ({ say }) => say('@FULL 120000'), shows: text('The context is nearly full.') },
  { name: 'a limit', act: opened(setup, '@LIMIT 1800000000', { env: ACCOUNT }, 'failed'), shows: part('.limit-bar.reached') },
  { name: 'automatic resume on', act: resumeAutomatically, shows: text(/Resumes automatically at/) },
  {
    name: 'automatic resume off',
    act: ({ page }) => page.locator('.limit-bar').getByRole('button', { name: 'Cancel' }).click(),
    shows: text('Resume automatically'),
  },
  { name: 'a plan', act: opened(setup, '@PLAN', { permissionMode: 'plan' }, 'waiting'), shows: card },
  { name: 'a half-written change request for the plan', act: sendBack, shows: holds('Reason', 'smaller') },
  { name: 'changes to the plan requested', act: ({ page }) => answerWith(page.locator('.approval'), /^Request changes$/), shows: turns(1) },
  { name: 'a killed agent', act: killMidTurn(setup), shows: text('The agent crashed mid-turn') },
];

function opened(setup: LiveSetup, prompt: string, more: object = {}, status: 'idle' | 'waiting' | 'failed' = 'idle'): Step['act'] {
  return async ({ open }) => {
    const { id } = await setup.create(prompt, { ...more });
    await reaches(setup.server, id, status);
    await open(`/s/${id}`);
  };
}

async function editFile({ page }: Person): Promise<void> {
  const fields = page.locator('.approval').getByRole('textbox');
  await pressUntil(page.locator('.approval').getByRole('button', { name: /^Edit/ }), fields);
  await fields.last().fill('from a person');
}

async function halfReason({ page }: Person): Promise<void> {
  await pressUntil(page.locator('.approval').getByRole('button', { name: /^Deny/ }), page.getByLabel('Reason'));
  await page.getByLabel('Reason').fill('never');
}

async function sendBack({ page }: Person): Promise<void> {
  await pressUntil(page.locator('.approval').getByRole('button', { name: /^Request changes/ }), page.getByLabel('Reason'));
  await page.getByLabel('Reason').fill('smaller');
}

const choose: Step['act'] = ({ page }) =>
  pressUntil(page.locator('.approval').getByRole('button', { name: /Blue/ }), page.locator('.approval [aria-pressed="true"], .approval :checked'));

function allowAlways(setup: LiveSetup): Step['act'] {
  return async ({ page, say }) => {
    await say('@BASH touch for-ever.txt');
    const here = page.getByLabel('In this session only');
    await pressUntil(page.getByRole('button', { name: /^Always/ }), here);
    await here.check();
    await answerWith(page.locator('.approval'), 'Allow and remember');
    await reaches(setup.server, idIn(page), 'idle');
  };
}

/** The end of a subagent starts a turn by itself. */
function runSubagent(setup: LiveSetup): Step['act'] {
  return async ({ page, say }) => {
    await say('@SUBAGENT');
    const done = await setup.event(idIn(page), 'task.updated', ({ status }) => status === 'completed');
    await setup.event(idIn(page), 'turn.completed', ({ seq }) => seq > done.seq);
  };
}

/** A gate stops a long answer after its first visible part. */
function queueTwo(setup: LiveSetup): Step['act'] {
  return async ({ page, say }) => {
    await say('@SLOW story 4');
    await setup.model.arrived('story', 1);
    await say('@PLAIN second');
    await page.locator('.queue-line').first().waitFor();
    await say('@PLAIN third');
    await message(page).fill('half a fourth');
  };
}

/** Removes the queued messages first, because they would be answered right away. */
async function interrupt({ page }: Person): Promise<void> {
  await message(page).fill('');
  for (const left of [1, 0]) {
    await page.locator('.queue-line').first().hover();
    await page
      .locator('.queue-line')
      .first()
      .getByRole('button', { name: /^Remove from queue/ })
      .click();
    await page.locator('.queue-line').nth(left).waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: /^Interrupt/ }).click();
}

function sleep(setup: LiveSetup): Step['act'] {
  return async ({ choose, open, page }) => {
    await open(`/s/${idIn(page)}`);
    await choose('More', /^Sleep/);
    await reaches(setup.server, idIn(page), 'sleeping');
  };
}

const resumeAutomatically: Step['act'] = ({ page }) => page.getByRole('button', { name: 'Resume automatically' }).click();

/** Waits until the input is consumed. Otherwise the next process would get it, and the page would show no crash. */
function killMidTurn(setup: LiveSetup): Step['act'] {
  return async ({ page, say }) => {
    const { lastSeq } = await setup.session(idIn(page));
    await say('@HANG');
    await setup.event(idIn(page), 'input.consumed', ({ seq }) => seq > lastSeq);
    await setup.killAgent(idIn(page));
  };
}
