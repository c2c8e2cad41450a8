import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { bundle } from '../../../test/support/bundle.ts';
import { eventsFrom, idOf, indexedSession, prompt, readerAt, writerAt } from '../../../test/support/index/index-samples.ts';
import { feedSamples, SAMPLE_QUERIES, sampleHitSources } from '../../../test/support/index/sample-feed.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { openDatabase } from '../../journal/sqlite-driver.ts';
import { IndexEmptied } from '../threads/open-index.ts';
import { IndexNotReady } from '../threads/open-index-reader.ts';
import type { IndexReader } from './index-store.ts';

const folder = temporaryFolder();
const pastSessions = sampleHitSources();
const answersOf = (reader: IndexReader) => SAMPLE_QUERIES.map((q) => ({ q, found: reader.search({ q, limit: 200 }, pastSessions) }));

/** The answers of an index that was fed without interruption. */
function uninterruptedAnswers() {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  feedSamples(writer);
  const reader = readerAt(path);
  const answers = answersOf(reader);
  reader.close();
  writer.close();
  return answers;
}

test('[R216] an index that is emptied and rebuilt gives the same answers', () => {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  const reader = readerAt(path);
  feedSamples(writer);
  const before = answersOf(reader);
  expect(before.map(({ found }) => found.total > 0)).toEqual(before.map(() => true));
  writer.clear();
  expect([writer.position(), writer.pastCursor(idOf('past0')), answersOf(reader).every(({ found }) => found.total === 0)]).toEqual([0, 0, true]);
  feedSamples(writer);
  expect(answersOf(reader)).toEqual(before);
  while (writer.tidy());
  expect(answersOf(reader)).toEqual(before);
  reader.close();
  writer.close();
});

test('[R215] an index whose writer was killed repeatedly and continued from its cursors gives the same answers as an uninterrupted one', {
  timeout: 120_000,
}, async () => {
  const path = join(folder.make(), 'library.db');
  const child = bundle('test/support/index/feed-and-print.fixture.ts');
  let kills = 0;
  for (const steps of [1, 25, 8, 2, 30, 5, Number.POSITIVE_INFINITY]) {
    const feeder = spawn(process.execPath, [child, path, String(steps)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(feeder, 'exit');
    let received = 0;
    for await (const _ of createInterface({ input: feeder.stdout })) if (++received === steps) feeder.kill('SIGKILL');
    if ((await ended)[1] === 'SIGKILL') kills++;
  }
  expect(kills).toBe(6);
  const reader = readerAt(path);
  expect(answersOf(reader)).toEqual(uninterruptedAnswers());
  reader.close();
});

test('events that are already indexed are not indexed again', () => {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  const session = indexedSession('a');
  const events = eventsFrom([prompt('one'), prompt('two'), prompt('three')]);
  writer.put(session, events.slice(0, 2), []);
  writer.put(session, events, []);
  const entries = eventsFrom([{ type: 'session.created', agent: 'demo', cwd: '/w', node: 'n', owner: 'o', options: {} }, prompt('one')]).map(
    (event, index) => ({
      position: index + 1,
      session: idOf('own'),
      event,
    }),
  );
  writer.follow(entries);
  writer.follow(entries);
  const reader = readerAt(path);
  const all = { event: (id: string, seq: number) => (id === 'a' ? events : entries.map(({ event }) => event)).find((event) => event.seq === seq) };
  expect(
    reader
      .search({ q: 'kind:prompt' }, all)
      .hits.map((hit) => `${hit.sessionId}#${hit.seq}`)
      .sort(),
  ).toEqual(['a#1', 'a#2', 'a#3', 'own#2']);
  expect([writer.position(), writer.pastCursor(session.id)]).toEqual([2, 3]);
  reader.close();
  writer.close();
});

test('[R260] a batch is complete once committed, and absent if one of its writes fails', () => {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path, () => {
    throw new Error('the disk cannot read it');
  });
  const reader = readerAt(path);
  const found = () =>
    reader.search({ q: 'kind:prompt' }, { event: (_, seq) => eventsFrom([prompt('one'), prompt('two')]).find((event) => event.seq === seq) }).total;
  writer.beginBatch();
  writer.put(indexedSession('a'), eventsFrom([prompt('one')]), []);
  writer.put(indexedSession('b'), eventsFrom([prompt('two')]), []);
  expect([writer.pastCursor(idOf('a')), found()]).toEqual([1, 0]);
  writer.commit();
  expect(found()).toBe(2);
  writer.beginBatch();
  writer.put(indexedSession('c'), eventsFrom([prompt('three')]), []);
  const unread = { ...prompt('four'), blobs: { text: { sha256: '0'.repeat(64), bytes: 70_000 } } };
  expect(() => writer.put(indexedSession('d'), eventsFrom([unread]), [])).toThrow('the disk cannot read it');
  writer.commit();
  expect([found(), writer.pastCursor(idOf('c')), writer.pastCursor(idOf('a'))]).toEqual([2, 0, 1]);
  writer.put(indexedSession('c'), eventsFrom([prompt('three')]), []);
  expect(found()).toBe(3);
  reader.close();
  writer.close();
});

test('an index of another version is recreated, and an open reader sees the new one', () => {
  const path = join(folder.make(), 'library.db');
  expect(() => readerAt(path).search({ q: 'the' }, pastSessions)).toThrow(IndexNotReady);
  const first = writerAt(path);
  feedSamples(first);
  const reader = readerAt(path);
  const before = answersOf(reader);
  first.close();
  const db = openDatabase(path);
  db.exec('PRAGMA user_version = 7');
  db.close();
  const second = writerAt(path);
  expect(second.position()).toBe(0);
  feedSamples(second);
  expect(answersOf(reader)).toEqual(before);
  reader.close();
  second.close();
});

test('damage found while writing recreates the index, and an error asks the caller to fetch the cursors again', () => {
  const path = fedIndex();
  overwrite(path, Math.floor(statSync(path).size / 2 / PAGE) * PAGE);
  const writer = writerAt(path);
  expect(() => {
    for (let number = 0; number < 12; number++) writer.forget(idOf(`past${number}`));
  }).toThrow(IndexEmptied);
  expect(writer.position()).toBe(0);
  feedSamples(writer);
  const reader = readerAt(path);
  expect(answersOf(reader)).toEqual(uninterruptedAnswers());
  reader.close();
  writer.close();
});

test('[R827] a file that was deleted while it was in use is noticed and made again', () => {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  const reader = readerAt(path);
  feedSamples(writer);
  const before = answersOf(reader);
  writer.checkFile();
  for (const name of [path, `${path}-wal`, `${path}-shm`]) rmSync(name, { force: true });
  expect(() => answersOf(reader)).toThrow(/not ready yet/);
  expect(() => writer.checkFile()).toThrow(IndexEmptied);
  feedSamples(writer);
  expect(answersOf(reader)).toEqual(before);
  reader.close();
  writer.close();
});

test('an index that is too damaged to open is recreated', () => {
  const path = fedIndex();
  overwrite(path, 0);
  const writer = writerAt(path);
  expect([writer.position(), writer.pastCursor(idOf('past0'))]).toEqual([0, 0]);
  writer.close();
});

function fedIndex(): string {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  feedSamples(writer);
  writer.close();
  return path;
}

const PAGE = 8192;

function overwrite(path: string, from: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - from, 0xa5), 0, undefined, from);
  closeSync(file);
}
