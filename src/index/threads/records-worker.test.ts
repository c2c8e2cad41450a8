import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TOY } from '../../../test/support/archive/toy-archive.ts';
import { IndexWorkers, idOf } from '../../../test/support/index/index-workers.ts';
import type { IndexWriter } from '../store/index-store.ts';
import { IndexEmptied } from './open-index.ts';

const adopted = (agentSessionId: string, base: number) => ({ ask: 'adopted', agent: TOY, agentSessionId, base }) as const;
const problemsIn = (setup: IndexWorkers) => setup.news.flatMap((news) => (news.kind === 'problem' ? [news.reason.split('\n')[0]] : []));

test('a past session that can’t be indexed doesn’t block the others, and is retried at the next sweep', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', ask: 'zebra one' }]);
  setup.write('s2', [{ id: 'a', ask: 'zebra two' }]);
  setup.write('s3', [{ id: 'a', ask: 'zebra three' }]);
  setup.run();
  let isBroken = true;
  setup.reopen({
    reader: (real) => ({
      batch: (id, after, limit) => {
        if (isBroken && id === idOf('s2')) throw new Error('unreadable line');
        return real.batch(id, after, limit);
      },
    }),
  });
  setup.worker.answer({ ask: 'rebuild' });
  setup.work();
  expect(setup.search('zebra')).toHaveLength(2);
  expect(problemsIn(setup)).toEqual(['Error: unreadable line']);
  isBroken = false;
  setup.run();
  expect(setup.search('zebra')).toHaveLength(3);
});

test('what a step did before it failed is reported, and what it could not write is written by a later step', () => {
  const setup = new IndexWorkers();
  let isFull = true;
  setup.reopen({
    writer: (real) => ({
      put: (...batch) => {
        if (isFull) throw new Error('the disk is full');
        real.put(...batch);
      },
    }),
  });
  setup.write('s1', [{ id: 'a', ask: 'zebra' }]);
  expect(() => setup.run()).toThrow('the disk is full');
  expect(setup.news.some((news) => news.kind === 'listed' && news.sessions.some(({ past }) => past.read))).toBe(true);
  isFull = false;
  setup.run();
  expect(setup.search('zebra')).toEqual([1]);
});

test('an adopted session stays in the index when its record is gone', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', ask: 'zebra' }]);
  setup.write('s2', [{ id: 'a', ask: 'lion' }]);
  setup.run();
  setup.worker.answer(adopted('s1', 1));
  setup.adopt('s1', 1, 'giraffe');
  setup.work();
  rmSync(setup.path('s1'));
  rmSync(setup.path('s2'));
  setup.run();
  expect([setup.search('giraffe'), setup.hasTitle('zebra'), setup.hasTitle('lion')]).toEqual([[3], true, false]);
  setup.reopen();
  setup.run();
  expect([setup.search('giraffe'), setup.hasTitle('zebra'), setup.hasTitle('lion')]).toEqual([[3], true, false]);
});

test('events numbered before the adoption was known are found only under the journal’s numbers', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', ask: 'zebra' }]);
  setup.run();
  setup.append('s1', [
    { id: 'b', parent: 'a', ask: 'lion one' },
    { id: 'c', parent: 'b', say: 'lion two' },
  ]);
  setup.run();
  expect(setup.search('lion')).toEqual([2, 3]);
  setup.adopt('s1', 1, 'giraffe');
  setup.work();
  setup.worker.answer(adopted('s1', 1));
  setup.work();
  expect(setup.news).toContainEqual({ kind: 'grown', agent: TOY, agentSessionId: 's1' });
  expect([setup.search('zebra'), setup.search('lion'), setup.search('giraffe')]).toEqual([[1], [], [3]]);
  setup.journal.append({
    session: idOf('s1'),
    after: 3,
    at: new Date(0).toISOString(),
    events: [{ type: 'user.message', origin: 'elsewhere', text: 'lion one' }],
  });
  setup.worker.answer({ ask: 'journal' });
  setup.work();
  expect([setup.search('lion'), setup.search('giraffe')]).toEqual([[4], [3]]);
});

test('journal events that are not indexed yet are not indexed twice when a session is indexed again', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', ask: 'zebra' }]);
  setup.append('s1', [{ id: 'b', parent: 'a', say: 'lion' }]);
  setup.run();
  const counts: number[] = [];
  setup.reopen({
    writer: (real) => ({
      reindex: (session, past, own) => {
        const pages = [...own];
        counts.push(pages.flat().length);
        real.reindex(session, past, pages);
      },
      follow: (entries) => {
        counts.push(entries.length);
        real.follow(entries);
      },
    }),
  });
  setup.adopt('s1', 1, 'giraffe');
  setup.worker.answer(adopted('s1', 1));
  setup.work();
  expect(counts).toEqual([0, 2]);
  expect([setup.search('zebra'), setup.search('lion'), setup.search('giraffe')]).toEqual([[1], [], [3]]);
});

test('indexing a session again is all or nothing, and the next start finishes what was interrupted', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [
    { id: 'a', ask: 'zebra' },
    { id: 'b', parent: 'a', say: 'lion' },
  ]);
  setup.run();
  setup.reopen({
    reader: () => ({
      batch: () => {
        throw new Error('interrupted');
      },
    }),
  });
  setup.adopt('s1', 1, 'giraffe');
  setup.work();
  setup.worker.answer(adopted('s1', 1));
  setup.work();
  expect([problemsIn(setup), setup.search('zebra'), setup.search('giraffe')]).toEqual([['Error: interrupted'], [1], [3]]);
  const cursors: number[] = [];
  const writer = (real: IndexWriter) => ({
    reindex: (...parts: Parameters<IndexWriter['reindex']>) => {
      cursors.push(real.pastCursor(idOf('s1')));
      real.reindex(...parts);
      cursors.push(real.pastCursor(idOf('s1')));
    },
  });
  setup.reopen({ writer });
  setup.work();
  expect(cursors).toEqual([2, 1]);
  expect([setup.search('zebra'), setup.search('lion'), setup.search('giraffe')]).toEqual([[1], [], [3]]);
});

test('a record that vanished and came back is found again', () => {
  const setup = new IndexWorkers();
  const lines = [
    { id: 'a', ask: 'zebra' },
    { id: 'b', parent: 'a', say: 'lion' },
  ];
  setup.write('s1', lines);
  setup.run();
  rmSync(setup.path('s1'));
  setup.run();
  expect(setup.hasTitle('zebra')).toBe(false);
  setup.write('s1', lines);
  setup.run();
  expect([setup.search('zebra'), setup.search('lion')]).toEqual([[1], [2]]);
});

const DAMAGED_AT: Readonly<Record<string, (setup: IndexWorkers) => unknown>> = {
  'a sweep of all records': (setup) => setup.worker.sweep(),
  'a check of one record': (setup) => setup.worker.touched(setup.path('s2')),
  'reading a record': (setup) => setup.worker.answer({ ask: 'readNow', agent: TOY, agentSessionId: 's1' }),
  'adopting a session': (setup) => setup.worker.answer(adopted('s2', 1)),
};

test.each(Object.entries(DAMAGED_AT))('an index found damaged during %s is rebuilt, and the work is done', (_, act) => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', ask: 'zebra' }]);
  setup.write('s2', [{ id: 'a', ask: 'lion' }]);
  setup.run();
  let isDamaged = false;
  setup.reopen({
    writer: (real) => ({
      pastCursor: (id) => {
        if (!isDamaged) return real.pastCursor(id);
        isDamaged = false;
        real.clear();
        throw new IndexEmptied();
      },
    }),
  });
  setup.worker.answer(adopted('s2', 1));
  setup.run();
  setup.append('s1', [{ id: 'b', parent: 'a', say: 'giraffe' }]);
  setup.append('s2', [{ id: 'b', parent: 'a', say: 'ours' }]);
  isDamaged = true;
  expect(() => act(setup)).not.toThrow();
  expect(isDamaged).toBe(false);
  setup.run();
  expect(problemsIn(setup)).toHaveLength(1);
  expect(setup.news).toContainEqual({ kind: 'grown', agent: TOY, agentSessionId: 's2' });
  expect([setup.search('zebra'), setup.search('giraffe'), setup.search('lion')]).toEqual([[1], [2], [1]]);
});

test('missing records are removed from the index at the start', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', ask: 'zebra' }]);
  setup.run();
  setup.reopen({ writer: () => ({ forget: () => undefined }) });
  rmSync(setup.path('s1'));
  setup.run();
  expect(setup.hasTitle('zebra')).toBe(true);
  setup.reopen();
  setup.work();
  expect(setup.hasTitle('zebra')).toBe(false);
});

test('a long adopted session is indexed one page per step, before its journal', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', texts: Array.from({ length: 1200 }, (_, index) => `zebra ${index}`) }]);
  setup.run();
  setup.worker.answer(adopted('s1', 1200));
  setup.adopt('s1', 1200, 'giraffe');
  setup.work();
  const done: string[] = [];
  setup.reopen({
    writer: (real) => ({
      put: (...batch) => {
        done.push('past');
        real.put(...batch);
      },
      follow: (entries) => {
        done.push('journal');
        real.follow(entries);
      },
    }),
  });
  setup.worker.answer({ ask: 'rebuild' });
  for (let before = 0; setup.step(); before = done.length) expect(done.length - before).toBeLessThanOrEqual(1);
  expect(done).toEqual(['past', 'past', 'past', 'journal']);
  expect(setup.search('giraffe')).toEqual([1202]);
});

test('[R272] records are copied only after everything is indexed', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', say: 'hippopotamus' }]);
  const found: unknown[] = [];
  setup.reopen({
    indexer: () => ({
      copy: () => {
        found.push(setup.search('hippopotamus'));
        return found.length < 3;
      },
    }),
  });
  setup.run();
  expect(found).toEqual([[1], [1], [1]]);
});

test('an index that can’t be written delays copying by only a few minutes', () => {
  const setup = new IndexWorkers();
  setup.write('s1', [{ id: 'a', say: 'okapi' }]);
  let copied = 0;
  const copy = () => {
    copied += 1;
    return false;
  };
  const put = () => {
    throw new Error('the disk cannot be written');
  };
  setup.reopen({ indexer: () => ({ copy }), writer: () => ({ put }) });
  setup.worker.sweep();
  expect(() => {
    while (setup.worker.step());
  }).toThrow('the disk cannot be written');
  while (setup.worker.step());
  expect(copied).toBe(0);
  setup.laterMs = 300_000;
  while (setup.worker.step());
  expect(copied).toBe(1);
});
