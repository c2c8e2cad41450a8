import { afterEach, expect, test } from 'vitest';
import { connect } from '../../../test/support/server/test-client.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { ServerSettings } from '../shared/settings.ts';

let server: TestServer;
afterEach(() => server.close());

const open = async (settings: Partial<ServerSettings> = {}) => {
  server = await startTestServer(settings);
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
};
const lastActor = () => server.engine.actors.at(-1);
const FORGED = { kind: 'system', id: 'owner', name: 'owner', from: 'page 10.0.0.1' };

test('[R162] a request can’t choose its name or address: the token and the connection decide', async () => {
  await open();
  const forged = { 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1', forwarded: 'for=10.0.0.1', 'x-signalbox-door': 'page' };
  const headers = { authorization: `Bearer ${server.token.driver}`, ...forged };
  const body = { text: 'x', actor: FORGED, from: 'page 10.0.0.1', owner: 'owner' };
  expect((await server.post('/api/sessions/s1/input', body, headers)).status).toBe(400);
  expect((await server.post('/api/sessions/s1/input?actor=owner&from=page', { text: 'x' }, headers)).status).toBe(400);
  await server.post('/api/sessions/s1/input', { text: 'x' }, headers);
  expect(lastActor()).toEqual({ kind: 'person', id: expect.stringMatching(/^dora:/), name: 'dora', from: 'http 127.0.0.1' });
  expect((await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's2', ownerId: 'owner' }, headers)).status).toBe(400);
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's2' }, headers);
  expect(server.engine.session('s2' as never)).toMatchObject({ owner: 'dora', ownerId: lastActor()?.id });
});

test('neither can a socket', async () => {
  await open();
  const headers = { authorization: `Bearer ${server.token.driver}`, 'x-forwarded-for': '10.0.0.1' };
  const client = await connect(`ws://127.0.0.1:${server.running.port}/ws`, { headers });
  client.send({ type: 'input', sessionId: 's1', commandId: 'c0', text: 'x', actor: FORGED });
  expect(await client.next('refused')).toMatchObject({ commandId: 'c0', message: expect.stringContaining('Unknown field "actor"') });
  client.send({ type: 'input', sessionId: 's1', commandId: 'c1', text: 'x' });
  await client.next('ack');
  client.cut();
  expect(lastActor()).toEqual({ kind: 'person', id: expect.stringMatching(/^dora:/), name: 'dora', from: 'socket 127.0.0.1' });
});

test('the page, our own command line and other programs are distinguished', async () => {
  await open();
  const page = await server.signIn(server.token.driver);
  const send = async (by: Record<string, string>) => {
    await fetch(`http://127.0.0.1:${server.running.port}/api/sessions/s1/input`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...by },
      body: JSON.stringify({ text: 'x' }),
    });
    return lastActor()?.from;
  };
  const bearer = { authorization: `Bearer ${server.token.driver}` };
  expect(await send(page)).toBe('page 127.0.0.1');
  expect(await send({ ...page, 'x-signalbox-door': 'terminal' })).toBe('page 127.0.0.1');
  expect(await send(bearer)).toBe('http 127.0.0.1');
  expect(await send({ ...bearer, 'x-signalbox-door': 'terminal' })).toBe('terminal 127.0.0.1');
});

test('behind a configured proxy, the address is the one the proxy saw', async () => {
  await open({ publicUrl: 'https://box.example' });
  await server.post('/api/sessions/s1/input', { text: 'x' }, { 'x-forwarded-for': '10.0.0.1, 192.0.2.7' });
  expect(lastActor()?.from).toBe('http 192.0.2.7');
});
