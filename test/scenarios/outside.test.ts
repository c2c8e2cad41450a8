import { createServer, type ServerResponse } from 'node:http';
import { Webhook as Reference } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewWebhook, SharedLink, WebhookShown } from '../../src/protocol/api/outside/outside.ts';
import type { Session } from '../../src/protocol/session.ts';
import { allEvents } from '../support/all-events.ts';
import { api } from '../support/client.ts';
import { proofCount } from '../support/proof-length.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';
import { waitFor } from '../support/wait-for.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { SIGNALBOX_MAX_LIVE: '50', DEMO_AGENT_PACE_MS: '0' } });
});
afterAll(() => server.close());

const KILLS = proofCount(2);

test('[R542] while the target fails and the server is killed, every event arrives at least once, under one id, with a valid signature', async () => {
  const random = seeded(7);
  const arrived = new Map<string, string>();
  let verify = (_body: string, _headers: Record<string, string>): void => {};
  const target = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => take(body, request.headers as Record<string, string>, response));
  });
  const take = (body: string, headers: Record<string, string>, response: ServerResponse): void => {
    verify(body, headers);
    const luck = random();
    if (luck < 0.2) return void response.writeHead(500).end();
    if (luck < 0.3) return void response.socket?.destroy();
    const id = headers['webhook-id'] ?? '';
    const { sessionId, seq } = JSON.parse(body);
    arrived.set(`${sessionId} ${seq}`, id);
    response.writeHead(200).end();
  };
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const address = target.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const added = await api<NewWebhook>(server, 'POST', '/api/webhooks', { url, events: ['input.accepted', 'turn.completed'] });
  expect(added.status).toBe(201);
  verify = (body, headers) => void new Reference(added.body.secret).verify(body, headers);
  expect(JSON.stringify((await api(server, 'GET', '/api/webhooks')).body)).not.toContain(added.body.secret);
  const { id } = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'say hello' })).body;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await api(server, 'POST', `/api/sessions/${id}/input`, { text: `say ${kill}` });
    await server.kill9();
    await server.restart();
  }
  const isWanted = ({ type }: { readonly type: string }) => type === 'input.accepted' || type === 'turn.completed';
  await waitFor('every event to arrive', async () => {
    const wanted = (await allEvents(server, id)).filter(isWanted);
    return wanted.length >= 2 * (KILLS + 1) && wanted.every(({ seq }) => arrived.has(`${id} ${seq}`));
  });
  expect(new Set(arrived.values()).size).toBe(arrived.size);
  expect((await api(server, 'DELETE', `/api/webhooks/${added.body.id}`)).status).toBe(200);
  expect((await api<{ webhooks: WebhookShown[] }>(server, 'GET', '/api/webhooks')).body.webhooks).toEqual([]);
  target.close();
});

test('[R544] webhooks and links are for owners only, and an address that is readable on the way is refused', async () => {
  const refused = await api(server, 'POST', '/api/webhooks', { url: 'http://example.com/', events: ['*'] });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('Only https')]);
  const driver = {
    ...server,
    token: (await api<{ token: string }>(server, 'POST', '/api/tokens', { name: 'dora', role: 'driver' })).body.token,
    url: server.url,
  };
  for (const [method, path] of [
    ['GET', '/api/webhooks'],
    ['POST', '/api/webhooks'],
    ['GET', '/api/shares'],
    ['POST', '/api/sessions/s1/share'],
  ] as const)
    expect((await api(driver, method, path)).status).toBe(403);
});

test('[R545] a link shows one session to anybody until it expires or is revoked, and opens nothing else', async () => {
  const { id } = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'say the shared words' })).body;
  await waitFor('its answer', async () => (await allEvents(server, id)).some(({ type }) => type === 'turn.completed'));
  const soon = new Date(Date.now() + 60 * 60_000).toISOString();
  const shared = await api<SharedLink>(server, 'POST', `/api/sessions/${id}/share`, { expiresAt: soon });
  expect(shared.status).toBe(201);
  const open = (path: string, init: RequestInit = {}) => fetch(new URL(path, server.url), init);
  const page = await open(shared.body.url);
  expect([page.status, page.headers.get('content-type'), page.headers.get('content-security-policy')]).toEqual([
    200,
    'text/html; charset=utf-8',
    expect.stringContaining('sandbox'),
  ]);
  expect(page.headers.get('set-cookie')).toBeNull();
  expect(await page.text()).toContain('the shared words');

  const link = shared.body.url.split('/').at(-1) ?? '';
  const { paths } = (await api<{ paths: Record<string, Record<string, { security?: unknown[] }>> }>(server, 'GET', '/openapi.json')).body;
  const closed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      security?.length === 0 ? [] : [[method.toUpperCase(), path.replace(/\{\w+\}/g, id)] as const],
    ),
  );
  expect(closed.length).toBeGreaterThan(100);
  for (const [method, path] of closed) {
    const answer = await open(`${path}?link=${link}`, { method, headers: { referer: new URL(shared.body.url, server.url).href, cookie: `link=${link}` } });
    expect([method, path, answer.status]).toEqual([method, path, 401]);
  }
  // Wrong tokens are counted, so only some routes are tried with the link as a token.
  for (const path of ['/api/sessions', `/api/sessions/${id}`, '/ws'])
    expect((await open(path, { headers: { authorization: `Bearer ${link}` } })).status).toBe(401);
  expect((await open(`/?token=${link}`, { redirect: 'manual' })).headers.get('set-cookie')).toBeNull();
  expect((await open(`${shared.body.url}x`)).status).toBe(404);
  expect((await open(shared.body.url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(404);

  await api(server, 'PATCH', `/api/sessions/${id}`, { closed: true });
  expect((await open(shared.body.url)).status).toBe(404);
  expect((await api(server, 'POST', `/api/sessions/${id}/share`, { expiresAt: soon })).status).toBe(403);
  await api(server, 'PATCH', `/api/sessions/${id}`, { closed: false });
  expect((await open(shared.body.url)).status).toBe(200);
  expect((await api<{ shares: SharedLink[] }>(server, 'GET', '/api/shares')).body.shares).toMatchObject([{ sessionId: id, url: shared.body.url }]);
  expect((await api(server, 'DELETE', `/api/shares/${shared.body.id}`)).status).toBe(200);
  expect((await open(shared.body.url)).status).toBe(404);
  expect((await api(server, 'POST', `/api/sessions/${id}/share`, { expiresAt: '2020-01-01T00:00:00.000Z' })).status).toBe(422);
  const short = await api<SharedLink>(server, 'POST', `/api/sessions/${id}/share`, { expiresAt: new Date(Date.now() + 1500).toISOString() });
  await waitFor('the link to expire', async () => (await open(short.body.url)).status === 404);
});

test('[R539] the statuses of polling: 204, 404, 409, 422', async () => {
  const { id } = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'say hello' })).body;
  const poll = async (path: string) => (await api(server, 'GET', path)).status;
  expect(await poll(`/api/sessions/${id}/input`)).toBe(409);
  await waitFor('its answer', async () => (await allEvents(server, id)).some(({ type }) => type === 'turn.completed'));
  await api(server, 'POST', `/api/sessions/${id}/stop`);
  await waitFor('204', async () => (await poll(`/api/sessions/${id}/input?timeout=0`)) === 204);
  expect(await poll('/api/sessions/nobody/input')).toBe(404);
  for (const wrong of ['-1', '60001', 'soon', '1.5']) expect(await poll(`/api/sessions/${id}/input?timeout=${wrong}`)).toBe(422);
  expect(await poll(`/api/sessions/${id}/input?ack=${'x'.repeat(201)}`)).toBe(400);
  const tokens = await Promise.all(
    ['owner-1', 'owner-2'].map(async (name) => (await api<{ token: string }>(server, 'POST', '/api/tokens', { name, role: 'driver' })).body.token),
  );
  const [mine, other] = tokens.map((token) => ({ url: server.url, token }));
  if (mine === undefined || other === undefined) throw new Error('no tokens');
  const secret = (await api<Session>(mine, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project })).body;
  await api(mine, 'PATCH', `/api/sessions/${secret.id}`, { closed: true });
  expect((await api(other, 'GET', `/api/sessions/${secret.id}/input`)).status).toBe(404);
});
