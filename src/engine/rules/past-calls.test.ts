import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, RequestId, SessionId } from '../../protocol/ids.ts';
import { type CallOf, PastCalls } from './past-calls.ts';

const S = 's' as SessionId;
const callOf: CallOf = (sessionId, { name }) =>
  name === 'Forgotten' ? undefined : { agent: 'demo' as AgentId, sessionId, cwd: '/w', tool: name, subject: { kind: 'other' } };

let seq = 0;
const placed = () => ({ seq: ++seq, at: '2026-03-04T05:06:07.089Z' });
const started = (toolUseId: string, name = 'Run'): Event => ({ ...placed(), type: 'tool.started', toolUseId, name, input: {} });
const asked = (toolUseId: string): Event => {
  const requestId = `r:${toolUseId}` as RequestId;
  return { ...placed(), type: 'permission.requested', requestId, agentRequestId: toolUseId, toolUseId, tool: 'Run', input: {}, kind: 'tool' };
};
const resolved = (toolUseId: string, outcome: 'allowed' | 'denied'): Event => ({
  ...placed(),
  type: 'permission.resolved',
  requestId: `r:${toolUseId}` as RequestId,
  outcome,
});

const taken = (most: number, events: readonly Event[]): PastCalls => {
  const past = new PastCalls(callOf, most);
  for (const event of events) past.take(S, event);
  return past;
};

test('a call says whether somebody was asked, and what became of it, whatever was read first', () => {
  const story = [started('a'), asked('a'), resolved('a', 'denied'), started('b'), started('c'), asked('c')];
  const expected = [
    ['a', true, 'denied'],
    ['b', false, undefined],
    ['c', true, 'waiting'],
  ];
  for (const events of [story, story.toReversed()]) {
    const calls = taken(9, events)
      .all()
      .toSorted((one, other) => one.seq - other.seq);
    expect(calls.map(({ asked: wasAsked, outcome }) => [wasAsked, outcome])).toEqual(expected.map(([, ...rest]) => rest));
  }
});

test('what was copied from another session, or what nobody knows any more, is no call', () => {
  expect(taken(9, [{ ...started('a'), inherited: true }, started('b', 'Forgotten')]).all()).toEqual([]);
});

test('only so many are kept, and it is said when there were more', () => {
  const [a, b, c] = [started('a'), started('b'), started('c')];
  expect(taken(2, [a, b])).toMatchObject({ isCut: false });
  const past = taken(2, [a, b, c]);
  expect([past.isCut, past.all().map((call) => call.seq)]).toEqual([true, [a.seq, b.seq]]);
});
