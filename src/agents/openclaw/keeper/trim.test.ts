import { expect, test } from 'vitest';
import { sessionKeyOf, trimmed } from './trim.ts';

const event = (name: string, payload: object) => ({ type: 'event', event: name, payload, seq: 7 });

test('of a piece of text the whole that the Gateway repeats is told by its length only', () => {
  const piece = event('agent', { runId: 'r', stream: 'assistant', data: { text: 'one two', delta: ' two', itemId: 'i' }, session: { big: 1 } });
  expect(trimmed(piece)).toEqual({
    type: 'event',
    event: 'agent',
    payload: { runId: 'r', stream: 'assistant', data: { delta: ' two', itemId: 'i', chars: 7 } },
  });
});

test('pieces that come a second time in another event are left out, and so is the output of a command that its result has', () => {
  expect(trimmed(event('chat', { runId: 'r', state: 'delta', deltaText: 'x' }))).toBeUndefined();
  expect(trimmed(event('agent', { runId: 'r', stream: 'command_output', data: { output: 'x' } }))).toBeUndefined();
});

test('the end of a run says whether there is an answer, which is told apart', () => {
  const final = event('chat', { runId: 'r', state: 'final', message: { role: 'assistant' } });
  expect(trimmed(final)?.payload).toEqual({ runId: 'r', state: 'final', hasMessage: true });
  expect(trimmed(event('chat', { runId: 'r', state: 'aborted' }))?.payload).toEqual({ runId: 'r', state: 'aborted' });
});

test('a message is told without the row of its session, and arguments and results of a call stay whole', () => {
  const message = event('session.message', { sessionKey: 'k', messageId: 'm', message: { role: 'user' }, participants: [1, 2], contextTokens: 5 });
  expect(trimmed(message)?.payload).toEqual({ sessionKey: 'k', messageId: 'm', message: { role: 'user' }, contextTokens: 5 });
  const call = event('agent', { stream: 'tool', data: { phase: 'start', args: { text: 'kept' } }, session: {} });
  expect(trimmed(call)?.payload).toEqual({ stream: 'tool', data: { phase: 'start', args: { text: 'kept' } } });
});

test('an event is about the session that it, or the request in it, names', () => {
  expect(sessionKeyOf(event('agent', { sessionKey: 'k' }))).toBe('k');
  expect(sessionKeyOf(event('exec.approval.requested', { request: { sessionKey: 'k' } }))).toBe('k');
  expect(sessionKeyOf(event('tick', { ts: 1 }))).toBeUndefined();
});
