import { expect, test } from 'vitest';
import type { EventBodyOf, EventOf } from '../../protocol/event.ts';
import type { PrCheck } from '../../protocol/git.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { type FinishEvent, type FinishState, finished, NO_FINISH } from './finish-state.ts';
import { cardMessage, newsOf } from './pr-cards.ts';

const URL = 'https://github.com/ada/one/pull/7';
const check = (name: string, state: PrCheck['state']): PrCheck => ({ name, state });
const COMMENT = { id: '9', author: 'eve', text: 'one\ntwo', path: 'a.txt', line: 3 };

const fold = (...events: readonly FinishEvent[]): FinishState => events.reduce<FinishState>(finished, NO_FINISH);
const at = (seq: number) => ({ seq, at: `2026-11-18T10:00:0${seq}.000Z` });
const linked: EventOf<'pr.linked'> = { type: 'pr.linked', ...at(1), commandId: 'c' as CommandId, host: 'gh', url: URL, number: 7 };
const updated = (seq: number, more: Partial<EventBodyOf<'pr.updated'>>): EventOf<'pr.updated'> => ({
  ...{ type: 'pr.updated', ...at(seq), url: URL, state: 'open', checks: [], comments: [] },
  ...more,
});
const cardsOf = ({ pr }: FinishState) => pr?.cards.map(({ id }) => id);

test('[R348] a check gets a card when it fails, not while it stays failed, and again when it fails again', () => {
  const failed = fold(linked, updated(2, { checks: [check('t', 'failed')] }));
  expect(cardsOf(failed)).toEqual(['check:t']);
  const dismissed = finished(failed, { type: 'pr.dismissed', ...at(3), commandId: 'd' as CommandId, card: 'check:t', sent: false });
  expect(cardsOf(finished(dismissed, updated(4, { checks: [check('t', 'failed'), check('u', 'passed')] })))).toEqual([]);
  const again = finished(dismissed, updated(4, { checks: [check('t', 'pending')] }));
  expect(cardsOf(finished(again, updated(5, { checks: [check('t', 'failed')] })))).toEqual(['check:t']);
});

test('a check that passes takes its card away; merging takes all of them', () => {
  const both = fold(linked, updated(2, { checks: [check('t', 'failed')], comments: [COMMENT] }));
  expect(cardsOf(both)).toEqual(['check:t', 'comment:9']);
  expect(cardsOf(finished(both, updated(3, { checks: [check('t', 'passed')] })))).toEqual(['comment:9']);
  expect(cardsOf(finished(both, updated(3, { state: 'merged', checks: [check('t', 'failed')] })))).toEqual([]);
});

test('[R348] a poll reports only what is new: the order of checks and known comments are not', () => {
  const { pr } = fold(linked, updated(2, { checks: [check('a', 'passed'), check('b', 'pending')], comments: [COMMENT] }));
  if (pr === null) throw new Error('not linked');
  expect(newsOf(pr, { state: 'open', checks: [check('b', 'pending'), check('a', 'passed')], comments: [COMMENT] })).toBeUndefined();
  expect(newsOf(pr, { state: 'open', checks: pr.checks, comments: [COMMENT, { ...COMMENT, id: '10' }] })).toMatchObject({ comments: [{ id: '10' }] });
  expect(newsOf(pr, { state: 'closed', checks: pr.checks, comments: [] })).toMatchObject({ state: 'closed', comments: [] });
});

test('the message to the agent quotes every line of a comment and says where it is', () => {
  const { pr } = fold(linked, updated(2, { comments: [COMMENT] }));
  const [card] = pr?.cards ?? [];
  if (pr === null || card === undefined) throw new Error('no card');
  expect(cardMessage(card, pr)).toBe(`eve commented on a.txt:3 in the pull request ${URL}:\n\n> one\n> two\n\nAddress this comment.`);
});

test('[R342] an outcome ends the act it belongs to, and no other', () => {
  const started = fold({ type: 'git.started', ...at(1), commandId: 'c1' as CommandId, act: 'commit', scriptId: 's' as EventOf<'git.started'>['scriptId'] });
  const acted = { type: 'git.acted', act: 'commit', ok: true, commit: 'abc' } as const;
  expect(finished(started, { ...acted, ...at(2), commandId: 'other' as CommandId }).running).not.toBeNull();
  expect(finished(started, { ...acted, ...at(2), commandId: 'c1' as CommandId })).toMatchObject({
    running: null,
    recent: [{ commandId: 'c1', commit: 'abc' }],
  });
});
