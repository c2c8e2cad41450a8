import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { asVouched, vouchedSender } from './vouched.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const OWNER = { identity: { id: 'x@other', name: 'x', role: 'owner', hash: '', via: 'other' }, from: 'page via other' } as const;

test('[R702] nothing that a client sends makes it somebody another machine vouches for, not even from within such a request', async () => {
  const headers = { 'x-signalbox-vouched': JSON.stringify(OWNER), via: 'other', 'x-signalbox-key': 'x', 'x-forwarded-user': 'owner' };
  const at = `http://127.0.0.1:${server.running.port}/api/sessions`;
  expect((await fetch(at, { headers })).status).toBe(401);
  await asVouched(OWNER, async () => {
    expect(vouchedSender()).toBe(OWNER);
    for (const path of ['/api/sessions', '/api/tokens']) expect((await fetch(at.replace('/api/sessions', path), { headers })).status).toBe(401);
    const viewer = { ...headers, authorization: `Bearer ${server.token.viewer}` };
    expect((await fetch(at.replace('sessions', 'tokens'), { headers: viewer })).status).toBe(403);
  });
  expect(vouchedSender()).toBe(undefined);
});
