import { expect, test } from 'vitest';
import { type PollFacts, pollDue } from './poll-schedule.ts';

const LINKED = Date.parse('2026-11-19T12:00:00.000Z');
const [SECOND, MINUTE, DAY] = [1000, 60_000, 24 * 60 * 60_000];
const open = { state: 'open', linkedAt: new Date(LINKED).toISOString() } as const;
const facts: PollFacts = { pr: open, lastAt: LINKED + DAY, isWanted: false, isPassing: false };

/** The time since the last look, or since the pull request was linked. */
const cases: readonly (readonly [string, Partial<PollFacts>, number, 'now' | 'later' | 'over'])[] = [
  ['wanted, 59 s after the last look', { isWanted: true }, 59 * SECOND, 'later'],
  ['wanted, 60 s after it', { isWanted: true }, 60 * SECOND, 'now'],
  ['not wanted, 60 s after it', {}, 60 * SECOND, 'later'],
  ['not wanted, just under 10 minutes after it', {}, 10 * MINUTE - 1, 'later'],
  ['not wanted, 10 minutes after it', {}, 10 * MINUTE, 'now'],
  ['wanted, but the host refuses for now', { isWanted: true, isPassing: true }, 9 * MINUTE, 'later'],
  ['wanted, 10 minutes after the host refused', { isWanted: true, isPassing: true }, 10 * MINUTE, 'now'],
  ['never looked at, as after a start of the server', { lastAt: undefined }, 0, 'now'],
  ['a draft', { pr: { ...open, state: 'draft' }, lastAt: undefined }, 0, 'now'],
  ['merged', { pr: { ...open, state: 'merged' }, isWanted: true, lastAt: undefined }, 0, 'over'],
  ['closed', { pr: { ...open, state: 'closed' }, isWanted: true, lastAt: undefined }, 0, 'over'],
  ['no pull request', { pr: null, isWanted: true }, 0, 'over'],
  ['7 days after it was linked', { isWanted: true }, 6 * DAY, 'now'],
  ['a moment later', { isWanted: true }, 6 * DAY + 1, 'over'],
];
for (const [title, some, afterMs, due] of cases) {
  test(`[R464] ${title}: ${due}`, () => expect(pollDue({ ...facts, ...some }, LINKED + DAY + afterMs)).toBe(due));
}
