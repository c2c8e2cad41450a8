import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, RequestId, SessionId } from '../../protocol/ids.ts';
import { type CallOf, PastCalls } from './past-calls.ts';

const S = 's' as SessionId;
const callOf: CallOf = (sessionId, { name }) =>
  name === 'Forgotten' ? undefined : { agent: 'demo' as AgentId, sessionId, cwd: '/w', tool: name, subject: { kind: 'other' } };

let seq = 0;
const next = () => ({ seq: ++seq, at: '2026-03-04T05:06:07.089Z' });
const started = (toolUseId: string, name = 'Run'): Event => ({ ...next(), type: 'tool.started', toolUseId, name, input: {} });
const asked = (toolUseId: string): Event => {
  const requestId = `r:${toolUseId}` as RequestId;
  return { ...next(), type: 'permission.requested', requestId, agentRequestId: toolUseId, toolUseId, tool: 'Run', input: {}, kind: 'tool' };
};
const resolved = (toolUseId: string, outcome: 'allowed' | 'denied'): Event => ({
  ...next(),
  type: 'permission.resolved',
  requestId: `r:${toolUseId}` as RequestId,
  outcome,
});

const collect = (most: number, events: readonly Event[]): PastCalls => {
  const past = new PastCalls(callOf, most);
  for (const event of events) past.take(S, event);
  return past;
};

test('a call has whether it was asked about and its outcome, in whatever order events are read', () => {
  const story = [started('a'), asked('a'), resolved('a', 'denied'), started('b'), started('c'), asked('c')];
  const expected = [
    ['a', true, 'denied'],
    ['b', false, undefined],
    ['c', true, 'waiting'],
  ];
  for (const events of [story, story.toReversed()]) {
    const calls = collect(9, events)
      .all()
      .toSorted((one, other) => one.seq - other.seq);
    expect(calls.map(({ asked: wasAsked, outcome }) => [wasAsked, outcome])).toEqual(expected.map(([, ...rest]) => rest));
  }
});

test('inherited events, and calls of sessions that no longer exist, are not counted', () => {
  expect(collect(9, [{ ...started('a'), inherited: true }, started('b', 'Forgotten')]).all()).toEqual([]);
});

test('calls above the maximum are dropped, and isCut says so', () => {
  const [a, b, c] = [started('a'), started('b'), started('c')];
  expect(collect(2, [a, b])).toMatchObject({ isCut: false });
  const past = collect(2, [a, b, c]);
  expect([past.isCut, past.all().map((call) => call.seq)]).toEqual([true, [a.seq, b.seq]]);
});
