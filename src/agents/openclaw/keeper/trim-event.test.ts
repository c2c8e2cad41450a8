import { expect, test } from 'vitest';
import { sessionKeyOf, trimmed } from './trim-event.ts';

const event = (name: string, payload: object) => ({ type: 'event', event: name, payload, seq: 7 });

test('the complete text that the Gateway repeats with every part is replaced with its length', () => {
  const piece = event('agent', { runId: 'r', stream: 'assistant', data: { text: 'one two', delta: ' two', itemId: 'i' }, session: { big: 1 } });
  expect(trimmed(piece)).toEqual({
    type: 'event',
    event: 'agent',
    payload: { runId: 'r', stream: 'assistant', data: { delta: ' two', itemId: 'i', chars: 7 } },
  });
});

test('parts repeated in another event are dropped, and so is command output that the result has', () => {
  expect(trimmed(event('chat', { runId: 'r', state: 'delta', deltaText: 'x' }))).toBeUndefined();
  expect(trimmed(event('agent', { runId: 'r', stream: 'command_output', data: { output: 'x' } }))).toBeUndefined();
});

test('the end of a run says whether there is an answer, which is sent separately', () => {
  const final = event('chat', { runId: 'r', state: 'final', message: { role: 'assistant' } });
  expect(trimmed(final)?.payload).toEqual({ runId: 'r', state: 'final', hasMessage: true });
  expect(trimmed(event('chat', { runId: 'r', state: 'aborted' }))?.payload).toEqual({ runId: 'r', state: 'aborted' });
});

test('a message loses its session row, but arguments and results of a call stay complete', () => {
  const message = event('session.message', { sessionKey: 'k', messageId: 'm', message: { role: 'user' }, participants: [1, 2], contextTokens: 5 });
  expect(trimmed(message)?.payload).toEqual({ sessionKey: 'k', messageId: 'm', message: { role: 'user' }, contextTokens: 5 });
  const call = event('agent', { stream: 'tool', data: { phase: 'start', args: { text: 'kept' } }, session: {} });
  expect(trimmed(call)?.payload).toEqual({ stream: 'tool', data: { phase: 'start', args: { text: 'kept' } } });
});

test('an event belongs to the session that it names, or that the request in it names', () => {
  expect(sessionKeyOf(event('agent', { sessionKey: 'k' }))).toBe('k');
  expect(sessionKeyOf(event('exec.approval.requested', { request: { sessionKey: 'k' } }))).toBe('k');
  expect(sessionKeyOf(event('tick', { ts: 1 }))).toBeUndefined();
});
