import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { bundle } from '../../../test/support/bundle.ts';
import { eventsFrom, idOf, librarySession, prompt, readerAt, writerAt } from '../../../test/support/index/index-samples.ts';
import { feedStory, STORY_QUERIES, storyShelf } from '../../../test/support/index/index-story.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { openDatabase } from '../../journal/sqlite/sqlite-driver.ts';
import type { LibraryReader } from './index-store.ts';
import { LibraryEmptied } from './open-index.ts';
import { LibraryNotReady } from './open-index-reader.ts';

const folder = temporaryFolder();
const shelf = storyShelf();
const answersOf = (reader: LibraryReader) => STORY_QUERIES.map((q) => ({ q, found: reader.search({ q, limit: 200 }, shelf) }));

/** What a library answers that was fed without a break. */
function answersWithoutBreak() {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  feedStory(writer);
  const reader = readerAt(path);
  const answers = answersOf(reader);
  reader.close();
  writer.close();
  return answers;
}

test('[R216] a library that is emptied and fed again answers the same', () => {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  const reader = readerAt(path);
  feedStory(writer);
  const before = answersOf(reader);
  expect(before.map(({ found }) => found.total > 0)).toEqual(before.map(() => true));
  writer.clear();
  expect([writer.position(), writer.pastCursor(idOf('past0')), answersOf(reader).every(({ found }) => found.total === 0)]).toEqual([0, 0, true]);
  feedStory(writer);
  expect(answersOf(reader)).toEqual(before);
  while (writer.tidy());
  expect(answersOf(reader)).toEqual(before);
  reader.close();
  writer.close();
});

test('[R215] a library whose writer was killed again and again, and fed from its cursors, answers as one that was not', { timeout: 120_000 }, async () => {
  const path = join(folder.make(), 'library.db');
  const child = bundle('test/support/index/feed-and-print.fixture.ts');
  let kills = 0;
  for (const steps of [1, 25, 8, 2, 30, 5, Number.POSITIVE_INFINITY]) {
    const feeder = spawn(process.execPath, [child, path, String(steps)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(feeder, 'exit');
    let heard = 0;
    for await (const _ of createInterface({ input: feeder.stdout })) if (++heard === steps) feeder.kill('SIGKILL');
    if ((await ended)[1] === 'SIGKILL') kills++;
  }
  expect(kills).toBe(6);
  const reader = readerAt(path);
  expect(answersOf(reader)).toEqual(answersWithoutBreak());
  reader.close();
});

test('events that were told before are not told again', () => {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  const session = librarySession('a');
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

test('[R260] what is written together is there as a whole when it is settled, and not at all when some of it fails', () => {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path, () => {
    throw new Error('the disk cannot read it');
  });
  const reader = readerAt(path);
  const found = () =>
    reader.search({ q: 'kind:prompt' }, { event: (_, seq) => eventsFrom([prompt('one'), prompt('two')]).find((event) => event.seq === seq) }).total;
  writer.together();
  writer.put(librarySession('a'), eventsFrom([prompt('one')]), []);
  writer.put(librarySession('b'), eventsFrom([prompt('two')]), []);
  expect([writer.pastCursor(idOf('a')), found()]).toEqual([1, 0]);
  writer.settle();
  expect(found()).toBe(2);
  writer.together();
  writer.put(librarySession('c'), eventsFrom([prompt('three')]), []);
  const unread = { ...prompt('four'), blobs: { text: { sha256: '0'.repeat(64), bytes: 70_000 } } };
  expect(() => writer.put(librarySession('d'), eventsFrom([unread]), [])).toThrow('the disk cannot read it');
  writer.settle();
  expect([found(), writer.pastCursor(idOf('c')), writer.pastCursor(idOf('a'))]).toEqual([2, 0, 1]);
  writer.put(librarySession('c'), eventsFrom([prompt('three')]), []);
  expect(found()).toBe(3);
  reader.close();
  writer.close();
});

test('a library of another version is begun anew, and a reader that was open sees the new one', () => {
  const path = join(folder.make(), 'library.db');
  expect(() => readerAt(path).search({ q: 'the' }, shelf)).toThrow(LibraryNotReady);
  const first = writerAt(path);
  feedStory(first);
  const reader = readerAt(path);
  const before = answersOf(reader);
  first.close();
  const db = openDatabase(path);
  db.exec('PRAGMA user_version = 7');
  db.close();
  const second = writerAt(path);
  expect(second.position()).toBe(0);
  feedStory(second);
  expect(answersOf(reader)).toEqual(before);
  reader.close();
  second.close();
});

test('damage that is met in mid-work begins the library anew, and the feeder is told to ask for the cursors again', () => {
  const path = fedLibrary();
  overwrite(path, Math.floor(statSync(path).size / 2 / PAGE) * PAGE);
  const writer = writerAt(path);
  expect(() => {
    for (let number = 0; number < 12; number++) writer.forget(idOf(`past${number}`));
  }).toThrow(LibraryEmptied);
  expect(writer.position()).toBe(0);
  feedStory(writer);
  const reader = readerAt(path);
  expect(answersOf(reader)).toEqual(answersWithoutBreak());
  reader.close();
  writer.close();
});

test('a library that cannot be opened for damage is begun anew', () => {
  const path = fedLibrary();
  overwrite(path, 0);
  const writer = writerAt(path);
  expect([writer.position(), writer.pastCursor(idOf('past0'))]).toEqual([0, 0]);
  writer.close();
});

function fedLibrary(): string {
  const path = join(folder.make(), 'library.db');
  const writer = writerAt(path);
  feedStory(writer);
  writer.close();
  return path;
}

const PAGE = 8192;

function overwrite(path: string, from: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - from, 0xa5), 0, undefined, from);
  closeSync(file);
}
