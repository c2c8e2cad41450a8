import { expect, test } from 'vitest';
import type { State } from './state.ts';
import { initial } from './state.ts';
import { translate } from './translate.ts';

const open: State = { ...initial(), threadId: 't1' };

/** Observations from these messages, in order. */
function observed(messages: readonly object[], from: State = open) {
  let state = from;
  const observations = messages.flatMap((message) => {
    const step = translate(state, JSON.stringify(message));
    state = step.state;
    return step.observations;
  });
  return { state, observations };
}

const note = (method: string, params: object) => ({ method, params: { threadId: 't1', turnId: 'turn1', ...params } });
const began = note('turn/started', { turn: { id: 'turn1' } });
const ended = note('turn/completed', { turn: { id: 'turn1', status: 'interrupted', error: null } });
const writing = note('item/started', { item: { type: 'agentMessage', id: 'm1', text: '' } });
const delta = (text: string) => note('item/agentMessage/delta', { itemId: 'm1', delta: text });

test('the shown part of an interrupted answer is kept, unless it is too long', () => {
  expect(observed([began, writing, delta('half an '), delta('answer'), ended]).observations).toContainEqual(
    expect.objectContaining({ type: 'assistant.text', itemId: 'm1', text: 'half an answer' }),
  );
  const long = observed([began, writing, delta('x'.repeat(60_001)), delta('y'), ended]);
  expect(long.observations.map(({ type }) => type)).toEqual(['turn.began', 'delta', 'delta', 'delta.dropped', 'turn.ended']);
});

test('an answer that was reported when a message cut it off is not reported again when it is completed later', () => {
  const steering = note('item/started', { item: { type: 'userMessage', id: 'u2', clientId: 'c2', content: [] } });
  const late = note('item/completed', { item: { type: 'agentMessage', id: 'm1', text: 'half an answer' } });
  const { observations } = observed([began, writing, delta('half'), steering, late, ended]);
  expect(observations.map(({ type }) => type)).toEqual(['turn.began', 'delta', 'assistant.text', 'input.taken', 'turn.ended']);
});

test("a subagent's work in its own thread is not reported as ours, but its requests are shown", () => {
  const elsewhere = { method: 'turn/started', params: { threadId: 't2', turn: { id: 'x' } } };
  const asking = { id: 4, method: 'item/commandExecution/requestApproval', params: { threadId: 't2', itemId: 'i', command: '/bin/bash -lc ls' } };
  expect(observed([elsewhere, asking]).observations).toMatchObject([
    { type: 'permission.asked', agentRequestId: '4', subject: { kind: 'command', command: 'ls' } },
  ]);
});

test('a request with a patch too long for the state lists its paths, and says where to find all of it', () => {
  const change = { path: '/w/long.txt', kind: { type: 'add' }, diff: 'x'.repeat(20_000) };
  const started = note('item/started', { item: { type: 'fileChange', id: 'f1', changes: [change] } });
  const asking = { id: 0, ...note('item/fileChange/requestApproval', { itemId: 'f1' }) };
  const { state, observations } = observed([began, started, asking]);
  expect(observations.at(-1)).toMatchObject({
    input: { changes: [{ path: '/w/long.txt', kind: 'add' }], note: expect.stringContaining('transcript') },
    subject: { kind: 'edit', paths: ['/w/long.txt'] },
  });
  expect(JSON.stringify(state).length).toBeLessThan(16 * 1024);
});

test("a warning is shown once, and the cost of a turn is the increase in the thread's cost", () => {
  const warning = note('warning', { message: 'No such model.' });
  const tokens = (total: number) => ({ totalTokens: total, inputTokens: total, cachedInputTokens: 0, outputTokens: 0 });
  const used = (total: number, last: number) =>
    note('thread/tokenUsage/updated', { tokenUsage: { total: tokens(total), last: tokens(last), modelContextWindow: 1000 } });
  const { observations } = observed([used(500, 100), warning, began, warning, used(700, 200), used(700, 200), ended]);
  expect(observations.map(({ type }) => type)).toEqual(['notice.shown', 'turn.began', 'usage.reported', 'turn.ended']);
  expect(observations.at(-1)).toMatchObject({ usage: { inputTokens: 200 }, contextTokens: 200, contextWindow: 1000 });
});
