import { expect, test } from 'vitest';
import { SessionId } from '../protocol/ids.ts';
import type { News } from './engine.ts';
import { Subscribers } from './subscribers.ts';

const A = SessionId.parse('a');
const B = SessionId.parse('b');
const events = (sessionId: SessionId): News => ({ kind: 'events', sessionId, events: [] });
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('who follows one session hears of it alone, who follows all hears of each once', () => {
  const subscribers = new Subscribers(silent);
  const [one, all]: [News[], News[]] = [[], []];
  subscribers.add(A, (news) => one.push(news));
  subscribers.add('*', (news) => all.push(news));
  subscribers.publish(A, events(A));
  subscribers.publish(B, events(B));
  expect(one).toEqual([events(A)]);
  expect(all).toEqual([events(A), events(B)]);
});

test('a listener that throws keeps nobody else from hearing', () => {
  const subscribers = new Subscribers(silent);
  const heard: News[] = [];
  subscribers.add(A, () => {
    throw new Error('mine alone');
  });
  subscribers.add(A, (news) => heard.push(news));
  subscribers.publish(A, events(A));
  expect(heard).toHaveLength(1);
});
