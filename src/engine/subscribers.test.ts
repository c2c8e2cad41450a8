import { expect, test } from 'vitest';
import { SessionId } from '../protocol/ids.ts';
import type { News } from './engine.ts';
import { Subscribers } from './subscribers.ts';

const A = SessionId.parse('a');
const B = SessionId.parse('b');
const events = (sessionId: SessionId): News => ({ kind: 'events', sessionId, events: [] });
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('a subscriber of one session gets only its news, and a subscriber of all gets everything once', () => {
  const subscribers = new Subscribers(silent);
  const [one, all]: [News[], News[]] = [[], []];
  subscribers.add(A, (news) => one.push(news));
  subscribers.add('*', (news) => all.push(news));
  subscribers.publish(A, events(A));
  subscribers.publish(B, events(B));
  expect(one).toEqual([events(A)]);
  expect(all).toEqual([events(A), events(B)]);
});

test('a listener that throws does not affect the others', () => {
  const subscribers = new Subscribers(silent);
  const received: News[] = [];
  subscribers.add(A, () => {
    throw new Error('this listener fails');
  });
  subscribers.add(A, (news) => received.push(news));
  subscribers.publish(A, events(A));
  expect(received).toHaveLength(1);
});
