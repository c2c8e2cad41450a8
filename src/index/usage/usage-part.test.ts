import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { type Database, openDatabase, transactions } from '../../journal/sqlite-driver.ts';
import { UsageList, type UsageQuery } from '../../protocol/api/usage.ts';
import type { Event } from '../../protocol/event.ts';
import { AgentId, SessionId } from '../../protocol/ids.ts';
import type { KnownSession } from '../store/index-part.ts';
import type { IndexedUsage } from '../store/index-store.ts';
import { usagePart } from './usage-part.ts';

const folder = temporaryFolder();
const prices = { big: { input: 1, output: 10, cacheRead: 0, cacheWrite: 0 } };
const part = usagePart((agent, model) => (agent === 'one' && model === 'big' ? prices.big : undefined));

interface ReadSession {
  readonly session: KnownSession;
  readonly events: readonly Event[];
  readonly spent: readonly IndexedUsage[];
}

function openUsage(): Database {
  const db = openDatabase(join(folder.make(), 'library.db'));
  db.exec('CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT UNIQUE, agent TEXT, title TEXT, project TEXT, project_id TEXT, created_at TEXT)');
  db.exec(part.schema);
  return db;
}

function putSession(db: Database, { number, id, agent, title, project, projectId, createdAt }: KnownSession): void {
  db.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)').run(number, id, agent, title, project, projectId, createdAt);
}

function sessionIndex(batches: readonly ReadSession[]) {
  const db = openUsage();
  const writer = part.write(db);
  const take = (batches: readonly ReadSession[]) =>
    transactions(db)(() => {
      for (const { session, events, spent } of batches) {
        putSession(db, session);
        writer.take(session, events, spent);
      }
      writer.ending?.();
    });
  take(batches);
  const reader = part.read(db);
  const ask = (query: UsageQuery = {}) => UsageList.parse({ ...reader.usage(query), whole: true });
  return { writer, take, ask, putSession: (one: KnownSession) => putSession(db, one) };
}

const session = (number: number, over: Partial<KnownSession> = {}): KnownSession => ({
  number,
  id: SessionId.parse(`s${number}`),
  agent: AgentId.parse('one'),
  title: 't',
  project: 'work',
  projectId: 'p1',
  createdAt: `2026-01-0${number}T00:00:00.000Z`,
  ...over,
});
const spend = (messageId: string, inputTokens: number, over: Partial<IndexedUsage> = {}): IndexedUsage => ({
  seq: 1,
  at: '2026-01-05T10:00:00.000Z',
  messageId,
  model: 'big',
  usage: { inputTokens, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ...over,
});
const prompt = (uuid: string, at = '2026-01-05T10:00:00.000Z') => ({ type: 'user.message', seq: 1, at, uuid, text: 'go', origin: 'elsewhere' }) as Event;

test('[R222] reported costs are used, the rest is priced, and tokens without a known price are counted and their models named', () => {
  const spent = [spend('a', 1_000_000), spend('b', 5, { costUsd: 2 }), spend('c', 9, { model: 'strange' })];
  const { rows, total, unpriced } = sessionIndex([{ session: session(1), events: [prompt('u')], spent }]).ask({ by: 'model' });
  expect(rows).toMatchObject([
    { key: 'big', title: 'big', inputTokens: 1_000_005, outputTokens: 2, costUsd: 3.00001, unpricedTokens: 0, turns: 1, sessions: 1 },
    { key: 'strange', inputTokens: 9, costUsd: 0, unpricedTokens: 10, turns: 0, sessions: 1 },
  ]);
  expect(total).toMatchObject({ inputTokens: 1_000_014, costUsd: 3.00001, unpricedTokens: 10, turns: 1, sessions: 1 });
  expect(unpriced).toEqual(['strange']);
});

test('a model without a name is called unknown', () => {
  const { model: _, ...nameless } = spend('a', 5);
  const { rows, unpriced } = sessionIndex([{ session: session(1), events: [], spent: [nameless] }]).ask();
  expect(rows).toMatchObject([{ key: '2026-01-05', models: [{ model: 'unknown', tokens: 6, costUsd: 0 }] }]);
  expect(unpriced).toEqual(['unknown']);
});

const two: readonly ReadSession[] = [
  { session: session(1), events: [prompt('u1')], spent: [spend('a', 10), spend('b', 20, { at: '2026-01-06T00:00:00.000Z' })] },
  { session: session(2, { agent: AgentId.parse('two'), project: 'play', projectId: 'p2' }), events: [prompt('u2')], spent: [spend('a', 40)] },
];
const cases: readonly (readonly [UsageQuery, readonly (readonly [string, number, number])[]])[] = [
  [
    {},
    [
      ['2026-01-05', 50, 2],
      ['2026-01-06', 20, 1],
    ],
  ],
  [{ by: 'day', from: '2026-01-06' }, [['2026-01-06', 20, 1]]],
  [{ by: 'day', to: '2026-01-05' }, [['2026-01-05', 50, 2]]],
  [
    { by: 'agent' },
    [
      ['one', 30, 1],
      ['two', 40, 1],
    ],
  ],
  [
    { by: 'project' },
    [
      ['p1', 30, 1],
      ['p2', 40, 1],
    ],
  ],
  [{ by: 'project', project: 'p2' }, [['p2', 40, 1]]],
  [{ by: 'project', project: 'work' }, [['p1', 30, 1]]],
  [{ by: 'agent', agent: 'two' }, [['two', 40, 1]]],
  [{ by: 'agent', agent: 'one,two', from: '2026-01-06' }, [['one', 20, 1]]],
  [{ by: 'model', model: 'other' }, []],
];
for (const [query, expected] of cases) {
  test(`usage for ${JSON.stringify(query)} is grouped and filtered`, () => {
    expect(
      sessionIndex(two)
        .ask(query)
        .rows.map(({ key, inputTokens, sessions }) => [key, inputTokens, sessions]),
    ).toEqual(expected);
  });
}

test('a fork counts only what it spent itself, and also for its origin once that is forgotten', () => {
  const origin: ReadSession = { session: session(1), events: [prompt('u1')], spent: [spend('a', 10), spend('b', 20)] };
  const fork: ReadSession = {
    session: session(2),
    events: [prompt('u1'), { ...prompt('u2'), seq: 2 }],
    spent: [spend('a', 10), spend('b', 20), spend('c', 5)],
  };
  const { ask, writer } = sessionIndex([fork, origin]);
  expect(ask().total).toMatchObject({ inputTokens: 35, turns: 2, sessions: 2 });
  writer.forget(1);
  expect(ask().total).toMatchObject({ inputTokens: 35, turns: 2, sessions: 1 });
  writer.forget(2);
  expect(ask()).toMatchObject({ rows: [], total: { inputTokens: 0, sessions: 0 } });
});

test('a session that turns out to be older counts the entries it shares', () => {
  const { ask, putSession, writer } = sessionIndex([
    { session: session(1), events: [], spent: [spend('a', 10)] },
    { session: session(2, { projectId: 'p2' }), events: [], spent: [spend('a', 10)] },
  ]);
  expect(ask({ by: 'project' }).rows.map(({ key }) => key)).toEqual(['p1']);
  const older = session(2, { projectId: 'p2', createdAt: '2025-01-01T00:00:00.000Z' });
  putSession(older);
  writer.describe?.(older);
  expect(ask({ by: 'project' }).rows.map(({ key, inputTokens }) => [key, inputTokens])).toEqual([['p2', 10]]);
});

/** Sessions created at different times that share some messages, each read in two batches. */
const message = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), tokens: fc.integer({ min: 1, max: 9 }), day: fc.integer({ min: 1, max: 3 }) });
const histories = fc.array(fc.array(message, { maxLength: 5 }), { minLength: 1, maxLength: 4 });

test('[R220] in whatever order sessions are read, the result is the same: each message counts once, for the session that was created first', () => {
  fc.assert(
    fc.property(histories, fc.infiniteStream(fc.nat()), (sessions, numbers) => {
      const batches = sessions.map((messages, index): ReadSession => {
        const spent = messages.map(({ id, tokens, day }) => spend(id, tokens, { at: `2026-02-0${day}T00:00:00.000Z` }));
        return { session: session(index + 1), events: [prompt('u'), { ...prompt(`u${index}`), seq: 2 }], spent };
      });
      const shuffled = batches
        .map((one) => [numbers.next().value ?? 0, one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one);
      const answers = [batches, shuffled].map((order) => {
        const { ask } = sessionIndex(order);
        return (['day', 'model', 'project', 'agent'] as const).map((by) => ask({ by }));
      });
      expect(answers[1]).toEqual(answers[0]);
      // Computed independently: for each message, the last entry of the first session that has it.
      const owned = new Map<string, number>();
      for (const messages of sessions.toReversed()) for (const { id, tokens } of messages) owned.set(id, tokens);
      expect(answers[0]?.[0]?.total.inputTokens).toBe([...owned.values()].reduce((all, tokens) => all + tokens, 0));
      expect(answers[0]?.[0]?.total.turns).toBe(sessions.length + 1);
    }),
    { numRuns: proofCount(40) },
  );
});

test('nothing is counted twice if it is read again after a kill', () => {
  const { ask, take } = sessionIndex(two);
  const before = ask();
  take(two);
  expect(ask()).toEqual(before);
});
