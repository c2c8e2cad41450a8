import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test/support/server/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

test('one server creates a session, sends it input and streams its events', async () => {
  const made = await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's1', title: 'First' });
  expect(made.status).toBe(201);
  const client = await server.connect();
  client.send({ type: 'hello', v: 1 });
  expect(await client.next('welcome')).toMatchObject({ v: 1 });
  client.send({ type: 'subscribe', sessionId: 's1' });
  expect(await client.next('snapshot')).toMatchObject({ firstSeq: 1, seq: 1, session: { title: 'First' } });
  client.send({ type: 'input', sessionId: 's1', text: 'hello', commandId: 'c1' });
  expect(await client.next('ack')).toMatchObject({ commandId: 'c1', seq: 2 });
  expect(await client.next('event')).toMatchObject({ seq: 2, event: { type: 'input.accepted', text: 'hello', actor: { kind: 'person', id: 'owner' } } });
});

test('closing the server notifies its clients', async () => {
  const client = await server.connect();
  await server.running.close();
  expect((await client.closed()).code).toBe(1001);
});
