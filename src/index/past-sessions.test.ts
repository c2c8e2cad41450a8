import { expect, test } from 'vitest';
import { TOY } from '../../test/support/archive/toy-archive.ts';
import { ToyHouse } from '../../test/support/archive/toy-setup.ts';
import { archivedIdOf } from '../agents/archived-id.ts';
import { PastShelf } from './known-past-sessions.ts';
import { pastPortOver } from './past-sessions.ts';
import { ReadingDesk } from './threads/reader-worker.ts';
import type { LibraryThreads } from './threads/threads.ts';

const S = archivedIdOf(TOY, 's1');
const never = () => {
  throw new Error('nothing of this is asked here');
};

/** The port over a real archive, which answers in this thread. */
function portOver(house: ToyHouse) {
  const desk = new ReadingDesk({ archive: house.reader, library: never as never, journal: { after: never, blob: never }, held: never as never });
  const threads = { read: async (question: Parameters<ReadingDesk['answer']>[0]) => desk.answer(question) };
  return pastPortOver(threads as unknown as LibraryThreads, new PastShelf({ node: 'n', hostname: 'h', platform: 'p' }));
}

test('events are those of one way, forwards or from the end, and of each event it is told on which other way it lies', async () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'left' },
    { id: 'c', parent: 'b', ask: 'left too' },
    { id: 'd', parent: 'a', say: 'taken' },
    { id: 'e', parent: 'd', ask: 'taken too' },
  ]);
  house.read();
  const port = portOver(house);
  const seqs = async (page: Parameters<typeof port.events>[1]) => (await port.events(S, page)).map(({ seq }) => seq);
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map((seq) => port.wayOf(S, seq)))).toEqual([undefined, 1, 1, undefined, undefined, undefined]);
  expect(await seqs({ after: 0, limit: 10 })).toEqual([1, 4, 5]);
  expect(await seqs({ before: 5, limit: 10 })).toEqual([1, 4]);
  expect(await seqs({ before: 4, limit: 10, way: 1 })).toEqual([1, 2, 3]);
  expect(await seqs({ before: 6, limit: 1 })).toEqual([5]);
});
