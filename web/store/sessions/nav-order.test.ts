import { expect, test } from 'vitest';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { navOrder, neighborOf, nextWaiting } from './nav-order.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const session = (id: string, minute: number, more: object = {}) => sessionOf({ id, title: id, createdAt: at(minute), updatedAt: at(minute), ...more });

test('[R385] the list beside a transcript has what needs you first, then what failed, what works, and the rest by last use', () => {
  const all = [
    session('idle', 9, { status: 'idle' }),
    session('old', 1, { status: 'sleeping' }),
    session('busy', 2, { status: 'busy' }),
    session('failed', 3, { status: 'failed' }),
    session('waiting', 4, { status: 'waiting', waiting: 1 }),
    session('archived', 10, { archived: true }),
  ];
  const order = navOrder(all);
  expect(order.map(({ id }) => id)).toEqual(['waiting', 'failed', 'busy', 'idle', 'old']);
  expect(neighborOf(order, 'failed', 1)?.id).toBe('busy');
  expect(neighborOf(order, 'waiting', -1)?.id).toBe('old');
  expect(neighborOf(order, 'gone', 1)?.id).toBe('waiting');
});

test('[R385] the next session that needs you is the one that has waited longest, and not this one', () => {
  const request = (sessionId: string, minute: number) => ({ sessionId, at: at(minute) }) as never;
  expect(nextWaiting([request('a', 3), request('b', 2), request('here', 1)], 'here')).toMatchObject({ sessionId: 'b' });
  expect(nextWaiting([request('here', 1)], 'here')).toBeUndefined();
});

test('[R385] two thousand sessions are in order in a few milliseconds', () => {
  const many = Array.from({ length: 2000 }, (_, n) => session(`s${n}`, (n * 7919) % 2000, { status: n % 50 === 0 ? 'busy' : 'idle' }));
  navOrder(many);
  const start = performance.now();
  for (let round = 0; round < 10; round++) navOrder(many);
  expect((performance.now() - start) / 10).toBeLessThan(50);
});
