import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { addressesFor } from './devices.ts';

let server: TestServer;
let minutes = 0;
beforeEach(async () => {
  minutes = 0;
  server = await startTestServer({}, { now: () => Date.now() + minutes * 60_000 });
});
afterEach(() => server.close());

const by = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
const ask = (token: string, body: object) => server.fetch('/api/devices', { method: 'POST', headers: by(token), body: JSON.stringify(body) });
const codeFor = async (token: string, name: string, role = 'viewer', more = {}): Promise<string> =>
  (await (await ask(token, { name, role, ...more })).json()).code;
const pair = (code: string) =>
  fetch(`${server.running.localUrl}/pair`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ code }).toString(),
  });

/** Signs in as a browser does: the cookie from the header, the key from the address. */
async function signedIn(code: string): Promise<Record<string, string>> {
  const response = await pair(code);
  expect(response.status).toBe(303);
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const key = /#key=([^&]+)/.exec(response.headers.get('location') ?? '')?.[1] ?? '';
  return { cookie, 'x-signalbox-key': key };
}

/** As a browser: without the token that the test's own requests carry. */
const browse = (headers: Record<string, string>) => fetch(`${server.running.localUrl}/api/me`, { headers });
const me = async (headers: Record<string, string>) => (await browse(headers)).json();

test('[R750] a code signs one device in as the person who asked for it, in the role that was chosen, once', async () => {
  const dora = await (await server.fetch('/api/me', { headers: by(server.token.driver) })).json();
  const code = await codeFor(server.token.driver, 'Dora’s phone');
  expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
  const page = await fetch(`${server.running.localUrl}/pair`);
  expect([page.status, (await page.text()).includes('Add this device')]).toEqual([200, true]);
  const phone = await signedIn(code.toLowerCase());
  expect(await me(phone)).toEqual({ id: dora.id, name: 'Dora’s phone', role: 'viewer' });
  expect((await pair(code)).status).toBe(401);
});

test('[R750] a code ends after ten minutes', async () => {
  const [early, late] = [await codeFor(server.token.owner, 'early'), await codeFor(server.token.owner, 'late')];
  minutes = 9;
  expect((await pair(early)).status).toBe(303);
  minutes = 10.1;
  expect((await pair(late)).status).toBe(401);
});

test('[R751] nobody adds a device with more rights than their own, or for somebody else without being an owner', async () => {
  const statuses = async (token: string, body: object) => (await ask(token, body)).status;
  expect(await statuses(server.token.viewer, { name: 'a', role: 'driver' })).toBe(403);
  expect(await statuses(server.token.driver, { name: 'a', role: 'owner' })).toBe(403);
  expect(await statuses(server.token.driver, { name: 'a', role: 'viewer', for: 'someone-else' })).toBe(403);
  expect(await statuses(server.token.driver, { name: 'dora', role: 'viewer' })).toBe(409);
  expect(await statuses(server.token.owner, { name: 'a', role: 'viewer', rolle: 1 })).toBe(400);
  const anna = await signedIn(await codeFor(server.token.owner, 'Anna', 'driver', { for: 'someone-else' }));
  expect(await me(anna)).toEqual({ id: expect.stringMatching(/^Anna:/), name: 'Anna', role: 'driver' });
});

test('[R751] a device is listed for its person, who can revoke it, and ends with that person’s own token', async () => {
  const [phone, tablet] = [await signedIn(await codeFor(server.token.driver, 'phone')), await signedIn(await codeFor(server.token.driver, 'tablet', 'driver'))];
  const devices = async (token: string) =>
    (await (await server.fetch('/api/devices', { headers: by(token) })).json()).devices.map(({ name }: { name: string }) => name);
  expect([await devices(server.token.driver), await devices(server.token.viewer)]).toEqual([['phone', 'tablet'], []]);
  const remove = async (token: string, name: string) =>
    (await server.fetch(`/api/devices/${name}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })).status;
  expect(await remove(server.token.viewer, 'phone')).toBe(404);
  expect(await remove(server.token.driver, 'vera')).toBe(404);
  expect(await remove(server.token.driver, 'phone')).toBe(200);
  expect((await browse(phone)).status).toBe(401);
  expect((await browse(tablet)).status).toBe(200);
  server.tokens.revoke('dora');
  expect((await browse(tablet)).status).toBe(401);
});

test('[R752] guessing codes is stopped after a few tries', async () => {
  const statuses = [];
  for (let at = 0; at < 12; at++) statuses.push((await pair(`AAAA-AAA${at % 10}`)).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
});

test('[R753] addresses are the real ones, the safest first; a server on this machine only has none', () => {
  const of = (address: string, internal = false) => ({ address, internal, family: 'IPv4', netmask: '', mac: '', cidr: null }) as const;
  const interfaces = { lo: [of('127.0.0.1', true)], eth0: [of('192.168.1.5')], tailscale0: [of('100.101.2.3')], wg0: [of('10.8.0.2')] } as never;
  const at = (settings: object) => addressesFor({ host: '0.0.0.0', port: 0, basePath: '/box', allowedHosts: [], ...settings }, 4750, interfaces);
  expect(at({})).toEqual([
    { url: 'http://100.101.2.3:4750/box', kind: 'vpn' },
    { url: 'http://10.8.0.2:4750/box', kind: 'vpn' },
    { url: 'http://192.168.1.5:4750/box', kind: 'local' },
  ]);
  expect(at({ host: '127.0.0.1' })).toEqual([]);
  expect(at({ host: '192.168.1.5' })).toEqual([{ url: 'http://192.168.1.5:4750/box', kind: 'local' }]);
  expect(at({ host: '127.0.0.1', publicUrl: 'https://box.example.org' })).toEqual([{ url: 'https://box.example.org', kind: 'https' }]);
});
