import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../test/support/server/test-client.ts';
import { startTestServer } from '../../test/support/server/test-server.ts';
import { SIGN_IN_FAILURES_PER_MINUTE } from './auth/rate-limit.ts';

/** A certificate for localhost made for these tests only. */
const TLS = {
  certFile: join(import.meta.dirname, '../../test/support/server/tls/test-only.cert.pem'),
  keyFile: join(import.meta.dirname, '../../test/support/server/tls/test-only.key.pem'),
};
const ca = readFileSync(TLS.certFile);

const getOverTls = (url: string): Promise<{ readonly status: number; readonly cookie: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { ca }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, cookie: String(response.headers['set-cookie'] ?? '') });
    });
    sent.on('error', reject);
    sent.end();
  });

test('with TLS files everything is https and wss, and the cookie is Secure', async () => {
  const server = await startTestServer({ tls: TLS });
  expect(server.running.url).toBe(`https://127.0.0.1:${server.running.port}`);
  expect((await getOverTls(`${server.running.url}/healthz`)).status).toBe(200);
  const signedIn = await getOverTls(`${server.running.url}/?token=${server.token.owner}`);
  expect([signedIn.status, signedIn.cookie]).toEqual([303, expect.stringContaining('; Secure')]);
  const client = await connect(`wss://127.0.0.1:${server.running.port}/ws?token=${server.token.owner}`, { ca });
  client.send({ type: 'hello', v: 1 });
  await client.next('welcome');
  client.cut();
  await server.close();
});

const guesses = async (settings: { readonly publicUrl?: string }): Promise<readonly number[]> => {
  const server = await startTestServer(settings);
  const guess = async (address: string): Promise<number> => (await server.fetch('/?token=wrong', { headers: { 'x-forwarded-for': address } })).status;
  for (let tries = 0; tries < SIGN_IN_FAILURES_PER_MINUTE; tries += 1) await guess('203.0.113.1');
  const statuses = [await guess('203.0.113.1'), await guess('203.0.113.2')];
  await server.close();
  return statuses;
};

test('behind a configured proxy on this machine, people are distinguished by the address it reports', async () => {
  expect(await guesses({ publicUrl: 'https://box.example.org' })).toEqual([429, 401]);
});

test('without a configured proxy nobody can claim another address to get more guesses', async () => {
  expect(await guesses({})).toEqual([429, 429]);
});

test('people get the public address, programs on this machine the local one', async () => {
  const server = await startTestServer({ publicUrl: 'https://box.example.org/', basePath: '/x' });
  expect(server.running.url).toBe('https://box.example.org/x');
  expect(server.running.localUrl).toBe(`http://127.0.0.1:${server.running.port}/x`);
  const signedIn = await server.fetch(`/x/?token=${server.token.owner}`);
  expect(signedIn.headers.get('set-cookie')).toContain('; Secure');
  await server.close();
});
