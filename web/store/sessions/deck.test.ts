import { expect, test } from 'vitest';
import type { AgentDescription } from '../../../src/protocol/http.ts';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { deckSections, defaultAgent } from './deck.ts';

const agentOf = (id: string, available: boolean) => ({ id, available }) as unknown as AgentDescription;

test('running and waiting sessions stay in creation order, the rest are sorted by last use', () => {
  const at = (minute: number) => `2026-11-15T12:0${minute}:00.000Z`;
  const sessions = [
    sessionOf({ id: 'a', title: 'a', status: 'busy', createdAt: at(1), updatedAt: at(9) }),
    sessionOf({ id: 'b', title: 'b', status: 'idle', waiting: 1, createdAt: at(2), updatedAt: at(3) }),
    sessionOf({ id: 'c', title: 'c', createdAt: at(3), updatedAt: at(4) }),
    sessionOf({ id: 'd', title: 'd', createdAt: at(0), updatedAt: at(8) }),
    sessionOf({ id: 'e', title: 'e', archived: true }),
  ];
  const { running, recent } = deckSections(sessions);
  expect(running.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(recent.map(({ id }) => id)).toEqual(['d', 'c']);
});

test('a new session uses the last used agent, if it can run', () => {
  const sessions = [sessionOf({ id: 'a', title: 'a', agent: 'second' }, 5), sessionOf({ id: 'b', title: 'b', agent: 'gone' }, 1)];
  const agents = [agentOf('first', true), agentOf('second', true), agentOf('gone', false)];
  expect(defaultAgent(sessions, agents)).toBe('second');
  expect(defaultAgent([], agents)).toBe('first');
  expect(defaultAgent(sessions, [])).toBeUndefined();
});
