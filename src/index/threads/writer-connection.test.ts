import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { PastBatch, PastSession } from '../../archive/archive.ts';
import type { RecordsNews } from './messages.ts';
import { WriterConnection } from './writer-connection.ts';

/** A thread that answers nothing until it is asked to rebuild or to close, and then reports how many sessions are behind. It fails when it is sent `openElsewhere`. */
const slowThread = (behind: number) => `
import { parentPort } from 'node:worker_threads';
const asked = [];
parentPort.on('message', (question) => {
  asked.push(question);
  if (question.ask === 'openElsewhere') throw new Error('the disk is full');
  if (question.ask === 'rebuild' || question.ask === 'close') for (const { id } of asked.splice(0)) parentPort.postMessage({ id, ok: true, value: ${behind} });
  if (question.ask === 'retry') parentPort.postMessage({ kind: 'behind', behind: 0 });
});
`;

function slowWriter(behind = 2) {
  const path = join(temporaryFolder('threads'), 'slow.mjs');
  writeFileSync(path, slowThread(behind));
  const observed = { taken: 0, failed: 0, news: [] as RecordsNews[] };
  const connection = new WriterConnection({
    url: pathToFileURL(path),
    data: { dataDir: '', env: {}, runtimes: {} },
    post: (news) => observed.news.push(news),
    onTaken: () => observed.taken++,
    onFailed: () => observed.failed++,
  });
  onTestFinished(() => connection.close());
  return { connection, observed };
}

const batch = { events: [], spent: [] } as unknown as PastBatch;

test('[R261] reading records pauses when too much waits to be indexed, and continues when there is room', async () => {
  const { connection, observed } = slowWriter();
  let batches = 0;
  for (; !connection.isFull(); batches += 1) connection.read(batch);
  expect(batches).toBeGreaterThan(1);
  for (let session = 0; session < 100; session += 1) connection.journalMoved();
  expect([connection.isFull(), observed.taken]).toEqual([true, 0]);
  await connection.rebuild();
  await waitFor('the caller to be woken', () => observed.taken > 0);
  expect(connection.isFull()).toBe(false);
});

test('the index is behind until everything is indexed and committed, and missing sessions are caught up', async () => {
  const { connection } = slowWriter();
  expect(connection.behind()).toBe(0);
  connection.read(batch);
  expect(connection.behind()).toBe(1);
  connection.commit();
  await connection.rebuild();
  await waitFor('the batch to be indexed', () => connection.behind() === 2);
  connection.retry();
  await waitFor('the index to catch up', () => connection.behind() === 1);
  await connection.rebuild();
  await waitFor('the last message to be processed', () => connection.behind() === 2);
});

test('the caller is woken when the index is no longer behind, even after one batch', async () => {
  const { connection, observed } = slowWriter(0);
  connection.listed({} as PastSession);
  expect([connection.behind(), observed.taken]).toEqual([1, 0]);
  await connection.rebuild();
  await waitFor('the caller to be woken', () => observed.taken > 0);
  expect(connection.behind()).toBe(0);
});

test("a writer thread that ended is reported once, and unanswered messages don't count as done", async () => {
  const { connection, observed } = slowWriter();
  connection.openElsewhere([]);
  await waitFor('the end to be reported', () => observed.failed === 1);
  connection.read(batch);
  await waitFor('the refusal to be reported', () => observed.news.length > 0);
  expect(observed.news[0]).toMatchObject({ kind: 'problem', what: 'the writer thread did not take what was read' });
  expect([observed.failed, connection.behind() > 0]).toEqual([1, true]);
});
