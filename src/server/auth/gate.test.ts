import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../protocol/actor.ts';
import { ROUTES } from '../http/routes.ts';
import { connect, UpgradeRefused } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createCookieJar } from './cookie.ts';
import { addNamedToken, revokeNamedToken } from './named-tokens.ts';
import { mayActAs } from './roles.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { heartbeatMs: 50 });
});
afterAll(() => server.close());

/** Whatever the route would then say to its content, the gate has let it pass when it is neither 401 nor 403. */
const passed = (status: number): boolean => status !== 401 && status !== 403;

const credentials: readonly (readonly [name: string, role: Role | undefined, headers: () => Record<string, string>])[] = [
  ['nothing', undefined, () => ({})],
  ['a wrong token', undefined, () => ({ authorization: 'Bearer wrong' })],
  ['a made-up cookie', undefined, () => ({ cookie: `signalbox_${server.running.port}=b3duZXI.9999999999.AAAA` })],
  ['a viewer’s token', 'viewer', () => ({ authorization: `Bearer ${server.token.viewer}` })],
  ['a driver’s token', 'driver', () => ({ authorization: `Bearer ${server.token.driver}` })],
  ['the owner’s token', 'owner', () => ({ authorization: `Bearer ${server.token.owner}` })],
  ['a viewer’s cookie', 'viewer', () => ({ cookie: cookieOf(server.token.viewer) })],
  ['the owner’s cookie', 'owner', () => ({ cookie: cookieOf(server.token.owner) })],
];

function cookieOf(token: string): string {
  const { tokens, running } = server;
  const jar = createCookieJar({ tokens, port: running.port, path: '/', secure: false, now: Date.now });
  return jar.issue(tokens.verify(token)!).split(';')[0]!;
}

for (const route of ROUTES) {
  for (const [name, role, headers] of credentials) {
    const expected = route.role === 'public' || (role !== undefined && mayActAs(role, route.role)) ? 'passes' : role === undefined ? 401 : 403;
    test(`[R110] ${route.method} ${route.path} with ${name}: ${expected}`, async () => {
      const path = route.path.replace(':id', 'nobody').replace(':sha256', '0'.repeat(64)).replace(':requestId', 'none');
      const response = await fetch(`http://127.0.0.1:${server.running.port}${path}`, { method: route.method, headers: headers() });
      if (expected === 'passes') expect(passed(response.status)).toBe(true);
      else expect(response.status).toBe(expected);
      if (response.status >= 400) expect(await response.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    });
  }
}

const upgrades: readonly (readonly [name: string, options: () => { readonly query?: string; readonly headers?: Record<string, string> }, status: number])[] = [
  ['nothing', () => ({}), 401],
  ['a wrong token', () => ({ query: '?token=wrong' }), 401],
  ['a token in its address', () => ({ query: `?token=${server.token.viewer}` }), 101],
  ['a Bearer header', () => ({ headers: { authorization: `Bearer ${server.token.viewer}` } }), 101],
  ['a cookie from our own page', () => ({ headers: { cookie: cookieOf(server.token.viewer), origin: `http://127.0.0.1:${server.running.port}` } }), 101],
  ['a cookie from another site', () => ({ headers: { cookie: cookieOf(server.token.viewer), origin: 'https://evil.example.org' } }), 403],
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

/** `fetch` does not let a caller choose Host and Origin; a bare request does. */
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
  test(`[R109] ${name} is ${isRefused ? 'refused' : 'let through'} whoever sends it`, async () => {
    const status = await raw(method, '/api/sessions/nobody', { authorization: `Bearer ${server.token.owner}`, ...headers });
    expect(status === 403).toBe(isRefused);
  });
}

test('a socket whose token is revoked is closed with words', async () => {
  const token = addNamedToken(server.dataDir, 'guest', 'viewer');
  const client = await server.connect(token);
  revokeNamedToken(server.dataDir, 'guest');
  expect(await client.closed()).toMatchObject({ code: 4401 });
});

test('every answer carries the security headers', async () => {
  for (const path of ['/', '/healthz', '/api/nothing', '/nothing']) {
    const { headers } = await server.fetch(path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
  }
});
