import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import { RestartingWorker } from './restarting-worker.ts';
import { IndexThreads } from './threads.ts';

/** A thread that answers with everything it was asked since it started, and fails when asked to rebuild or to search. */
const ECHO_THREAD = `
import { parentPort } from 'node:worker_threads';
const asked = [];
parentPort.on('message', ({ id, ...question }) => {
  if (question.ask === 'rebuild' || question.ask === 'search') throw new Error('the disk is full');
  asked.push(question);
  parentPort.postMessage({ id, ok: true, value: asked });
});
`;

function echoThread(): URL {
  const path = join(temporaryFolder('threads'), 'echo.mjs');
  writeFileSync(path, ECHO_THREAD);
  return pathToFileURL(path);
}

function logged() {
  const errors: object[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (facts: object, message: string) => errors.push({ ...facts, message }) };
  return { errors, log };
}

test('a failed worker is restarted, and gets the remembered messages before any waiting question', async () => {
  const { errors, log } = logged();
  let endings = 0;
  const worker = new RestartingWorker<{ ask: string }>({
    url: echoThread(),
    data: {},
    name: 'toy',
    log,
    firstMs: 1,
    onEnded: () => endings++,
    remembered: () => [{ ask: 'base' }],
  });
  onTestFinished(() => worker.close({ ask: 'close' }));
  expect(await worker.ask({ ask: 'one' })).toEqual([{ ask: 'one' }]);
  for (const ending of [1, 2, 3]) {
    const inFlight = worker.ask({ ask: 'rebuild' });
    await expect(inFlight).rejects.toThrow('the disk is full');
    await waitFor('the ending', () => endings === ending);
    expect(await worker.ask({ ask: 'two' })).toEqual([{ ask: 'base' }, { ask: 'two' }]);
  }
  expect(errors).toMatchObject([1, 2, 4].map((againInMs) => ({ reason: 'The toy worker failed: the disk is full', againInMs })));
});

test('closing while an ended worker is being restarted rejects the waiting questions', async () => {
  const worker = new RestartingWorker<{ ask: string }>({ url: echoThread(), data: {}, name: 'toy', log: logged().log });
  await expect(worker.ask({ ask: 'rebuild' })).rejects.toThrow('the disk is full');
  const waiting = expect(worker.ask({ ask: 'one' })).rejects.toThrow('The toy worker has ended');
  await worker.close({ ask: 'close' });
  await waiting;
});

test('a restarted records thread gets the adopted, followed and open-elsewhere conversations again', async () => {
  const agent = 'toy' as AgentId;
  const sessions = ['past-1' as SessionId];
  const { errors, log } = logged();
  const url = echoThread();
  let endings = 0;
  const threads = new IndexThreads({
    dataDir: '',
    env: {},
    runtimes: {},
    urls: { records: url, reader: url },
    onNews: () => undefined,
    onEnded: () => endings++,
    log,
  });
  onTestFinished(() => threads.close());
  threads.notifyRecords({ ask: 'adopted', agent, agentSessionId: 'c', base: 0 });
  threads.notifyRecords({ ask: 'adopted', agent, agentSessionId: 'c', base: 4 });
  await threads.askRecords({ ask: 'follow', sessionId: 'past-1' as SessionId, on: true });
  await threads.askRecords({ ask: 'follow', sessionId: 'past-2' as SessionId, on: true });
  await threads.askRecords({ ask: 'follow', sessionId: 'past-2' as SessionId, on: false });
  threads.notifyBoth({ ask: 'openElsewhere', sessions });
  await expect(threads.askRecords({ ask: 'rebuild' })).rejects.toThrow('the disk is full');
  await expect(threads.askReader({ ask: 'search', query: { q: 'x', limit: 1 }, hidden: [] })).rejects.toThrow('the disk is full');
  expect(await threads.askRecords({ ask: 'readNow', agent, agentSessionId: 'c' })).toMatchObject([
    { ask: 'adopted', agent, agentSessionId: 'c', base: 4 },
    { ask: 'follow', sessionId: 'past-1', on: true },
    { ask: 'openElsewhere', sessions },
    { ask: 'kept' },
    { ask: 'readNow' },
  ]);
  expect(await threads.askReader({ ask: 'branches', sessionId: 'past-1' as SessionId })).toEqual([
    { ask: 'openElsewhere', sessions },
    { ask: 'branches', sessionId: 'past-1' },
  ]);
  // A thread may die before its last answer is sent: that is logged too.
  expect([endings, errors.filter((error) => 'againInMs' in error).length]).toEqual([1, 2]);
});
