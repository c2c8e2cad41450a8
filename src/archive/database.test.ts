import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ToyHouse } from '../../test/support/archive/toy-setup.ts';
import { openDatabase } from '../journal/sqlite/sqlite-driver.ts';
import { unpack } from './records/unpack.ts';

/** A database as an agent has it open. */
function foreign(house: ToyHouse, mode: 'WAL' | 'DELETE' = 'WAL') {
  const db = openDatabase(house.path('all.sqlite'));
  db.exec(`PRAGMA journal_mode = ${mode}`);
  db.exec('CREATE TABLE IF NOT EXISTS rows (conversation TEXT, row INTEGER, line TEXT, packed BLOB)');
  const insert = db.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)');
  return {
    add: (conversation: string, row: number, line: object | Uint8Array) =>
      insert.run(conversation, row, line instanceof Uint8Array ? null : JSON.stringify(line), line instanceof Uint8Array ? line : null),
    exec: (sql: string) => db.exec(sql),
  };
}

test('conversations of a database are read while their program has it open, and grow with it', () => {
  const house = new ToyHouse();
  const agent = foreign(house);
  agent.add('c1', 1, { id: 'a', ask: 'one' });
  agent.add('c2', 1, { id: 'x', ask: 'another' });
  house.read();
  agent.add('c1', 4, { id: 'b', parent: 'a', say: 'two' });
  house.read();
  expect(house.story('c1')).toEqual(['1 > one', '2 two']);
  expect(house.story('c2')).toEqual(['1 > another']);
  expect(house.session('c1')).toMatchObject({ title: 'one', past: { read: true } });
  expect(house.events('c1')[1]).toMatchObject({ src: { byte: 4 } });
});

for (const mode of ['WAL', 'DELETE'] as const) {
  test(`nothing is written beside the database of another program (${mode})`, () => {
    const house = new ToyHouse();
    const agent = foreign(house, mode);
    agent.add('c1', 1, { id: 'a', ask: 'one' });
    const before = readdirSync(house.root);
    house.read();
    agent.add('c1', 2, { id: 'b', parent: 'a', say: 'two' });
    house.read();
    expect(house.story('c1')).toEqual(['1 > one', '2 two']);
    expect(readdirSync(house.root)).toEqual(before);
  });
}

test('a log that a program left behind when it was killed is read from a copy', () => {
  const house = new ToyHouse();
  const killed = new ToyHouse();
  foreign(killed).add('c1', 1, { id: 'a', ask: 'one' });
  for (const end of ['', '-wal']) copyFileSync(killed.path(`all.sqlite${end}`), house.path(`all.sqlite${end}`));
  house.read();
  expect(house.story('c1')).toEqual(['1 > one']);
  expect(readdirSync(house.root)).toEqual(['all.sqlite', 'all.sqlite-wal']);
});

test('a row that its program deleted leaves a tombstone', () => {
  const house = new ToyHouse();
  const agent = foreign(house);
  agent.add('c1', 1, { id: 'a', ask: 'one' });
  agent.add('c1', 2, { id: 'b', parent: 'a', say: 'two' });
  house.read();
  agent.exec('DELETE FROM rows WHERE row = 1');
  house.read();
  expect(house.story('c1')).toEqual(['1 The agent removed this part of the conversation from its record.', '2 two']);
});

test('a database that is none is named with the reason', () => {
  const house = new ToyHouse();
  house.write('all.sqlite', ['this is no database, though it is long enough to be looked at']);
  house.read();
  expect(house.indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [{ path: house.path('all.sqlite') }] });
});

test('rows that are packed are unpacked', () => {
  const packed = Buffer.from('KLUv/SAWsQAAeyJpZCI6ImEiLCJhc2siOiJvbmUifQ==', 'base64');
  expect(unpack(packed)).toBe('{"id":"a","ask":"one"}');
  const house = new ToyHouse();
  foreign(house).add('c1', 1, packed);
  house.read();
  expect(house.story('c1')).toEqual(['1 > one']);
});

test('a packed row that is damaged says so in its place, and those around it are read', () => {
  const house = new ToyHouse();
  const agent = foreign(house);
  agent.add('c1', 1, { id: 'a', ask: 'one' });
  agent.add('c1', 2, Buffer.from('this was never packed'));
  agent.add('c1', 3, { id: 'b', parent: 'a', say: 'two' });
  house.read();
  expect(house.story('c1')).toEqual(['1 > one', '2 ? Row 2, 21 bytes', '3 two']);
  expect(house.told.batches.flatMap(({ events }) => events)).toEqual(house.events('c1'));
  expect(house.indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [] });
});

test('a database with a damaged page is named with the reason, and everything else is read', () => {
  const house = new ToyHouse();
  const agent = foreign(house, 'DELETE');
  for (let row = 1; row <= 400; row += 1) agent.add('c1', row, { id: `n${row}`, say: 'x'.repeat(400) });
  agent.exec('CREATE INDEX conversations ON rows (conversation, row)');
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  const bytes = readFileSync(house.path('all.sqlite'));
  const at = bytes.indexOf('"n300"');
  // Its page, and not the list of conversations, which is read from the index.
  bytes.fill(0xff, Math.floor(at / 4096) * 4096, Math.floor(at / 4096 + 1) * 4096);
  writeFileSync(house.path('all.sqlite'), bytes);
  house.read();
  expect(house.story('s1')).toEqual(['1 > one']);
  expect(house.session('c1')?.past).toMatchObject({ read: false });
  expect(house.indexer.progress()).toMatchObject({
    phase: 'ready',
    unreadable: [{ path: house.path('all.sqlite'), reason: expect.stringContaining('malformed') }],
  });
  house.read();
  expect(house.indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [{ path: house.path('all.sqlite') }] });
});
