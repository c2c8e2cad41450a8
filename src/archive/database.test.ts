import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ToySetup } from '../../test/support/archive/toy-setup.ts';
import { openDatabase } from '../journal/sqlite-driver.ts';
import { unpack } from './records/foreign-database.ts';

/** A database that an agent has open. */
function foreign(setup: ToySetup, mode: 'WAL' | 'DELETE' = 'WAL') {
  const db = openDatabase(setup.path('all.sqlite'));
  db.exec(`PRAGMA journal_mode = ${mode}`);
  db.exec('CREATE TABLE IF NOT EXISTS rows (conversation TEXT, row INTEGER, line TEXT, packed BLOB)');
  const insert = db.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)');
  return {
    add: (conversation: string, row: number, line: object | Uint8Array) =>
      insert.run(conversation, row, line instanceof Uint8Array ? null : JSON.stringify(line), line instanceof Uint8Array ? line : null),
    exec: (sql: string) => db.exec(sql),
  };
}

test('conversations in a database are read while their program has it open, and grow with it', () => {
  const setup = new ToySetup();
  const agent = foreign(setup);
  agent.add('c1', 1, { id: 'a', ask: 'one' });
  agent.add('c2', 1, { id: 'x', ask: 'another' });
  setup.read();
  agent.add('c1', 4, { id: 'b', parent: 'a', say: 'two' });
  setup.read();
  expect(setup.transcript('c1')).toEqual(['1 > one', '2 two']);
  expect(setup.transcript('c2')).toEqual(['1 > another']);
  expect(setup.session('c1')).toMatchObject({ title: 'one', past: { read: true } });
  expect(setup.events('c1')[1]).toMatchObject({ src: { byte: 4 } });
});

for (const mode of ['WAL', 'DELETE'] as const) {
  test(`nothing is written next to another program's database (${mode})`, () => {
    const setup = new ToySetup();
    const agent = foreign(setup, mode);
    agent.add('c1', 1, { id: 'a', ask: 'one' });
    const before = readdirSync(setup.root);
    setup.read();
    agent.add('c1', 2, { id: 'b', parent: 'a', say: 'two' });
    setup.read();
    expect(setup.transcript('c1')).toEqual(['1 > one', '2 two']);
    expect(readdirSync(setup.root)).toEqual(before);
  });
}

test('the log of a killed program is read from a copy', () => {
  const setup = new ToySetup();
  const killed = new ToySetup();
  foreign(killed).add('c1', 1, { id: 'a', ask: 'one' });
  for (const end of ['', '-wal']) copyFileSync(killed.path(`all.sqlite${end}`), setup.path(`all.sqlite${end}`));
  setup.read();
  expect(setup.transcript('c1')).toEqual(['1 > one']);
  expect(readdirSync(setup.root)).toEqual(['all.sqlite', 'all.sqlite-wal']);
});

test('a row deleted by its program leaves a tombstone', () => {
  const setup = new ToySetup();
  const agent = foreign(setup);
  agent.add('c1', 1, { id: 'a', ask: 'one' });
  agent.add('c1', 2, { id: 'b', parent: 'a', say: 'two' });
  setup.read();
  agent.exec('DELETE FROM rows WHERE row = 1');
  setup.read();
  expect(setup.transcript('c1')).toEqual(['1 The agent removed this part of the conversation from its record.', '2 two']);
});

test("a file that isn't a database is listed with the reason", () => {
  const setup = new ToySetup();
  setup.write('all.sqlite', ['this is no database, though it is long enough to be looked at']);
  setup.read();
  expect(setup.indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [{ path: setup.path('all.sqlite') }] });
});

test('compressed rows are decompressed', () => {
  const packed = Buffer.from('KLUv/SAWsQAAeyJpZCI6ImEiLCJhc2siOiJvbmUifQ==', 'base64');
  expect(unpack(packed)).toBe('{"id":"a","ask":"one"}');
  const setup = new ToySetup();
  foreign(setup).add('c1', 1, packed);
  setup.read();
  expect(setup.transcript('c1')).toEqual(['1 > one']);
});

test('a damaged compressed row becomes an event that says so, and those around it are read', () => {
  const setup = new ToySetup();
  const agent = foreign(setup);
  agent.add('c1', 1, { id: 'a', ask: 'one' });
  agent.add('c1', 2, Buffer.from('this was never packed'));
  agent.add('c1', 3, { id: 'b', parent: 'a', say: 'two' });
  setup.read();
  expect(setup.transcript('c1')).toEqual(['1 > one', '2 ? Row 2, 21 bytes', '3 two']);
  expect(setup.reported.batches.flatMap(({ events }) => events)).toEqual(setup.events('c1'));
  expect(setup.indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [] });
});

test('a database with a damaged page is listed with the reason, and everything else is read', () => {
  const setup = new ToySetup();
  const agent = foreign(setup, 'DELETE');
  for (let row = 1; row <= 400; row += 1) agent.add('c1', row, { id: `n${row}`, say: 'x'.repeat(400) });
  agent.exec('CREATE INDEX conversations ON rows (conversation, row)');
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  const bytes = readFileSync(setup.path('all.sqlite'));
  const at = bytes.indexOf('"n300"');
  // This page, but not the list of conversations, which is read from the index.
  bytes.fill(0xff, Math.floor(at / 4096) * 4096, Math.floor(at / 4096 + 1) * 4096);
  writeFileSync(setup.path('all.sqlite'), bytes);
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one']);
  expect(setup.session('c1')?.past).toMatchObject({ read: false });
  expect(setup.indexer.progress()).toMatchObject({
    phase: 'ready',
    unreadable: [{ path: setup.path('all.sqlite'), reason: expect.stringContaining('malformed') }],
  });
  setup.read();
  expect(setup.indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [{ path: setup.path('all.sqlite') }] });
});
