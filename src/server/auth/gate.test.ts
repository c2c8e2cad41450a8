import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, UpgradeRefused } from '../../../test/support/server/test-client.ts';
import { type PageHeaders, startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { Role } from '../../protocol/actor.ts';
import { ROUTES } from '../http/routes/index.ts';
import { addNamedToken, revokeNamedToken } from './named-tokens.ts';
import { mayActAs } from './roles.ts';

let server: TestServer;
let pages: { readonly viewer: PageHeaders; readonly owner: PageHeaders };
/** Only so many wrong tokens are answered in a minute: with every route there are more, so the clock runs faster here. */
let minutes = 0;
beforeAll(async () => {
  server = await startTestServer({}, { heartbeatMs: 50, now: () => Date.now() + minutes * 60_000 });
  pages = { viewer: await server.signIn(server.token.viewer), owner: await server.signIn() };
});
afterAll(() => server.close());

/** Whatever the route then answers, the gate let the request pass if the status is neither 401 nor 403. */
const passed = (status: number): boolean => status !== 401 && status !== 403;

const credentials: readonly (readonly [name: string, role: Role | undefined, headers: () => Record<string, string>])[] = [
  ['nothing', undefined, () => ({})],
  ['a wrong token', undefined, () => ({ authorization: 'Bearer wrong' })],
  ['a made-up cookie', undefined, () => ({ cookie: `signalbox_${server.running.port}=b3duZXI.9999999999.AAAA` })],
  ['a viewer’s token', 'viewer', () => ({ authorization: `Bearer ${server.token.viewer}` })],
  ['a driver’s token', 'driver', () => ({ authorization: `Bearer ${server.token.driver}` })],
  ['the owner’s token', 'owner', () => ({ authorization: `Bearer ${server.token.owner}` })],
  ['a viewer’s cookie and key', 'viewer', () => pages.viewer],
  ['the owner’s cookie and key', 'owner', () => pages.owner],
  ['the owner’s cookie alone', undefined, () => ({ cookie: pages.owner.cookie })],
  ['the owner’s key alone', undefined, () => ({ 'x-signalbox-key': pages.owner['x-signalbox-key'] })],
  ['the owner’s cookie and a viewer’s key', undefined, () => ({ ...pages.viewer, cookie: pages.owner.cookie })],
  ['a viewer’s cookie and the owner’s key', undefined, () => ({ ...pages.owner, cookie: pages.viewer.cookie })],
];

for (const [at, route] of ROUTES.entries()) {
  for (const [name, role, headers] of credentials) {
    const expected = route.role === 'public' || (role !== undefined && mayActAs(role, route.role)) ? 'passes' : role === undefined ? 401 : 403;
    test(`[R110] ${route.method} ${route.path} with ${name}: ${expected}`, async () => {
      minutes = Math.floor(at / 20);
      const path = route.path.replace(':id', 'nobody').replace(':sha256', '0'.repeat(64)).replace(':requestId', 'none');
      const response = await fetch(`http://127.0.0.1:${server.running.port}${path}`, { method: route.method, headers: headers() });
      if (expected === 'passes') expect(passed(response.status)).toBe(true);
      else expect(response.status).toBe(expected);
      // Past the gate, /mcp answers in the words of its own protocol.
      const code = path === '/mcp' && expected === 'passes' ? expect.any(Number) : expect.any(String);
      if (response.status >= 400) expect(await response.json()).toMatchObject({ error: { code, message: expect.any(String) } });
    });
  }
}

const upgrades: readonly (readonly [name: string, options: () => { readonly query?: string; readonly headers?: Record<string, string> }, status: number])[] = [
  ['nothing', () => ({}), 401],
  ['a wrong token', () => ({ query: '?token=wrong' }), 401],
  ['a token in its address', () => ({ query: `?token=${server.token.viewer}` }), 101],
  ['a Bearer header', () => ({ headers: { authorization: `Bearer ${server.token.viewer}` } }), 101],
  ['a cookie from our own page', () => ({ headers: { cookie: pages.viewer.cookie, origin: `http://127.0.0.1:${server.running.port}` } }), 101],
  ['a cookie that names no sign-in', () => ({ headers: { cookie: `signalbox_${server.running.port}=none` } }), 401],
  ['a cookie and a wrong token', () => ({ query: '?token=wrong', headers: { cookie: pages.viewer.cookie } }), 401],
  ['a cookie from another site', () => ({ headers: { cookie: pages.viewer.cookie, origin: 'https://evil.example.org' } }), 403],
  ['a cookie from another port of this host', () => ({ headers: { cookie: pages.viewer.cookie, origin: 'http://127.0.0.1:1' } }), 403],
  ['a foreign host name', () => ({ headers: { authorization: `Bearer ${server.token.viewer}`, host: 'evil.example.org' } }), 403],
];
for (const [name, options, expected] of upgrades) {
  test(`a socket opened with ${name} gets ${expected}`, async () => {
    const { query = '', headers = {} } = options();
    const opened = connect(`ws://127.0.0.1:${server.running.port}/ws${query}`, { headers });
    const status = await opened.then(
      (client) => {
        client.cut();
        return 101;
      },
      (error: unknown) => (error instanceof UpgradeRefused ? error.status : error),
    );
    expect(status).toBe(expected);
  });
}

const rest: readonly (readonly [method: string, path: string, status: number])[] = [
  ['GET', '/', 503],
  ['GET', '/s/abc', 503],
  ['GET', '/settings/people', 503],
  ['GET', '/sign-in', 200],
  ['GET', '/healthz', 200],
  ['POST', '/sign-out', 401],
  ['GET', '/api/nothing', 401],
  ['HEAD', '/api/sessions', 401],
  ['GET', '/api/sessions?signed=owner', 401],
  ['OPTIONS', '/api/sessions', 401],
];
for (const [method, path, status] of rest) {
  test(`[R290] ${method} ${path} with the cookie alone gets ${status}`, async () => {
    const response = await fetch(`http://127.0.0.1:${server.running.port}${path}`, { method, headers: { cookie: pages.owner.cookie } });
    expect(response.status).toBe(status);
  });
}

const openWithCookie = (to = server, { cookie } = pages.owner) => connect(`ws://127.0.0.1:${to.running.port}/ws`, { headers: { cookie } });

const greetings: readonly (readonly [name: string, frame: () => unknown])[] = [
  ['a hello without a key', () => ({ type: 'hello', v: 1 })],
  ['a hello with a wrong key', () => ({ type: 'hello', v: 1, key: 'wrong' })],
  ['a hello with the key of another sign-in', () => ({ type: 'hello', v: 1, key: pages.viewer['x-signalbox-key'] })],
  ['a subscription', () => ({ type: 'subscribe', sessionId: '*' })],
  ['a command', () => ({ type: 'input', sessionId: 's1', commandId: 'c1', text: 'x' })],
  ['no JSON', () => '{{'],
];
for (const [name, frame] of greetings) {
  test(`[R293] a socket with the cookie that starts with ${name} is closed and receives nothing`, async () => {
    const client = await openWithCookie();
    client.send(frame());
    client.send({ type: 'subscribe', sessionId: '*' });
    expect((await client.closed()).code).toBe(4401);
    expect(client.frames).toEqual([]);
  });
}

test('[R293] a socket with the cookie that sends nothing is closed soon, and one that sends too much is disconnected', async () => {
  const hasty = await startTestServer({}, { helloLimitMs: 50 });
  const silent = await openWithCookie(hasty, await hasty.signIn());
  expect((await silent.closed()).code).toBe(4408);
  expect(silent.frames).toEqual([]);
  await hasty.close();
  const loud = await openWithCookie();
  loud.send('x'.repeat(100_000));
  expect((await loud.closed()).code).not.toBe(1000);
  expect(loud.frames).toEqual([]);
});

test('[R293] a socket with the cookie and its key in the hello is welcomed as the person who signed in', async () => {
  const client = await openWithCookie();
  client.send({ type: 'hello', v: 1, key: pages.owner['x-signalbox-key'] });
  expect((await client.next('welcome')).you).toMatchObject({ name: 'owner', role: 'owner' });
  client.send({ type: 'subscribe', sessionId: '*' });
  await client.next('sessions');
  client.cut();
});

test('a server that stops does not wait for sockets that haven’t authenticated', async () => {
  const stopping = await startTestServer();
  const client = await openWithCookie(stopping, await stopping.signIn());
  await stopping.close();
  expect((await client.closed()).code).toBe(1006);
});

test('[R297] signing out ends this sign-in, closes its sockets immediately and clears the cookie; other browsers stay signed in', async () => {
  const [leaving, staying] = [await server.signIn(), await server.signIn()];
  const open = async (page: PageHeaders) => {
    const client = await connect(`ws://127.0.0.1:${server.running.port}/ws`, { headers: { cookie: page.cookie } });
    client.send({ type: 'hello', v: 1, key: page['x-signalbox-key'] });
    await client.next('welcome');
    return client;
  };
  const [gone, still] = [await open(leaving), await open(staying)];
  const at = (path: string, headers: Record<string, string>, method = 'GET') => fetch(`http://127.0.0.1:${server.running.port}${path}`, { method, headers });
  const out = await at('/sign-out', leaving, 'POST');
  expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringMatching(/=; .*Max-Age=0/)]);
  expect((await gone.closed()).code).toBe(4401);
  expect((await at('/api/me', leaving)).status).toBe(401);
  expect((await at('/', leaving)).status).toBe(401);
  expect((await at('/api/me', staying)).status).toBe(200);
  still.send({ type: 'ping' });
  await still.next('pong');
  still.cut();
});

/** `fetch` doesn't let a caller set Host and Origin; a plain request does. */
const raw = (method: string, path: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request({ port: server.running.port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });

const foreign: readonly (readonly [name: string, method: string, headers: Record<string, string>, isRefused: boolean])[] = [
  ['a GET to a foreign name', 'GET', { host: 'evil.example.org' }, true],
  ['a GET from a foreign page', 'GET', { origin: 'https://evil.example.org' }, false],
  ['a POST from a foreign page', 'POST', { origin: 'https://evil.example.org' }, true],
  ['a POST that a browser calls cross-site', 'POST', { 'sec-fetch-site': 'cross-site' }, true],
  ['a DELETE from a sandboxed frame', 'DELETE', { origin: 'null' }, true],
  ['a POST of a program', 'POST', {}, false],
];
for (const [name, method, headers, isRefused] of foreign) {
  test(`[R109] ${name} is ${isRefused ? 'refused' : 'let through'} with the owner’s token`, async () => {
    const status = await raw(method, '/api/sessions/nobody', { authorization: `Bearer ${server.token.owner}`, ...headers });
    expect(status === 403).toBe(isRefused);
  });
}

test('a socket whose token is revoked is closed with a reason', async () => {
  const token = addNamedToken(server.dataDir, 'guest', 'viewer');
  const client = await server.connect(token);
  revokeNamedToken(server.dataDir, 'guest');
  expect(await client.closed()).toMatchObject({ code: 4401 });
});

test('every response has the security headers', async () => {
  for (const path of ['/', '/healthz', '/api/nothing', '/nothing']) {
    const { headers } = await server.fetch(path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
  }
});

test('[R823] no address but /ws opens a socket, signed in or not', async () => {
  const opened: string[] = [];
  for (const path of ['/', '/healthz', '/sign-in', '/manifest.webmanifest', '/assets/x.js', '/api/sessions', '/nothing']) {
    for (const headers of [{}, { authorization: `Bearer ${server.token.owner}` }]) {
      const outcome = await connect(`ws://127.0.0.1:${server.running.port}${path}`, { headers }).then(
        () => 'opened',
        (error) => (error instanceof UpgradeRefused ? 'refused' : String(error)),
      );
      if (outcome !== 'refused') opened.push(`${path}: ${outcome}`);
    }
  }
  expect(opened).toEqual([]);
});
