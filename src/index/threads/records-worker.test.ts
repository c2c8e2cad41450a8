import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TOY } from '../../../test/support/archive/toy-archive.ts';
import { DeskHouse, idOf } from '../../../test/support/index/index-workers.ts';
import type { LibraryWriter } from '../store/index-store.ts';
import { LibraryEmptied } from '../store/open-index.ts';

const takenUp = (agentSessionId: string, base: number) => ({ ask: 'takenUp', agent: TOY, agentSessionId, base }) as const;
const troubles = (house: DeskHouse) => house.news.flatMap((news) => (news.tell === 'trouble' ? [news.reason.split('\n')[0]] : []));

test('a past session that cannot be taken into the library keeps no other from it, and is tried again at the next look', () => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', ask: 'zebra one' }]);
  house.write('s2', [{ id: 'a', ask: 'zebra two' }]);
  house.write('s3', [{ id: 'a', ask: 'zebra three' }]);
  house.run();
  let isBroken = true;
  house.reopen({
    reader: (real) => ({
      batch: (id, after, limit) => {
        if (isBroken && id === idOf('s2')) throw new Error('a line that nobody can read');
        return real.batch(id, after, limit);
      },
    }),
  });
  house.desk.answer({ ask: 'rebuild' });
  house.work();
  expect(house.search('zebra')).toHaveLength(2);
  expect(troubles(house)).toEqual(['Error: a line that nobody can read']);
  isBroken = false;
  house.run();
  expect(house.search('zebra')).toHaveLength(3);
});

test('what a step did before it failed is told, and what it could not write is written by a later one', () => {
  const house = new DeskHouse();
  let isFull = true;
  house.reopen({
    writer: (real) => ({
      put: (...batch) => {
        if (isFull) throw new Error('the disk is full');
        real.put(...batch);
      },
    }),
  });
  house.write('s1', [{ id: 'a', ask: 'zebra' }]);
  expect(() => house.run()).toThrow('the disk is full');
  expect(house.news.some((news) => news.tell === 'listed' && news.sessions.some(({ past }) => past.read))).toBe(true);
  isFull = false;
  house.run();
  expect(house.search('zebra')).toEqual([1]);
});

test('a past session that a session of ours goes on with stays in the library when its record is gone', () => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', ask: 'zebra' }]);
  house.write('s2', [{ id: 'a', ask: 'lion' }]);
  house.run();
  house.desk.answer(takenUp('s1', 1));
  house.goOn('s1', 1, 'giraffe');
  house.work();
  rmSync(house.path('s1'));
  rmSync(house.path('s2'));
  house.run();
  expect([house.search('giraffe'), house.hasTitle('zebra'), house.hasTitle('lion')]).toEqual([[3], true, false]);
  house.reopen();
  house.run();
  expect([house.search('giraffe'), house.hasTitle('zebra'), house.hasTitle('lion')]).toEqual([[3], true, false]);
});

test('what was numbered before it was known that a session of ours goes on is found under the numbers of ours only', () => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', ask: 'zebra' }]);
  house.run();
  house.append('s1', [
    { id: 'b', parent: 'a', ask: 'lion one' },
    { id: 'c', parent: 'b', say: 'lion two' },
  ]);
  house.run();
  expect(house.search('lion')).toEqual([2, 3]);
  house.goOn('s1', 1, 'giraffe');
  house.work();
  house.desk.answer(takenUp('s1', 1));
  house.work();
  expect(house.news).toContainEqual({ tell: 'grown', agent: TOY, agentSessionId: 's1' });
  expect([house.search('zebra'), house.search('lion'), house.search('giraffe')]).toEqual([[1], [], [3]]);
  house.journal.append({
    session: idOf('s1'),
    after: 3,
    at: new Date(0).toISOString(),
    events: [{ type: 'user.message', origin: 'elsewhere', text: 'lion one' }],
  });
  house.desk.answer({ ask: 'journal' });
  house.work();
  expect([house.search('lion'), house.search('giraffe')]).toEqual([[4], [3]]);
});

test('events of the journal that the library has yet to follow are not taken twice when a session is taken in again', () => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', ask: 'zebra' }]);
  house.append('s1', [{ id: 'b', parent: 'a', say: 'lion' }]);
  house.run();
  const takes: number[] = [];
  house.reopen({
    writer: (real) => ({
      remake: (session, past, own) => {
        const pages = [...own];
        takes.push(pages.flat().length);
        real.remake(session, past, pages);
      },
      follow: (entries) => {
        takes.push(entries.length);
        real.follow(entries);
      },
    }),
  });
  house.goOn('s1', 1, 'giraffe');
  house.desk.answer(takenUp('s1', 1));
  house.work();
  expect(takes).toEqual([0, 2]);
  expect([house.search('zebra'), house.search('lion'), house.search('giraffe')]).toEqual([[1], [], [3]]);
});

test('a session that is taken in again is whole or as it was before, and the next start ends what was cut short', () => {
  const house = new DeskHouse();
  house.write('s1', [
    { id: 'a', ask: 'zebra' },
    { id: 'b', parent: 'a', say: 'lion' },
  ]);
  house.run();
  house.reopen({
    reader: () => ({
      batch: () => {
        throw new Error('cut short');
      },
    }),
  });
  house.goOn('s1', 1, 'giraffe');
  house.work();
  house.desk.answer(takenUp('s1', 1));
  house.work();
  expect([troubles(house), house.search('zebra'), house.search('giraffe')]).toEqual([['Error: cut short'], [1], [3]]);
  const cursors: number[] = [];
  const writer = (real: LibraryWriter) => ({
    remake: (...parts: Parameters<LibraryWriter['remake']>) => {
      cursors.push(real.pastCursor(idOf('s1')));
      real.remake(...parts);
      cursors.push(real.pastCursor(idOf('s1')));
    },
  });
  house.reopen({ writer });
  house.work();
  expect(cursors).toEqual([2, 1]);
  expect([house.search('zebra'), house.search('lion'), house.search('giraffe')]).toEqual([[1], [], [3]]);
});

test('a record that was away and came back is found again', () => {
  const house = new DeskHouse();
  const lines = [
    { id: 'a', ask: 'zebra' },
    { id: 'b', parent: 'a', say: 'lion' },
  ];
  house.write('s1', lines);
  house.run();
  rmSync(house.path('s1'));
  house.run();
  expect(house.hasTitle('zebra')).toBe(false);
  house.write('s1', lines);
  house.run();
  expect([house.search('zebra'), house.search('lion')]).toEqual([[1], [2]]);
});

const DAMAGED_AT: Readonly<Record<string, (house: DeskHouse) => unknown>> = {
  'a look at all records': (house) => house.desk.sweep(),
  'a look at one record': (house) => house.desk.touched(house.path('s2')),
  'the reading of a record': (house) => house.desk.answer({ ask: 'settle', agent: TOY, agentSessionId: 's1' }),
  'the taking up of a session': (house) => house.desk.answer(takenUp('s2', 1)),
};

test.each(Object.entries(DAMAGED_AT))('a library that is found damaged at %s is fed again, and what was wanted is done', (_, act) => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', ask: 'zebra' }]);
  house.write('s2', [{ id: 'a', ask: 'lion' }]);
  house.run();
  let isDamaged = false;
  house.reopen({
    writer: (real) => ({
      pastCursor: (id) => {
        if (!isDamaged) return real.pastCursor(id);
        isDamaged = false;
        real.clear();
        throw new LibraryEmptied();
      },
    }),
  });
  house.desk.answer(takenUp('s2', 1));
  house.run();
  house.append('s1', [{ id: 'b', parent: 'a', say: 'giraffe' }]);
  house.append('s2', [{ id: 'b', parent: 'a', say: 'of ours' }]);
  isDamaged = true;
  expect(() => act(house)).not.toThrow();
  expect(isDamaged).toBe(false);
  house.run();
  expect(troubles(house)).toHaveLength(1);
  expect(house.news).toContainEqual({ tell: 'grown', agent: TOY, agentSessionId: 's2' });
  expect([house.search('zebra'), house.search('giraffe'), house.search('lion')]).toEqual([[1], [2], [1]]);
});

test('what is in the library of records that are gone since is forgotten at the start', () => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', ask: 'zebra' }]);
  house.run();
  house.reopen({ writer: () => ({ forget: () => undefined }) });
  rmSync(house.path('s1'));
  house.run();
  expect(house.hasTitle('zebra')).toBe(true);
  house.reopen();
  house.work();
  expect(house.hasTitle('zebra')).toBe(false);
});

test('a long past session of ours goes into the library a page a step, before what the journal says of it', () => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', texts: Array.from({ length: 1200 }, (_, index) => `zebra ${index}`) }]);
  house.run();
  house.desk.answer(takenUp('s1', 1200));
  house.goOn('s1', 1200, 'giraffe');
  house.work();
  const done: string[] = [];
  house.reopen({
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
  house.desk.answer({ ask: 'rebuild' });
  for (let before = 0; house.step(); before = done.length) expect(done.length - before).toBeLessThanOrEqual(1);
  expect(done).toEqual(['past', 'past', 'past', 'journal']);
  expect(house.search('giraffe')).toEqual([1202]);
});

test('[R272] records are copied when everything in them can be found, and not before', () => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', say: 'hippopotamus' }]);
  const found: unknown[] = [];
  house.reopen({
    indexer: () => ({
      copy: () => {
        found.push(house.search('hippopotamus'));
        return found.length < 3;
      },
    }),
  });
  house.run();
  expect(found).toEqual([[1], [1], [1]]);
});

test('a library that cannot be written keeps records from being copied for some minutes only', () => {
  const house = new DeskHouse();
  house.write('s1', [{ id: 'a', say: 'okapi' }]);
  let copied = 0;
  const copy = () => {
    copied += 1;
    return false;
  };
  const put = () => {
    throw new Error('the disk cannot be written');
  };
  house.reopen({ indexer: () => ({ copy }), writer: () => ({ put }) });
  house.desk.sweep();
  expect(() => {
    while (house.desk.step());
  }).toThrow('the disk cannot be written');
  while (house.desk.step());
  expect(copied).toBe(0);
  house.laterMs = 300_000;
  while (house.desk.step());
  expect(copied).toBe(1);
});
