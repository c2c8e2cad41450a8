import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { addExternalTurn } from '../../test/support/agents/demo-records.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { sessionFolder } from '../agents/demo/program/session-file.ts';
import { openSqliteJournal } from '../journal/sqlite/open-journal.ts';
import { Problems } from '../problems/problems.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { openSessionList } from './list/open-session-list.ts';
import { OpenSessionIndex } from './open-session-index.ts';
import type { IndexNews } from './session-index.ts';

const DEMO = 'demo' as AgentId;
const KILLER = 'past-killer' as SessionId;

/** The real thread, except that it fails when asked to follow a certain session. */
function failingThread(): URL {
  const path = join(temporaryFolder('threads'), 'failing.mjs');
  const real = new URL('./threads/records-thread-from-source.mjs', import.meta.url).href;
  writeFileSync(
    path,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', ({ sessionId, on }) => { if (on && sessionId === '${KILLER}') setImmediate(() => { throw new Error('out of memory'); }); });
     await import('${real}');`,
  );
  return pathToFileURL(path);
}

/** Two threads, one in the other, each compiled from source first. */
const START_MS = 60_000;

test('[R826] when the records thread fails, the failure is reported once, a resume does not wait for it, and a new thread finds what changed in the meantime', {
  timeout: 4 * START_MS,
}, async () => {
  const home = temporaryFolder('home');
  const dataDir = temporaryFolder('data');
  mkdirSync(sessionFolder({ HOME: home }), { recursive: true });
  addExternalTurn(home, 'one', 'zebra', { cwd: '/work' });
  const journal = openSqliteJournal({ dataDir });
  const sessionList = openSessionList({ dataDir });
  const errors: object[] = [];
  const opened = new OpenSessionIndex({
    problems: new Problems({ info: () => undefined, error: (facts) => errors.push(facts) }),
    dataDir,
    env: { HOME: home },
    runtimes: {},
    urls: { records: failingThread(), reader: pathToFileURL(join(import.meta.dirname, 'threads/reader-thread-from-source.mjs')) },
    agents: [],
    machine: { node: 'n', hostname: 'h', platform: 'p' },
    sessionList,
    refill: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: (facts) => errors.push(facts) },
  });
  onTestFinished(async () => {
    await opened.close();
    await sessionList.close();
    journal.close();
  });
  const news: IndexNews[] = [];
  const { sessionIndex } = opened;
  sessionIndex.watch((one) => news.push(one));
  const search = async (q: string) => (await sessionIndex.search({ q, limit: 10 }, { sessions: [], conversations: [] })).hits.length > 0;
  await waitFor('all records to be read', () => sessionIndex.progress().phase === 'ready', START_MS);
  expect([await search('zebra'), await search('giraffe')]).toEqual([true, false]);

  const unfollow = await sessionIndex.follow(KILLER).catch(() => undefined);
  await waitFor('the failure', () => errors.length > 0);
  expect(sessionIndex.progress().phase).toBe('looking');
  // [R826] This thread restarts after a second; one that keeps failing, after up to thirty.
  const found = await opened.past.readNow(DEMO, 'one');
  expect([found?.agentSessionId, sessionIndex.progress().phase]).toEqual(['one', 'looking']);
  unfollow?.();
  addExternalTurn(home, 'two', 'giraffe', { cwd: '/work' });
  await waitFor('all records to be read again', () => sessionIndex.progress().phase === 'ready', START_MS);
  expect([await search('zebra'), await search('giraffe')]).toEqual([true, true]);
  expect(errors).toMatchObject([{ err: { message: 'The records worker failed: out of memory' } }]);
  expect(news.filter(({ kind }) => kind === 'removed')).toEqual([]);
});
