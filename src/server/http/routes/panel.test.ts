import { afterEach, beforeEach, expect, test } from 'vitest';
import { asked, began, called, completed, resolved, returned, status } from '../../../../test/support/domain/panel-samples.ts';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import { foldMove } from '../../../domain/panel/fold.ts';
import { type Move, PanelAnswer, type Track } from '../../../protocol/api/panel.ts';
import type { SessionId } from '../../../protocol/ids.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const id = (name: string) => name as SessionId;
const create = (name: string, token = server.token.owner) =>
  server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: name }, { authorization: `Bearer ${token}` });
const panel = async (token = server.token.owner, query = ''): Promise<PanelAnswer> =>
  PanelAnswer.parse(await (await server.fetch(`/api/panel${query}`, { headers: { authorization: `Bearer ${token}` } })).json());
const trackIn = ({ tracks }: PanelAnswer, name: string): Track | undefined => tracks.find(({ sessionId }) => sessionId === name)?.track;

async function watchAs(token: string) {
  const client = await server.connect(token);
  client.send({ type: 'hello', v: 1 });
  client.send({ type: 'subscribe', sessionId: '*' });
  await client.next('sessions');
  const moves = (name: string): readonly Move[] => client.frames.flatMap((frame) => (frame.type === 'activity' && frame.sessionId === name ? frame.moves : []));
  const moved = (name: string, seq: number) =>
    client.until((frame) => frame.type === 'activity' && frame.sessionId === name && (frame.moves.at(-1)?.seq ?? 0) >= seq);
  return { client, moves, moved };
}

test('[R245] the panel’s first answer and later updates form one track, whenever it asks', async () => {
  const watcher = await watchAs(server.token.viewer);
  await create('s1');
  server.engine.observe(id('s1'), began(), status('busy'), called('a'));
  const early = trackIn(await panel(), 's1');
  server.engine.observe(id('s1'), returned('a'), asked('q'), status('waiting'));
  server.engine.observe(id('s1'), resolved('q'), completed(), status('idle'));
  const { seq } = server.engine.observe(id('s1'), began())[0] ?? expect.fail();
  await watcher.moved('s1', seq);
  const whole = trackIn(await panel(), 's1');
  expect(watcher.moves('s1').reduce<Track | undefined>(foldMove, early)).toEqual(whole);
  expect(watcher.moves('s1').reduce<Track | undefined>(foldMove, undefined)).toEqual(whole);
  expect(whole).toMatchObject({ turns: [{ calls: 1, how: 'done' }, { calls: 0 }], waits: [{ how: 'allowed' }] });
});

test('[R246] a private session never appears on somebody else’s panel', async () => {
  const [mine, theirs] = [await watchAs(server.token.owner), await watchAs(server.token.viewer)];
  await create('open');
  await create('shut');
  await server.fetch('/api/sessions/shut', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ closed: true }) });
  const before = theirs.moves('shut').length;
  const { seq } = server.engine.observe(id('shut'), began())[0] ?? expect.fail();
  const last = server.engine.observe(id('open'), began())[0] ?? expect.fail();
  await mine.moved('shut', seq);
  await theirs.moved('open', last.seq);
  expect(theirs.moves('shut')).toHaveLength(before);
  expect((await panel(server.token.viewer)).tracks.map(({ sessionId }) => sessionId)).toEqual(['open']);
  expect((await panel()).tracks.map(({ sessionId }) => sessionId).sort()).toEqual(['open', 'shut']);
});

test('a very long session shows its latest part with the running turn, and an invalid time is refused', async () => {
  await create('s1');
  server.engine.observe(id('s1'), began());
  for (let index = 0; index < 2000; index++) server.engine.observe(id('s1'), called(`c${index}`), returned(`c${index}`));
  const track = trackIn(await panel(), 's1');
  expect(track?.turns).toMatchObject([{ calls: expect.any(Number) }]);
  expect(track?.turns[0]?.to).toBeUndefined();
  expect(track?.calls.at(-1)).toMatchObject({ id: 'c1999', to: expect.any(Number) });
  expect((await server.fetch('/api/panel?since=soon')).status).toBe(400);
});

test('a session that has been idle since before the requested time is left out', async () => {
  await create('s1');
  server.engine.observe(id('s1'), status('sleeping'));
  const session = server.engine.session(id('s1')) ?? expect.fail();
  Object.assign(session, { control: 'none' });
  expect((await panel()).tracks).toHaveLength(1);
  expect((await panel(undefined, `?since=${new Date(Date.now() + 60_000).toISOString()}`)).tracks).toEqual([]);
});
