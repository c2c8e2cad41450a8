import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from '../browser/person.ts';
import type { Story } from '../browser/reload.ts';
import { withPastSessions } from '../replay/replay-index.ts';
import { openReplayServer, type ReplayServer } from '../replay/replay-server.ts';
import { journalOf, longStory } from '../replay/sample-journal.ts';
import { kindsSession } from '../replay/sample-kinds.ts';
import { sampleSessions, sessionOf } from '../replay/sample-sessions.ts';
import { holds, message, part, text } from './acts.ts';

const EVENTS = journalOf(new Date(), longStory(400));
const BRANCHES = [
  { branch: 0, lastSeq: 40, at: new Date().toISOString(), events: 40, title: 'Try it with a lock', active: false },
  { branch: 1, lastSeq: EVENTS.length, at: new Date().toISOString(), events: EVENTS.length, title: 'Use a queue', active: true, from: { branch: 0, seq: 20 } },
];

/** Journals of what the demo agent doesn't do: every kind of tool call, to-do lists, and a past session with two branches. */
export async function recordedServer(webRoot: string): Promise<ReplayServer> {
  const past = { lastSeq: EVENTS.length, bytes: 100_000_000, branches: 2, kept: true, gone: true, read: true };
  const session = sessionOf({ id: 'vast', title: 'A vast conversation', status: 'ended', control: 'none', past, lastSeq: EVENTS.length });
  const replay = await openReplayServer([...sampleSessions(), kindsSession(), { session, events: EVENTS }], webRoot);
  withPastSessions(replay, { sessions: [session], branches: BRANCHES });
  return replay;
}

export const recorded: Story = {
  name: 'every kind of tool call, and a past session with two branches',
  steps: () => [
    { name: 'every kind of card', act: ({ open }) => open('/s/kinds'), shows: text('All of it is done') },
    { name: 'the to-do list', act: ({ page }) => strip(page).getByRole('button').click(), shows: (page) => strip(page).locator('.todo').first() },
    { name: 'an expanded card', act: ({ page }) => page.locator('.row-tool .fold-head').last().click(), shows: part('.row-tool .fold.open') },
    {
      name: 'all steps of a subagent',
      act: ({ page }) => page.getByRole('button', { name: '7 earlier steps' }).click(),
      shows: (page) => page.getByRole('button', { name: 'Collapse' }),
    },
    {
      name: 'its steps collapsed',
      act: ({ page }) => page.getByRole('button', { name: 'Collapse' }).click(),
      shows: (page) => page.getByRole('button', { name: '7 earlier steps' }),
    },
    { name: 'a used suggestion', act: ({ page }) => page.locator('.suggestions button').first().click(), shows: (page) => message(page) },
    { name: 'half a title', act: halfTitle, shows: holds('Title', 'Half a ti') },
    { name: 'a waiting session', act: ({ open }) => open('/s/flaky'), shows: text('Queued (saved)') },
    { name: 'a session with retries and unrecognized lines', act: ({ open }) => open('/s/cache'), shows: text('Context compacted') },
    {
      name: 'a long session at the address of an event',
      act: ({ open }) => open('/s/long#e41'),
      shows: (page) => page.getByText('question 10', { exact: true }),
    },
    { name: 'its beginning', act: toBeginning, shows: (page) => page.getByText('question 0', { exact: true }) },
    { name: 'its end', act: ({ page }) => page.locator('.transcript').press('End'), shows: (page) => page.getByText('answer 399') },
    { name: 'a past session', act: ({ open }) => open('/s/vast'), shows: text('imported') },
    { name: 'its other branch', act: openOtherBranch, shows: (page) => page.getByRole('button', { name: /2 branches; this is not the one/ }) },
    { name: 'its active branch', act: openActiveBranch, shows: (page) => page.getByRole('button', { name: /2 branches; this is the one/ }) },
  ],
};

const strip = (page: Page) => page.getByRole('region', { name: 'To-do list' });

async function halfTitle({ page }: Person): Promise<void> {
  await message(page).fill('');
  await page.locator('.session-title button').click();
  await page.getByLabel('Title').fill('Half a ti');
}

async function toBeginning({ page }: Person): Promise<void> {
  await page.locator('.transcript').press('Home');
  await expect.poll(() => new URL(page.url()).hash).toBe('#e1');
}

async function openOtherBranch({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: /2 branches; this is the one/ }).click();
  await page.getByRole('button', { name: /Try it with a lock/ }).click();
}

async function openActiveBranch({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: /2 branches; this is not the one/ }).click();
  await page.getByRole('button', { name: /Use a queue/ }).click();
}
