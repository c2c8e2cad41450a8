import { expect, test } from 'vitest';
import { TOY } from '../../test/support/archive/toy-archive.ts';
import { ToySetup } from '../../test/support/archive/toy-setup.ts';
import { archivedIdOf } from '../agents/port/archived-id.ts';
import { KnownPastSessions } from './known-past-sessions.ts';
import { createPastSessionsPort } from './past-sessions.ts';
import { ReaderWorker } from './threads/reader-worker.ts';
import type { IndexThreads } from './threads/threads.ts';

const S = archivedIdOf(TOY, 's1');
const never = () => {
  throw new Error('not called in this test');
};

/** The port over a real archive, which answers in this thread. */
function portOver(setup: ToySetup) {
  const worker = new ReaderWorker({
    archive: setup.reader,
    sessionIndex: never as never,
    journal: { after: never, blob: never },
    openElsewhere: never as never,
  });
  const threads = { askReader: async (question: Parameters<ReaderWorker['answer']>[0]) => worker.answer(question) };
  return createPastSessionsPort(threads as unknown as IndexThreads, new KnownPastSessions({ node: 'n', hostname: 'h', platform: 'p' }));
}

test('events are those of one branch, forward or from the end, and the branch of each event can be looked up', async () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'first branch' },
    { id: 'c', parent: 'b', ask: 'first branch again' },
    { id: 'd', parent: 'a', say: 'second branch' },
    { id: 'e', parent: 'd', ask: 'second branch again' },
  ]);
  setup.read();
  const port = portOver(setup);
  const seqs = async (page: Parameters<typeof port.events>[1]) => (await port.events(S, page)).map(({ seq }) => seq);
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map((seq) => port.branchOf(S, seq)))).toEqual([undefined, 1, 1, undefined, undefined, undefined]);
  expect(await seqs({ after: 0, limit: 10 })).toEqual([1, 4, 5]);
  expect(await seqs({ before: 5, limit: 10 })).toEqual([1, 4]);
  expect(await seqs({ before: 4, limit: 10, branch: 1 })).toEqual([1, 2, 3]);
  expect(await seqs({ before: 6, limit: 1 })).toEqual([5]);
});
