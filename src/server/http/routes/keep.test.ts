import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import { openTranscript } from '../../../domain/transcript/transcript.ts';
import type { EventBody } from '../../../protocol/event.ts';
import type { SessionId, TurnId } from '../../../protocol/ids.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's1' });
});
afterEach(() => server.close());

const S1 = 's1' as SessionId;
const says: EventBody = { type: 'assistant.text', messageId: 'm1', index: 0, text: 'hello' };
const ask = async (path: string) => (await server.fetch(path)).json();
const patch = (path: string, body: unknown, token = server.token.owner) =>
  server.fetch(path, { method: 'PATCH', body: JSON.stringify(body), headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } });
const transcript = () => openTranscript(server.engine.events(S1, { after: 0, limit: 1000 }));
const marksOf = () => [...transcript().items.values()].find((item) => item.kind === 'text')?.marks;

test('a message gets and loses a star, tags and a note independently', async () => {
  const [event] = server.engine.observe(S1, says);
  const path = `/api/sessions/s1/items/${event?.seq}`;
  expect((await patch(path, { star: true, tags: ['idea', 'idea'] })).status).toBe(200);
  expect((await patch(path, { note: 'look at this' })).status).toBe(200);
  expect(marksOf()).toMatchObject({ star: true, note: 'look at this' });
  await patch(path, { star: false, tags: [], note: null });
  expect(marksOf()).toBeUndefined();
  expect(server.engine.events(S1, { after: 0, limit: 1000 }).at(-1)).toMatchObject({ type: 'item.marked', target: event?.seq, actor: { kind: 'person' } });
});

test('only messages can be marked, and only by drivers', async () => {
  const [event] = server.engine.observe(S1, { type: 'notice.shown', level: 'info', text: 'x' }, says);
  expect((await patch(`/api/sessions/s1/items/${event?.seq}`, { star: true })).status).toBe(400);
  expect((await patch('/api/sessions/s1/items/99', { star: true })).status).toBe(404);
  expect((await patch('/api/sessions/s2/items/1', { star: true })).status).toBe(404);
  expect((await patch(`/api/sessions/s1/items/${(event?.seq ?? 0) + 1}`, { star: true }, server.token.viewer)).status).toBe(403);
});

test('a tag is counted over all sessions, once per session', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's2' });
  await patch('/api/sessions/s1', { tags: ['later', 'urgent'] });
  await patch('/api/sessions/s2', { tags: ['urgent'] });
  expect(await ask('/api/tags')).toEqual({
    tags: [
      { tag: 'urgent', sessions: 2 },
      { tag: 'later', sessions: 1 },
    ],
  });
});

test('a person’s own state is merged, limited in size and private to them', async () => {
  expect(await ask('/api/state')).toEqual({});
  expect(await (await patch('/api/state', { drafts: { s1: 'half a' }, recent: ['/tmp'] })).json()).toEqual({ drafts: { s1: 'half a' }, recent: ['/tmp'] });
  expect(await (await patch('/api/state', { drafts: { s1: null } })).json()).toEqual({ drafts: {}, recent: ['/tmp'] });
  expect(await (await patch('/api/state', { refused: 'a word like any other' }, server.token.viewer)).json()).toEqual({ refused: 'a word like any other' });
  expect(await ask('/api/state')).toEqual({ drafts: {}, recent: ['/tmp'] });
  expect((await patch('/api/state', { big: 'x'.repeat(300_000) })).status).toBe(413);
  expect((await patch('/api/state', ['no object'])).status).toBe(400);
});

test('health is read from the journal in pages and continues where it stopped', async () => {
  expect((await server.fetch('/api/sessions/s2/health')).status).toBe(404);
  const turn = (tokens: number): EventBody[] => [
    { type: 'turn.started', turnId: `t${tokens}` as TurnId, cause: 'input' },
    {
      type: 'turn.completed',
      turnId: `t${tokens}` as TurnId,
      stopReason: 'end_turn',
      isError: false,
      interrupted: false,
      denials: 0,
      contextTokens: tokens,
      contextWindow: 200_000,
    },
  ];
  server.engine.observe(S1, ...Array.from({ length: 400 }, (_, n) => turn(n + 1)).flat());
  expect(await ask('/api/sessions/s1/health')).toMatchObject({ pressure: 'none', now: 400, peakTokens: 400, seq: 801 });
  server.engine.observe(S1, ...turn(130_000), { type: 'context.compacted', trigger: 'auto', preTokens: 160_000, postTokens: 9_000 });
  const again = await ask('/api/sessions/s1/health');
  expect(again).toMatchObject({ pressure: 'high', now: 9_000, peakTokens: 160_000, windowTokens: 200_000, windowShare: 0.8, compactionCount: 1, seq: 804 });
  expect(again.timeline.length).toBeLessThanOrEqual(60);
});
