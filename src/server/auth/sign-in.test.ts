import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { SIGN_IN_FAILURES_PER_MINUTE } from './rate-limit.ts';

let server: TestServer;
let now = 1_000_000;
beforeEach(async () => {
  server = await startTestServer({}, { now: () => now });
});
afterEach(() => server.close());

const open = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.running.port}${path}`, { redirect: 'manual', headers });
const submit = (fields: Record<string, string>): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.running.port}/sign-in`, { redirect: 'manual', method: 'POST', body: new URLSearchParams(fields) });
const cookieOf = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? '';

test('the address with the token signs in any number of times and leads to the clean address', async () => {
  for (let times = 0; times < 3; times += 1) {
    const response = await open(`/s/abc?token=${server.token.owner}&tab=2`);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/s/abc?tab=2');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    const session = await open('/api/sessions', { cookie: cookieOf(response) });
    expect(session.status).toBe(200);
  }
});

test('somebody without a token gets the form, on every page, without any data in it', async () => {
  for (const path of ['/', '/s/secret-session', '/inbox', '/settings']) {
    const response = await open(path);
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('<form method="post" action="/sign-in">');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'none'");
  }
});

test('the form signs in and goes on to where the person wanted', async () => {
  const response = await submit({ token: server.token.viewer, next: '/s/abc' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/s/abc']);
  expect((await open('/api/sessions', { cookie: cookieOf(response) })).status).toBe(200);
});

const elsewhere = ['https://evil.example.org', '//evil.example.org', '/\\evil.example.org', 'javascript:alert(1)', ''];
for (const next of elsewhere) {
  test(`signing in never leads to ${next === '' ? 'an empty address' : next}`, async () => {
    const response = await submit({ token: server.token.owner, next });
    expect(response.headers.get('location')).toBe('/');
  });
}

test('what stands in the address cannot break out of the form', async () => {
  const text = await (await open('/inbox?q="><script>alert(1)</script>')).text();
  expect(text).not.toContain('<script>');
});

test('a wrong token is told so, and too many are made to wait, the right one included', async () => {
  for (let tries = 0; tries < SIGN_IN_FAILURES_PER_MINUTE; tries += 1) expect((await submit({ token: 'wrong' })).status).toBe(401);
  const limited = await submit({ token: server.token.owner });
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get('retry-after'))).toBe(60);
  expect((await open(`/?token=${server.token.owner}`)).status).toBe(429);
  now += 60_000;
  expect((await submit({ token: server.token.owner })).status).toBe(303);
});

test('people who are signed in are not locked out by somebody else’s guesses', async () => {
  const cookie = cookieOf(await submit({ token: server.token.owner }));
  for (let tries = 0; tries <= SIGN_IN_FAILURES_PER_MINUTE; tries += 1) await submit({ token: 'wrong' });
  expect((await open('/api/sessions', { cookie })).status).toBe(200);
});

test('a link from another site, which brings no strict cookie, is asked for once more from here', async () => {
  const response = await open('/s/abc', { 'sec-fetch-site': 'cross-site' });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('http-equiv="refresh"');
});

test('signing out takes the cookie away', async () => {
  const response = await fetch(`http://127.0.0.1:${server.running.port}/sign-out`, { redirect: 'manual', method: 'POST' });
  expect(response.headers.get('set-cookie')).toMatch(/=; .*Max-Age=0/);
});
