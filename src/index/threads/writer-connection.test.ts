import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { PastBatch, PastSession } from '../../archive/archive.ts';
import type { IndexingNews } from './messages.ts';
import { FilingLine } from './writer-connection.ts';

/** A thread that takes nothing in until it is asked to rebuild or to close, and says then how many sessions lack something. It ends when it is told of a holder. */
const slowLacking = (lacking: number) => `
import { parentPort } from 'node:worker_threads';
const asked = [];
parentPort.on('message', (question) => {
  asked.push(question);
  if (question.ask === 'held') throw new Error('the disk is full');
  if (question.ask === 'rebuild' || question.ask === 'close') for (const { id } of asked.splice(0)) parentPort.postMessage({ id, ok: true, value: ${lacking} });
  if (question.ask === 'retry') parentPort.postMessage({ tell: 'behind', behind: 0 });
});
`;

function slow(lacking = 2) {
  const path = join(temporaryFolder('threads'), 'slow.mjs');
  writeFileSync(path, slowLacking(lacking));
  const told = { taken: 0, failed: 0, news: [] as IndexingNews[] };
  const line = new FilingLine({
    url: pathToFileURL(path),
    data: { dataDir: '', env: {}, runtimes: {} },
    post: (news) => told.news.push(news),
    onTaken: () => told.taken++,
    onFailed: () => told.failed++,
  });
  onTestFinished(() => line.close());
  return { line, told };
}

const batch = { events: [], spent: [] } as unknown as PastBatch;

test('[R261] whoever reads records waits when the library has too much to take in, and goes on when it has taken some', async () => {
  const { line, told } = slow();
  let batches = 0;
  for (; !line.isFull(); batches += 1) line.read(batch);
  expect(batches).toBeGreaterThan(1);
  for (let session = 0; session < 100; session += 1) line.journalMoved();
  expect([line.isFull(), told.taken]).toEqual([true, 0]);
  await line.rebuild();
  await waitFor('whoever waits to be told', () => told.taken > 0);
  expect(line.isFull()).toBe(false);
});

test('something is missing until all was taken in and settled, and the library has caught up with what it lacked', async () => {
  const { line } = slow();
  expect(line.behind()).toBe(0);
  line.read(batch);
  expect(line.behind()).toBe(1);
  line.settle();
  await line.rebuild();
  await waitFor('the batch to be taken in', () => line.behind() === 2);
  line.retry();
  await waitFor('the library to have caught up', () => line.behind() === 1);
  await line.rebuild();
  await waitFor('what was asked last to be taken in', () => line.behind() === 2);
});

test('whoever heard that something is missing is woken when nothing is, also by what was told in one go', async () => {
  const { line, told } = slow(0);
  line.listed({} as PastSession);
  expect([line.behind(), told.taken]).toEqual([1, 0]);
  await line.rebuild();
  await waitFor('whoever waits to be told', () => told.taken > 0);
  expect(line.behind()).toBe(0);
});

test('a library whose thread ended says so, once, and what it was told then is not taken for done', async () => {
  const { line, told } = slow();
  line.held([]);
  await waitFor('the end to be told', () => told.failed === 1);
  line.read(batch);
  await waitFor('the refusal to be told', () => told.news.length > 0);
  expect(told.news[0]).toMatchObject({ tell: 'trouble', what: 'the library could not be told what was read' });
  expect([told.failed, line.behind() > 0]).toEqual([1, true]);
});
