import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { NOT_STARTED, progressOf } from './message-progress.ts';

const MINE = 'mine';
const after = (...events: readonly object[]) =>
  events.map((event, at) => ({ seq: at + 1, at: '', ...event }) as Event).reduce((progress, event) => progressOf(progress, MINE, event), NOT_STARTED);

const accepted = (commandId: string) => ({ type: 'input.accepted', commandId, text: 'x', mode: 'queue' });
const started = (turnId: string, commandId?: string) => ({ type: 'turn.started', turnId, cause: 'input', ...(commandId && { commandId }) });
const taken = (turnId: string, commandId: string) => ({ type: 'input.consumed', turnId, commandId });
const text = (turnId: string, words: string, more: object = {}) => ({ type: 'assistant.text', turnId, messageId: words[0], index: 0, text: words, ...more });
const ended = (turnId: string, more: object = {}) => ({
  type: 'turn.completed',
  turnId,
  stopReason: 'end_turn',
  isError: false,
  interrupted: false,
  denials: 0,
  ...more,
});

test('[R571] the answer is the last message of the turn that worked on it, and of no other turn', () => {
  const others = [accepted('other'), accepted(MINE), started('t1', 'other'), text('t1', 'not mine'), ended('t1', { commandId: 'other' })];
  const own = [
    started('t2', MINE),
    text('t2', 'first a look'),
    text('t2', 'sub', { parentToolUseId: 'x' }),
    text('t2', 'zwei'),
    ended('t2', { commandId: MINE }),
  ];
  expect(after(...others).outcome).toBeUndefined();
  expect(after(...others, ...own).outcome).toMatchObject({ kind: 'done', turnId: 't2', answer: [{ text: 'zwei' }] });
});

test('[R571] a message that joined another turn is answered by what came after it in that turn', () => {
  const joined = [started('t1', 'other'), text('t1', 'before it'), taken('t1', MINE), text('t1', 'after it'), ended('t1', { commandId: 'other' })];
  expect(after(...joined).outcome).toMatchObject({ kind: 'done', answer: [{ text: 'after it' }] });
});

test('[R571] a message that the agent never took is answered by the turn that takes it later', () => {
  const returned = [started('t1', MINE), { type: 'input.returned', commandId: MINE, reason: '' }, ended('t1', { interrupted: true, isError: true })];
  expect(after(...returned).outcome).toBeUndefined();
  expect(after(...returned, started('t2', MINE), text('t2', 'late'), ended('t2', { commandId: MINE })).outcome).toMatchObject({ answer: [{ text: 'late' }] });
});

test('[R571] an end is the outcome once, and failures, interrupts and cancellations are named', () => {
  expect(after(started('t1', MINE), ended('t1', { commandId: MINE, isError: true, errors: ['no'] })).outcome).toMatchObject({ kind: 'failed', problem: 'no' });
  expect(after(started('t1', MINE), ended('t1', { commandId: MINE, interrupted: true, stopReason: 'interrupted' })).outcome).toMatchObject({
    kind: 'interrupted',
  });
  expect(after({ type: 'input.cancelled', commandId: MINE, reason: 'by hand' }, ended('t9', { commandId: MINE })).outcome).toEqual({
    kind: 'cancelled',
    problem: 'by hand',
  });
  expect(after(started('t1', MINE), ended('t1', { commandId: MINE, result: 'only here' })).outcome).toMatchObject({ answer: [{ text: 'only here' }] });
});
