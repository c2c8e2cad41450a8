import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DraftMessage, PrNow } from '../../src/protocol/api/finish.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { type FinishSession, makeRepository, startFinishSession } from '../support/git/finish-session.ts';
import { GH, hostStandIn } from '../support/git/host-stand-in.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const URL = 'https://github.com/ada/one/pull/7';
const hosts = mkdtempSync(join(tmpdir(), 'signalbox-hosts-'));
const host = hostStandIn(hosts, 'gh');
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: host.env });
});
afterAll(async () => {
  await server.close();
  rmSync(hosts, { recursive: true, force: true });
});

/** Its remote has an address on GitHub, which git itself takes from a folder. */
async function pushedSession(name: string): Promise<FinishSession> {
  const folder = makeRepository(server, name, { 'a.txt': 'one\n' });
  const session = await startFinishSession(server, folder);
  session.git('push', '-q', '--set-upstream', 'origin', 'main');
  session.git('config', 'remote.origin.url', 'https://github.com/ada/one.git');
  const { planted } = await session.read();
  expect((await session.post('trust', { sha256: planted?.sha256 })).status).toBe(200);
  return session;
}

const look = async (id: string) => (await api<PrNow>(server, 'GET', `/api/sessions/${id}/git/pr`)).body;
const cards = async (id: string) => (await look(id)).pr?.cards.map((card) => card.id);

test('[R348] a failed check and a comment on a line become one card each, also after a restart, and one message', async () => {
  const session = await pushedSession('one');
  host.reply({ 'pr create': GH.notSignedIn });
  expect(await session.post('pr', { title: 'T', body: 'B', commandId: 'pr0' })).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('gh auth login') } },
  });
  host.reply({ 'pr create': GH.created(URL), 'pr view': GH.view({ statusCheckRollup: [GH.check('test', '')] }), api: { out: [] } });
  expect(await session.post('pr', { title: 'T', body: 'B', commandId: 'pr1' })).toMatchObject({ status: 200, body: { ok: true, url: URL } });
  expect(await look(session.id)).toMatchObject({ pr: { number: 7, state: 'open', checks: [{ name: 'CI / test', state: 'pending' }], cards: [] } });
  const failing = { 'pr view': GH.view({ statusCheckRollup: [GH.check('test', 'FAILURE')] }), api: { out: [GH.lineComment(9, 'eve', 'a.txt', 1, 'Why?')] } };
  host.reply(failing);
  expect(await cards(session.id)).toEqual(['check:CI / test', 'comment:line-9']);
  await server.kill9();
  await server.restart();
  expect(await cards(session.id)).toEqual(['check:CI / test', 'comment:line-9']);
  expect((await session.events()).filter(({ type }) => type === 'pr.updated')).toHaveLength(2);
  const { body: listed } = await api<Session>(server, 'GET', `/api/sessions/${session.id}`);
  expect(listed.pr?.cards[1]).toMatchObject({ kind: 'comment', title: 'eve', path: 'a.txt', line: 1, text: 'Why?' });
  const sends = await Promise.all([1, 2].map((at) => session.post('card', { card: 'comment:line-9', send: true, commandId: `send-${at}` })));
  expect(sends.map(({ status }) => status).sort()).toEqual([200, 404]);
  const sent = (await session.events()).filter((event) => event.type === 'input.accepted');
  expect(sent).toMatchObject([{ text: expect.stringContaining('> Why?'), actor: { kind: 'person' } }]);
  expect((await session.post('card', { card: 'check:CI / test' })).status).toBe(200);
  expect(await cards(session.id)).toEqual([]);
  host.reply({ ...failing, 'pr view': GH.view({ statusCheckRollup: [GH.check('test', '')] }) });
  await look(session.id);
  host.reply(failing);
  expect(await cards(session.id)).toEqual(['check:CI / test']);
  host.reply({ 'pr view': GH.rateLimit });
  expect(await look(session.id)).toMatchObject({ pr: { state: 'open' }, problem: expect.stringContaining('rate limit') });
  host.reply({ 'pr view': GH.view({ state: 'MERGED' }), api: { out: [] } });
  expect(await look(session.id)).toMatchObject({ pr: { state: 'merged', cards: [] } });
});

test('[R346] the agent drafts a commit message in a copy of its conversation, and the answer says who wrote it', async () => {
  const folder = makeRepository(server, 'two', { 'a.txt': 'one\n' });
  const session = await startFinishSession(server, folder);
  expect((await session.post('message')).status).toBe(409);
  session.write('a.txt', 'two\n');
  await session.post('stage', { paths: ['a.txt'] });
  const first = (await session.post<DraftMessage>('message')).body;
  expect(first).toMatchObject({ by: 'paths', text: 'Update a.txt', note: expect.stringContaining('changed files') });
  await api(server, 'POST', `/api/sessions/${session.id}/input`, { text: 'hello' });
  await waitFor('the turn', async () => (await session.events()).some(({ type }) => type === 'turn.completed'));
  const before = (await session.events()).length;
  const drafted = (await session.post<DraftMessage>('message')).body;
  expect(drafted.by, JSON.stringify(drafted)).toBe('agent');
  expect((await session.events()).length).toBe(before);
  await waitFor('the copy to be gone', async () => {
    const { body } = await api<{ sessions: Session[] }>(server, 'GET', '/api/sessions');
    return body.sessions.every(({ id }) => !id.startsWith('commit-message-'));
  });
});
