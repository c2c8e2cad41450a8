import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundle } from '../../../test/support/bundle.ts';
import { sessionAt } from '../../../test/support/index/session-samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import type { SessionQuery } from '../../protocol/http.ts';
import { AgentId, SessionId } from '../../protocol/ids.ts';
import { openSessionList, removeSessionList } from './open-session-list.ts';
import { BadCursor, type SessionList } from './session-list.ts';

const folder = temporaryFolder();
/** Built once: otherwise each test would compile it again. */
const workerUrl = pathToFileURL(bundle('src/index/list/worker.ts', 'list-worker.js'));
let dataDir: string;
let sessionList: SessionList;
beforeEach(() => {
  dataDir = folder.make();
  sessionList = openSessionList({ dataDir, workerUrl });
});
afterEach(() => sessionList.close());

const idsOf = async (query: SessionQuery) => (await sessionList.list(query, 0)).sessions.map((session) => session.id);
const idOf = (id: string) => SessionId.parse(id);

test('sessions are listed newest first, each as it was last offered', async () => {
  sessionList.offer(sessionAt('a', 1), 1);
  sessionList.offer(sessionAt('b', 2), 2);
  sessionList.offer(sessionAt('a', 3, { title: 'renamed' }), 3);
  const { sessions, nextCursor } = await sessionList.list({}, 3);
  expect(sessions).toEqual([sessionAt('a', 3, { title: 'renamed' }), sessionAt('b', 2)]);
  expect(nextCursor).toBeUndefined();
});

test('[R85] an answer contains everything that was offered before the question', async () => {
  for (let position = 1; position <= 300; position++) {
    sessionList.offer(sessionAt('a', position, { lastSeq: position }), position);
    if (position % 50 === 0) expect((await sessionList.list({}, position)).sessions[0]?.lastSeq).toBe(position);
  }
});

test('pages go through all sessions once, even if one of them changes between two pages', async () => {
  for (let minute = 1; minute <= 7; minute++) sessionList.offer(sessionAt(`s${minute}`, minute), minute);
  sessionList.offer(sessionAt('twin', 4), 8);
  const first = await sessionList.list({ limit: 3 }, 8);
  sessionList.offer(sessionAt('s7', 99), 9);
  const second = await sessionList.list({ limit: 3, cursor: first.nextCursor! }, 9);
  const third = await sessionList.list({ limit: 3, cursor: second.nextCursor! }, 9);
  const seen = [first, second, third].map((page) => page.sessions.map((session) => session.id));
  expect(seen).toEqual([
    ['s7', 's6', 's5'],
    ['twin', 's4', 's3'],
    ['s2', 's1'],
  ]);
  expect(third.nextCursor).toBeUndefined();
});

test('an invalid cursor is refused', async () => {
  await expect(sessionList.list({ cursor: 'nonsense' })).rejects.toThrow(BadCursor);
});

const filtered: readonly (readonly [string, SessionQuery, readonly string[]])[] = [
  ['by status', { status: 'busy' }, ['busy']],
  ['by several statuses', { status: 'busy,waiting' }, ['waiting', 'busy']],
  ['by agent', { agent: 'other' }, ['other']],
  ['by project', { project: 'p2' }, ['elsewhere']],
  ['by tag', { tag: 'urgent' }, ['tagged']],
  ['by words in the title, whatever their case', { q: 'ÄNDERN' }, ['titled']],
  ['by words in the last line', { q: 'tests are green' }, ['lined']],
  ['by words in the queue', { q: 'queued text' }, ['queued']],
  ['by a text that would be a pattern in SQL', { q: '100%_' }, ['percent']],
  ['by words and status together', { q: 'title', status: 'busy' }, ['busy']],
  ['by a tag that no session has', { tag: 'none' }, []],
];

test('filters select the matching sessions', async () => {
  const sessions = [
    sessionAt('busy', 1, { status: 'busy' }),
    sessionAt('waiting', 2, { status: 'waiting' }),
    sessionAt('other', 3, { agent: AgentId.parse('other') }),
    sessionAt('elsewhere', 4, { projectId: 'p2', project: 'elsewhere' }),
    sessionAt('tagged', 5, { tags: ['urgent', 'later'] }),
    sessionAt('titled', 6, { title: 'Etwas ändern' }),
    sessionAt('lined', 7, { lastLine: 'All Tests are green now' }),
    sessionAt('queued', 8, { queue: [{ commandId: 'c', text: 'a queued text', mode: 'queue', state: 'accepted', images: 0 }] }),
    sessionAt('percent', 9, { title: '100%_ done' }),
  ];
  for (const [index, session] of sessions.entries()) sessionList.offer(session, index + 1);
  for (const [name, query, expected] of filtered) expect([name, await idsOf(query)]).toEqual([name, expected]);
});

test('projects are folders with their number of sessions, last used first', async () => {
  sessionList.offer(sessionAt('a', 1), 1);
  sessionList.offer(sessionAt('b', 2, { agent: AgentId.parse('other') }), 2);
  sessionList.offer(sessionAt('c', 3, { projectId: 'p2', project: 'elsewhere', cwd: '/srv/elsewhere' }), 3);
  await sessionList.drain();
  expect(await sessionList.projects()).toEqual([
    { id: 'p2', path: '/srv/elsewhere', title: 'elsewhere', sessions: 1, updatedAt: sessionAt('c', 3).updatedAt, agents: ['demo'] },
    { id: 'p1', path: '/home/me/work', title: 'work', sessions: 2, updatedAt: sessionAt('b', 2).updatedAt, agents: ['demo', 'other'] },
  ]);
  expect(await sessionList.projects('other')).toMatchObject([{ id: 'p1', sessions: 1 }]);
});

test('past sessions are in the same list, and never replace one of ours', async () => {
  sessionList.offer(sessionAt('ours', 1, { title: 'our title' }), 1);
  await sessionList.drain();
  await sessionList.offerPast([sessionAt('past', 2, { control: 'elsewhere' }), sessionAt('ours', 3, { title: 'title in the record' })], []);
  expect((await sessionList.list({})).sessions.map(({ id, title }) => [id, title])).toEqual([
    ['past', 'title of past'],
    ['ours', 'our title'],
  ]);
  expect(await idsOf({ control: 'elsewhere' })).toEqual(['past']);
  expect(await sessionList.cursor()).toBe(1);
  await sessionList.offerPast([], [idOf('past'), idOf('ours')]);
  expect(await idsOf({})).toEqual(['ours']);
});

test('removing our sessions leaves past sessions alone, and vice versa', async () => {
  sessionList.offer(sessionAt('ours', 1), 1);
  await sessionList.drain();
  await sessionList.offerPast([sessionAt('past', 2)], []);
  await sessionList.keepOnly([]);
  expect(await idsOf({})).toEqual(['past']);
  await sessionList.keepOnly([], 'records');
  expect(await idsOf({})).toEqual([]);
});

test('a list shows the health of its sessions, and filters by time, star and archived', async () => {
  const brief = { pressure: 'high', peakTokens: 160_000, compactions: 2, findings: [], line: [1, 2] } as const;
  sessionList.offer(sessionAt('a', 1, { star: true }), 1);
  sessionList.offer(sessionAt('b', 2, { archived: true }), 2);
  await sessionList.drain();
  await sessionList.brief([[idOf('a'), { ...brief, findings: [], line: [1, 2] }]]);
  expect((await sessionList.list({})).sessions.map(({ health }) => health)).toEqual([undefined, brief]);
  expect(await idsOf({ star: true })).toEqual(['a']);
  expect(await idsOf({ archived: false })).toEqual(['a']);
  expect(await idsOf({ since: sessionAt('b', 2).updatedAt })).toEqual(['b']);
  expect(await idsOf({ until: sessionAt('b', 2).updatedAt })).toEqual(['a']);
  expect(await sessionList.counts()).toEqual({ demo: 2 });
});

test('a removed session is gone, including its tags', async () => {
  sessionList.offer(sessionAt('a', 1, { tags: ['t'] }), 1);
  sessionList.offer(sessionAt('b', 2), 2);
  sessionList.remove(idOf('a'), 3);
  expect(await idsOf({})).toEqual(['b']);
  expect(await idsOf({ tag: 't' })).toEqual([]);
});

test('the cursor and the sessions survive a restart, and sessions deleted in the meantime can be removed', async () => {
  sessionList.offer(sessionAt('a', 1), 41);
  sessionList.offer(sessionAt('b', 2), 42);
  await sessionList.close();
  sessionList = openSessionList({ dataDir }); // from source, as `npm run dev` does
  expect(await sessionList.cursor()).toBe(42);
  await sessionList.keepOnly([idOf('b')]);
  expect(await idsOf({})).toEqual(['b']);
  await sessionList.rebuild();
  expect([await sessionList.cursor(), await idsOf({})]).toEqual([0, []]);
});

test('the list of a rebuilt journal is deleted, including its cursor', async () => {
  sessionList.offer(sessionAt('a', 1), 41);
  await sessionList.close();
  removeSessionList(dataDir);
  sessionList = openSessionList({ dataDir, workerUrl });
  expect([await sessionList.cursor(), await idsOf({})]).toEqual([0, []]);
});

test('a damaged list database is recreated, with the cursor at 0', async () => {
  sessionList.offer(sessionAt('a', 1), 1);
  await sessionList.close();
  writeFileSync(join(dataDir, 'views.db'), 'garbage '.repeat(2_000));
  sessionList = openSessionList({ dataDir, workerUrl });
  expect([await sessionList.cursor(), await idsOf({})]).toEqual([0, []]);
  sessionList.offer(sessionAt('a', 1), 1);
  expect(await idsOf({})).toEqual(['a']);
});

test('damage found while in use empties the list, notifies the caller, and continues', async () => {
  await sessionList.close();
  let emptied = 0;
  sessionList = openSessionList({ dataDir, workerUrl, onEmptied: () => emptied++ });
  const lastLine = 'x'.repeat(3_000);
  // More than SQLite keeps in memory, so that it must read from disk again.
  for (let minute = 1; minute <= 2_000; minute++) sessionList.offer(sessionAt(`s${minute}`, minute, { lastLine }), minute);
  await sessionList.drain();
  for (const name of ['views.db', 'views.db-wal']) scribble(join(dataDir, name));
  await expect(sessionList.list({ q: 'nothing like this' })).rejects.toThrow('malformed');
  expect([emptied, await sessionList.cursor(), await idsOf({})]).toEqual([1, 0, []]);
  sessionList.offer(sessionAt('a', 1), 1);
  expect([await idsOf({}), await sessionList.cursor()]).toEqual([['a'], 1]);
});

test('closing twice is the same as closing once, and questions after it are refused', async () => {
  await sessionList.close();
  await sessionList.close();
  await expect(sessionList.list({})).rejects.toThrow('has ended');
});

function scribble(path: string): void {
  const fd = openSync(path, 'r+');
  const { size } = statSync(path);
  if (size > 0) writeSync(fd, Buffer.alloc(size, 0xa5), 0, size, 0);
  closeSync(fd);
}

test('[R359] a session is listed and counted under the tags of its messages', async () => {
  sessionList.offer(sessionAt('m', 1, { tags: ['own'], messageTags: ['own', 'on-a-message'] }), 1);
  expect((await sessionList.list({ tag: 'on-a-message' }, 1)).sessions.map(({ id }) => id)).toEqual(['m']);
  expect(await sessionList.tags()).toEqual([
    { tag: 'on-a-message', sessions: 1 },
    { tag: 'own', sessions: 1 },
  ]);
});
