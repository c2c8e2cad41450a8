import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PageHeaders, startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { SessionId } from '../../protocol/ids.ts';

let server: TestServer;
let page: PageHeaders;
let now = 1_000_000;
beforeEach(async () => {
  now = 1_000_000;
  server = await startTestServer({}, { now: () => now });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1', title: 'Keys' });
  page = await server.signIn();
});
afterEach(() => server.close());

const EXPORT = '/api/sessions/s1/export?format=json';
const send = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: unknown) =>
  fetch(`http://127.0.0.1:${server.running.port}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const linkTo = async (path: string, by: Record<string, string> = page): Promise<string> => {
  const response = await send('/api/links', by, 'POST', { path });
  expect(response.status).toBe(201);
  return (await response.json()).url;
};

test('[R294] a signed link opens its address without a header, for one minute', async () => {
  const url = await linkTo(EXPORT);
  for (const headers of [{}, { cookie: page.cookie }]) {
    const response = await send(url, headers);
    expect([response.status, response.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('attachment')]);
    expect(await response.text()).toContain('Keys');
  }
  now += 59_999;
  expect((await send(url)).status).toBe(200);
  now += 1;
  const late = await send(url, { cookie: page.cookie });
  expect([late.status, await late.json()]).toEqual([401, { error: { code: 'link-expired', message: expect.stringContaining('again') } }]);
});

const changed: readonly (readonly [name: string, change: (url: string) => string])[] = [
  ['another format', (url) => url.replace('format=json', 'format=html')],
  ['another session', (url) => url.replace('s1', 's2')],
  ['another route', (url) => url.replace('/sessions/s1/export?format=json', '/tokens?format=json')],
  ['one more parameter', (url) => url.replace('?', '?limit=1&')],
  ['a parameter after the signature', (url) => `${url}&limit=1`],
  ['no query', (url) => url.replace('?format=json&', '?')],
  ['an escaped path', (url) => url.replace('/s1/', '/%731/')],
  ['a later end', (url) => url.replace(/\.(\d+)\./, (_all, time) => `.${Number(time) + 1}.`)],
  ['somebody else’s name', (url) => url.replace(/signed=[^.]+/, `signed=${Buffer.from('vera').toString('base64url')}`)],
  ['no sign-in', (url) => url.replace(/(signed=[^.]+)\.[^.]+/, '$1.')],
  ['a cut signature', (url) => url.slice(0, -1)],
  ['no signature', (url) => url.replace(/[^.]+$/, '')],
];
for (const [name, change] of changed) {
  test(`[R294] a signed link with ${name} opens nothing`, async () => {
    expect((await send(change(await linkTo(EXPORT)))).status).toBe(401);
  });
}

for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
  test(`[R294] a signed link works for GET, not for ${method}`, async () => {
    const url = await linkTo('/api/sessions/s1');
    expect((await send(url)).status).toBe(200);
    expect([401, 404]).toContain((await send(url, {}, method)).status);
    expect((await server.fetch('/api/sessions/s1')).status).toBe(200);
  });
}

test('[R294] a signed link opens no socket', async () => {
  const url = await linkTo('/api/sessions/s1');
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
  const status = await new Promise((resolve, reject) => {
    const sent = request({ port: server.running.port, host: '127.0.0.1', path: url.replace('/api/sessions/s1', '/ws'), headers: upgrade }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('upgrade', () => resolve(101)).on('error', reject);
    sent.end();
  });
  expect(status).toBe(401);
});

test('[R294] a signed link ends with its sign-in and with its token', async () => {
  const url = await linkTo(EXPORT);
  await send('/sign-out', page, 'POST');
  expect((await send(url)).status).toBe(401);
  const bearer = { authorization: `Bearer ${server.token.viewer}` };
  const [ofPage, ofProgram] = [await linkTo(EXPORT, await server.signIn(server.token.viewer)), await linkTo(EXPORT, bearer)];
  expect([(await send(ofPage)).status, (await send(ofProgram)).status]).toEqual([200, 200]);
  server.tokens.revoke('vera');
  expect([(await send(ofPage)).status, (await send(ofProgram)).status]).toEqual([401, 401]);
});

test('[R294] a signed link shows only what its creator may see: no private session, and nothing above their role', async () => {
  const viewer = await server.signIn(server.token.viewer);
  const [url, audit, tokens] = [await linkTo(EXPORT, viewer), await linkTo('/api/audit?format=csv', viewer), await linkTo('/api/tokens', viewer)];
  expect((await send(url)).status).toBe(200);
  server.engine.observe('s1' as SessionId, { type: 'meta.changed', closed: true });
  expect((await send(url)).status).toBe(404);
  expect([(await send(audit)).status, (await send(tokens)).status]).toEqual([403, 403]);
  expect((await send(await linkTo(EXPORT))).status).toBe(200);
});

for (const path of [
  '/',
  '/s/s1',
  'https://evil.example.org/api/x',
  '//evil.example.org/api/x',
  '/api/../s/s1',
  '/ws',
  '/metrics',
  '/sign-in',
  'javascript:alert(1)',
]) {
  test(`no link is signed for ${path}`, async () => {
    expect((await send('/api/links', page, 'POST', { path })).status).toBe(400);
  });
}

test('under a base path a link is signed for the address that the browser sees', async () => {
  const below = await startTestServer({ basePath: '/box' });
  await below.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
  for (const path of ['api/sessions/s1', '/api/sessions/s1', '/box/api/sessions/s1']) {
    const { url } = await (await below.post('/api/links', { path })).json();
    expect(url).toMatch(/^\/box\/api\/sessions\/s1\?signed=/);
    expect((await fetch(`http://127.0.0.1:${below.running.port}${url}`)).status).toBe(200);
  }
  await below.close();
});
