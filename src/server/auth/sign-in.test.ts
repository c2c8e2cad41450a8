import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../../test/support/server/test-client.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { keyInFragment } from '../../protocol/api/sign-in.ts';
import { BEARER_FAILURES_PER_MINUTE, SIGN_IN_FAILURES_PER_MINUTE } from './rate-limit.ts';

let server: TestServer;
let now = 1_000_000;
beforeEach(async () => {
  server = await startTestServer({}, { now: () => now });
});
afterEach(() => server.close());

/** Not `fetch`, which sets the Sec-Fetch headers itself. */
const open = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: server.running.port, path: new URL(path, 'http://here').href.slice('http://here'.length), headers },
      async (response) => {
        const body = Buffer.concat(await response.toArray());
        resolve(
          new Response(body, {
            status: response.statusCode ?? 0,
            headers: Object.entries(response.headersDistinct).map(([name, [value = ''] = []]) => [name, value]),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
const submit = (fields: Record<string, string>): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.running.port}/sign-in`, { redirect: 'manual', method: 'POST', body: new URLSearchParams(fields) });
const pageOf = (response: Response): Record<string, string> => ({
  cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
  'x-signalbox-key': keyInFragment(new URL(response.headers.get('location') ?? '', 'http://here').hash)?.key ?? '',
});
/** What Chromium 150 sends when a person opens an address, when another site links to it, and for part of a page. */
const TYPED = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const LINKED = { ...TYPED, 'sec-fetch-site': 'cross-site' };
const part = (dest: string, mode = 'no-cors', site = 'cross-site') => ({ 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest });

test('the address with the token works any number of times and redirects to the clean address', async () => {
  for (let times = 0; times < 3; times += 1) {
    const response = await open(`/s/abc?token=${server.token.owner}&tab=2`);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/s\/abc\?tab=2#key=[\w-]{43}$/);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('set-cookie')).toMatch(/^signalbox_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=7776000$/);
    const session = await open('/api/sessions', pageOf(response));
    expect(session.status).toBe(200);
  }
});

for (const [name, headers] of [
  ['a browser', TYPED],
  ['a browser that sends no Sec-Fetch headers', { accept: 'text/html,*/*;q=0.8' }],
] as const) {
  test(`[R296] ${name} that opens a link to an event keeps the # fragment: the redirect doesn’t replace it, and an extra step stores the key`, () =>
    expectStep(headers));
}

async function expectStep(headers: Record<string, string>): Promise<void> {
  const response = await open(`/s/abc?token=${server.token.owner}`, headers);
  const step = response.headers.get('location') ?? '';
  expect([response.status, step]).toEqual([303, expect.stringMatching(/^\/sign-in\/[\w-]{43}$/)]);
  const html = await (await open(step, TYPED)).text();
  const key = /data-key="([\w-]+)"/.exec(html)?.[1] ?? '';
  expect(html).toContain('data-next="/s/abc"');
  expect((await open('/api/me', { cookie: pageOf(response).cookie ?? '', 'x-signalbox-key': key })).status).toBe(200);
  // A ticket works once.
  const again = await open(step, TYPED);
  expect([again.status, await again.text()]).toEqual([303, '']);
  const late = (await open(`/s/abc?token=${server.token.owner}`, TYPED)).headers.get('location') ?? '';
  now += 30_000;
  expect((await open(late, TYPED)).status).toBe(303);
}

test('without a token every page shows the form, with no data in it', async () => {
  for (const path of ['/', '/s/secret-session', '/inbox', '/settings']) {
    const response = await open(path);
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('<form method="post" action="/sign-in">');
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^;]*; style-src 'sha256-/);
  }
});

test('the form signs in and opens the requested page', async () => {
  const response = await submit({ token: server.token.viewer, next: '/s/abc' });
  expect([response.status, response.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/s\/abc#key=[\w-]{43}$/)]);
  expect((await open('/api/sessions', pageOf(response))).status).toBe(200);
});

test('[R296] the form leads back to the event', async () => {
  const response = await submit({ token: server.token.viewer, next: '/s/abc?side=raw#e12' });
  expect(response.headers.get('location')).toMatch(/^\/s\/abc\?side=raw#key=[\w-]{43}&e12$/);
});

test('a page that lost its key goes to the form with its address and a reason', async () => {
  const { cookie = '' } = pageOf(await submit({ token: server.token.owner }));
  const text = await (await open('/sign-in?next=/s/abc%23e12', { cookie })).text();
  expect(text).toContain('value="/s/abc#e12"');
  expect(text).toContain('has lost its sign-in key');
});

test('a cookie of the first version gets a note to sign in again and opens nothing', async () => {
  const cookie = `signalbox_${server.running.port}=b3duZXI.9999999999.${'A'.repeat(43)}`;
  const response = await open('/s/abc', { cookie });
  expect(response.status).toBe(401);
  expect(await response.text()).toContain('Signalbox was updated');
  expect((await open('/api/sessions', { cookie })).status).toBe(401);
  const page = pageOf(await submit({ token: server.token.owner, next: '/s/abc' }));
  expect((await open('/api/sessions', { ...page, cookie: `${cookie}; ${page.cookie}` })).status).toBe(200);
});

test('[R292] people stay signed in when somebody else signs in or out', async () => {
  const page = pageOf(await submit({ token: server.token.owner }));
  const other = pageOf(await submit({ token: server.token.owner }));
  await fetch(`http://127.0.0.1:${server.running.port}/sign-out`, { method: 'POST', headers: other });
  expect((await open('/api/sessions', page)).status).toBe(200);
  expect((await open('/api/sessions', other)).status).toBe(401);
});

const elsewhere = ['https://evil.example.org', '//evil.example.org', '/\\evil.example.org', 'javascript:alert(1)', ''];
for (const next of elsewhere) {
  test(`signing in never leads to ${next === '' ? 'an empty address' : next}`, async () => {
    const response = await submit({ token: server.token.owner, next });
    expect(response.headers.get('location')).toMatch(/^\/#key=[\w-]{43}$/);
  });
}

test('text in the address can’t break out of the form', async () => {
  const text = await (await open('/inbox?q="><script>alert(1)</script>')).text();
  expect(text).not.toContain('<script>alert');
});

test('a wrong token gets an error, and too many of them make everyone at that address wait, even with the right one', async () => {
  for (let tries = 0; tries < SIGN_IN_FAILURES_PER_MINUTE; tries += 1) expect((await submit({ token: 'wrong' })).status).toBe(401);
  const limited = await submit({ token: server.token.owner });
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get('retry-after'))).toBe(60);
  expect((await open(`/?token=${server.token.owner}`)).status).toBe(429);
  now += 60_000;
  expect((await submit({ token: server.token.owner })).status).toBe(303);
});

test('other people’s guesses don’t lock out people who are signed in', async () => {
  const page = pageOf(await submit({ token: server.token.owner }));
  for (let tries = 0; tries <= SIGN_IN_FAILURES_PER_MINUTE; tries += 1) await submit({ token: 'wrong' });
  expect((await open('/api/sessions', page)).status).toBe(200);
});

test('a link from another site, which comes without the strict cookie, is reloaded from our own address', async () => {
  const response = await open('/s/abc', { 'sec-fetch-site': 'cross-site' });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('http-equiv="refresh"');
});

const embedded: readonly (readonly [name: string, headers: Record<string, string>])[] = [
  ['an image of another site', part('image')],
  ['an image of another port on this host', part('image', 'no-cors', 'same-site')],
  ['a script of another site', part('script')],
  ['a style sheet of another site', part('style')],
  ['a frame of another site', part('iframe', 'navigate')],
  ['an object of another site', part('object', 'navigate')],
  ['a fetch without CORS', part('empty')],
  ['a fetch with CORS', part('empty', 'cors')],
  ['an image of our own page', part('image', 'no-cors', 'same-origin')],
  ['a prefetched page', { ...LINKED, 'sec-purpose': 'prefetch;anonymous-client-ip' }],
  ['an image in a browser that sends no Sec-Fetch headers', { accept: 'image/avif,image/webp,*/*' }],
];
for (const [name, headers] of embedded) {
  test(`[R295] ${name} signs nobody in and doesn’t count as a guess`, async () => {
    for (let tries = 0; tries <= SIGN_IN_FAILURES_PER_MINUTE; tries += 1) expect((await open('/?token=wrong', headers)).status).toBe(403);
    const right = await open(`/?token=${server.token.owner}`, headers);
    expect([right.status, right.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await open(`/?token=${server.token.owner}`, TYPED)).status).toBe(303);
    expect((await submit({ token: server.token.owner })).status).toBe(303);
  });
}

for (const site of ['cross-site', 'same-site']) {
  test(`[R295] pages that lead a browser here (${site}) have their own limit for guesses, and reaching it delays nobody else`, async () => {
    const linked = { ...LINKED, 'sec-fetch-site': site };
    for (let tries = 0; tries < SIGN_IN_FAILURES_PER_MINUTE; tries += 1) expect((await open(`/?token=wrong${tries}`, linked)).status).toBe(401);
    expect((await open(`/?token=${server.token.owner}`, linked)).status).toBe(429);
    expect((await open(`/?token=${server.token.owner}`, TYPED)).status).toBe(303);
    expect((await submit({ token: server.token.owner })).status).toBe(303);
    now += 60_000;
    // Links from a chat or an email keep working.
    expect((await open(`/?token=${server.token.owner}`, linked)).status).toBe(303);
  });
}

test('[R295] forms, sockets and bearer tokens from another site are refused before they count as guesses', async () => {
  const origin = 'https://evil.example.org';
  for (let tries = 0; tries <= BEARER_FAILURES_PER_MINUTE; tries += 1) {
    const socket = connect(`ws://127.0.0.1:${server.running.port}/ws?token=wrong`, { headers: { origin } });
    await expect(socket).rejects.toMatchObject({ status: 403 });
    if (tries > SIGN_IN_FAILURES_PER_MINUTE) continue;
    const body = new URLSearchParams({ token: 'wrong' });
    const form = await fetch(`http://127.0.0.1:${server.running.port}/sign-in`, { method: 'POST', body, headers: { origin } });
    expect(form.status).toBe(403);
  }
  expect((await submit({ token: server.token.owner })).status).toBe(303);
  expect((await server.fetch('/api/me')).status).toBe(200);
});
