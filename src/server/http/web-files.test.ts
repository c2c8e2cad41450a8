import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';

let webDir: string;
let server: TestServer;
beforeEach(() => {
  webDir = mkdtempSync(join(tmpdir(), 'signalbox-web-'));
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(join(webDir, 'index.html'), '<html><head><base href="/" /><script src="./assets/a-1.js"></script></head></html>');
  writeFileSync(join(webDir, 'assets', 'a-1.js'), 'let a;');
  writeFileSync(join(webDir, 'icon.svg'), '<svg/>');
});
afterEach(async () => {
  await server.close();
  rmSync(webDir, { recursive: true, force: true });
});

test('every page address serves the one page, and nothing else does', async () => {
  server = await startTestServer({}, { webDir });
  for (const path of [
    '/',
    '/s/abc',
    '/sessions',
    '/inbox',
    '/search?q=x',
    '/tiles?s=a,b',
    '/plans',
    '/plans/1',
    '/annotations',
    '/worktrees',
    '/usage',
    '/settings',
  ]) {
    const response = await server.fetch(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).toContain('<base href="/" /><script src="./assets/a-1.js">');
  }
  expect((await server.fetch('/nothing')).status).toBe(404);
});

test('a person at an unknown address gets the page, which says so; a program gets the error', async () => {
  server = await startTestServer({}, { webDir });
  const page = await server.fetch('/nothing', { headers: { accept: 'text/html,*/*' } });
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('<base href="/" />')]);
  expect(await (await server.fetch('/nothing')).json()).toMatchObject({ error: { code: 'not-found' } });
  const stranger = await fetch(`${server.running.url}/nothing`, { headers: { accept: 'text/html' } });
  expect([stranger.status, await stranger.text()]).toEqual([404, expect.not.stringContaining('<base')]);
});

test('files are public; those with a content hash in their name are cached forever, the page never', async () => {
  server = await startTestServer({}, { webDir });
  const asset = await fetch(`${server.running.url}/assets/a-1.js`);
  expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect((await fetch(`${server.running.url}/icon.svg`)).headers.get('cache-control')).toBe('no-cache');
  expect((await server.fetch('/')).headers.get('cache-control')).toBe('no-store');
  expect((await fetch(`${server.running.url}/index.html`)).status).toBe(404);
});

test('no path leads out of the folder', async () => {
  server = await startTestServer({}, { webDir });
  for (const path of ['/assets/..%2f..%2fetc/passwd', '/..%2ftoken', '/assets/%2e%2e/%2e%2e/token']) {
    expect((await server.fetch(path)).status).toBeGreaterThanOrEqual(400);
  }
});

test('with a base path everything is served below it, whether a proxy strips it or not', async () => {
  server = await startTestServer({ basePath: '/box' }, { webDir });
  expect(server.running.url).toBe(`http://127.0.0.1:${server.running.port}/box`);
  const page = await (await server.fetch('/box/s/abc')).text();
  expect(page).toContain('<base href="/box/" />');
  for (const path of ['/box', '/box/', '/box/healthz', '/healthz', '/box/assets/a-1.js', '/box/api/sessions'])
    expect((await server.fetch(path)).status).toBe(200);
  const signedIn = await server.fetch(`/box/inbox?token=${server.token.owner}`);
  expect(signedIn.headers.get('location')).toMatch(/^\/box\/inbox#key=[\w-]{43}$/);
  expect(signedIn.headers.get('set-cookie')).toContain('Path=/box;');
  const client = await server.connect();
  client.send({ type: 'ping' });
  expect(await client.next('pong')).toEqual({ type: 'pong' });
});

test('without a build the page says how to make one', async () => {
  server = await startTestServer();
  const response = await server.fetch('/');
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npm run build');
});
