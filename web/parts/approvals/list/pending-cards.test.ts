import { expect, test } from 'vitest';
import { WaitingPermission } from '../../../../src/protocol/http.ts';
import { waitingEntries } from './pending-cards.ts';

const waiting = (requestId: string, minute: number): WaitingPermission =>
  WaitingPermission.parse({
    requestId,
    sessionId: 's',
    sessionTitle: 'S',
    agent: 'demo',
    cwd: '/p',
    seq: minute,
    at: `2026-01-01T00:0${minute}:00.000Z`,
    tool: 't',
    input: {},
    kind: 'tool',
  });
const [a, b, c] = [waiting('a', 1), waiting('b', 2), waiting('c', 3)];
const ids = (entries: ReturnType<typeof waitingEntries>) => entries.map(({ permission }) => permission.requestId);

test('a decided card keeps its position among the others', () => {
  expect(ids(waitingEntries([c, a], [{ permission: b, leftAt: 0 }]))).toEqual(['a', 'b', 'c']);
});
