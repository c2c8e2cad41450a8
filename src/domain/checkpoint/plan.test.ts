import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { checkpointAt, EMPTY_LOG, foldLog, stepsAfter } from './log.ts';
import { type Entry, type PlanQuestion, planRevert } from './plan.ts';
import { removable } from './retention.ts';
import { momentsIn } from './when.ts';

const file = (oid: string, mode = '100644'): Entry => ({ mode, oid });
const change = (path: string, old: Entry | undefined, now: Entry | undefined) => ({ path, old, new: now });

const QUESTION: PlanQuestion = {
  differences: [change('a', file('1'), file('2'))],
  steps: [{ differences: [change('a', file('1'), file('2'))], shared: false }],
  targetLeft: [],
  nowLeft: [],
  ignoredThen: new Set(),
  isLate: false,
  force: [],
};

const first = (changed: Partial<PlanQuestion>) => {
  const { files, others } = planRevert({ ...QUESTION, ...changed });
  const { difference: _, ...planned } = files[0] ?? others[0] ?? { difference: undefined };
  return planned;
};

test('what the session changed and nobody touched since is restored', () => {
  expect(first({})).toEqual({ path: 'a', action: 'restore', selected: true });
});

test('[R313] what somebody changed since is refused, and a person can force it', () => {
  const edited = { differences: [change('a', file('1'), file('3'))] };
  expect(first(edited)).toMatchObject({ refused: 'Somebody edited it after the agent.', canForce: true });
  expect(first({ ...edited, force: ['a'] })).toEqual({ path: 'a', action: 'restore', selected: true, canForce: true });
  expect(first({ steps: [], paths: ['a'] })).toMatchObject({ refused: 'This session didn’t change it.', canForce: true });
});

test('what is late or shared is not chosen for the person; what is not known can’t be forced', () => {
  expect(first({ isLate: true })).toMatchObject({ selected: false });
  expect(first({ steps: [{ ...QUESTION.steps[0], shared: true } as PlanQuestion['steps'][number]] })).toMatchObject({ selected: false });
  expect(first({ targetLeft: [{ path: 'a', why: 'larger than 10 MB' }], force: ['a'] })).toMatchObject({
    refused: 'The checkpoint doesn’t hold it: larger than 10 MB.',
  });
  const nested = change('a', file('1', '160000'), file('2', '160000'));
  expect(first({ differences: [nested], force: ['a'] })).toMatchObject({ refused: expect.stringContaining('nested repository') });
  expect(first({ differences: [change('a', undefined, file('2'))], ignoredThen: new Set(['a']) })).toMatchObject({ action: 'delete', canForce: true });
});

const made = (seq: number, when: string, more: object = {}) =>
  ({ type: 'checkpoint.made', seq, at: '', checkpointId: `c${seq}`, commit: `k${seq}`, when, changed: [], left: [], ...more }) as unknown as Event;

test('a message leads to the checkpoint before it, a checkpoint to itself, anything else to the last one up to it', () => {
  const message = { type: 'user.message', seq: 5, at: '', text: 'x', commandId: 'm', origin: 'person' } as unknown as Event;
  const log = foldLog(EMPTY_LOG, [made(2, 'after'), message, made(6, 'before', { commandId: 'm' }), made(9, 'after')]);
  expect([1, 4, 5, 6, 7, 99].map((to) => checkpointAt(log, to)?.seq)).toEqual([undefined, 2, 6, 6, 6, 9]);
});

test('only what lies between the checkpoints around a turn, and what a revert wrote, was done by the session', () => {
  const done = {
    type: 'revert.done',
    seq: 8,
    at: '',
    commandId: 'r',
    checkpointId: 'c1',
    undo: 'c7',
    files: [{ path: 'x', result: 'restored' }],
  } as unknown as Event;
  const log = foldLog(EMPTY_LOG, [made(1, 'before'), made(2, 'after'), made(3, 'before'), made(4, 'after', { late: true }), made(7, 'revert'), done]);
  const [target] = log.checkpoints;
  expect(target && stepsAfter(log, target)).toEqual([
    { from: 'k1', to: 'k2', shared: false },
    { from: 'k7', to: 'k1', shared: false, only: new Set(['x']) },
  ]);
});

test('files are kept when a message is delivered to an idle agent and when a turn ends, not when a message joins a turn', () => {
  const events = [
    { type: 'input.delivered', seq: 1, commandId: 'a' },
    { type: 'turn.started', seq: 2, turnId: 't', commandId: 'a' },
    { type: 'input.delivered', seq: 3, commandId: 'b' },
    { type: 'turn.completed', seq: 4, turnId: 't', commandId: 'a' },
    { type: 'turn.started', seq: 5, turnId: 'u' },
  ] as unknown as Event[];
  expect(momentsIn(events, false).map(({ when, seq }) => `${when} ${seq}`)).toEqual(['before 1', 'after 4', 'before 5']);
});

test('what undoes a revert is kept for 30 days; of the session in use, the newer half stays', () => {
  const day = (n: number) => new Date(n * 86_400_000).toISOString();
  const all = [
    { id: 'a', at: day(0), when: 'before' },
    { id: 'b', at: day(0), when: 'revert' },
    { id: 'c', at: day(20), when: 'remove' },
    { id: 'd', at: day(40), when: 'after' },
  ] as unknown as Parameters<typeof removable>[0];
  expect(removable(all, Date.parse(day(40)), false)).toEqual(['a', 'b', 'd']);
  expect(removable(all, Date.parse(day(40)), true)).toEqual(['a']);
});
