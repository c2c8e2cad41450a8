import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

const chromium = findChromium();
const missing = 'skip' in chromium ? chromium.skip : undefined;

let server: TestServer;
let browser: Browser;
let other: OtherServer;
beforeAll(async () => {
  if (missing || 'skip' in chromium) return;
  server = await startServer();
  browser = await sharedChromium(chromium.path);
  other = await openOtherServer();
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  other?.http.close();
});

/** Another program's server on this machine. It stores the cookies that browsers send, and answers with a page of its choice. */
interface OtherServer {
  readonly http: Server;
  readonly port: number;
  readonly cookies: string[];
  html: string;
}

async function openOtherServer(): Promise<OtherServer> {
  const cookies: string[] = [];
  const http = createServer((request, response) => {
    if (request.headers.cookie !== undefined) cookies.push(request.headers.cookie);
    response.setHeader('content-type', 'text/html').end(request.url === '/' ? opened.html : '');
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const opened: OtherServer = { http, port: (http.address() as AddressInfo).port, cookies, html: '<!doctype html><title>Another server</title>' };
  return opened;
}

async function signedInPage(viewport: typeof DESKTOP): Promise<Page> {
  const page = await (await browser.newContext({ viewport })).newPage();
  await page.goto(`${server.url}/?token=${server.token}`);
  await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
  return page;
}

/** Requests that the other server can try with nothing but the cookie; a program can send any header, including our Origin. */
const ATTEMPTS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/api/tokens', { name: 'intruder', role: 'owner' }],
  ['GET', '/api/tokens'],
  ['GET', '/api/me'],
  ['GET', '/api/sessions'],
  ['POST', '/api/sessions', { agent: 'demo', cwd: '/', prompt: 'run id' }],
  ['GET', '/api/permissions'],
  ['GET', '/api/audit'],
  ['GET', '/api/state'],
  ['POST', '/api/rules', { tool: 'Bash' }],
  ['POST', '/api/backup'],
  ['POST', '/api/links', { path: '/api/sessions' }],
  ['GET', '/metrics'],
  ['GET', '/openapi.json'],
  ['POST', '/sign-out'],
];

for (const viewport of [DESKTOP, PHONE]) {
  test(`[R291] another server on this host receives the cookie but can do nothing with it (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const page = await signedInPage(viewport);
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(`http://127.0.0.1:${other.port}/`);
    const cookie = other.cookies.at(-1) ?? '';
    expect(cookie).toContain(`signalbox_${server.port}=`);

    for (const headers of [{ cookie }, { cookie, origin: server.url, 'sec-fetch-site': 'same-origin' }]) {
      for (const [method, path, body] of ATTEMPTS) {
        const response = await fetch(`${server.url}${path}`, {
          method,
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        expect([method, path, response.status]).toEqual([method, path, 401]);
      }
      expect(await receivedOver(headers)).toEqual([]);
    }
    const { tokens } = (await api<{ tokens: { name: string }[] }>(server, 'GET', '/api/tokens')).body;
    expect(tokens.map(({ name }) => name)).toEqual(['owner']);
    // The page itself still works.
    await page.reload();
    await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
  });
}

/** Everything that a socket with these headers receives until it closes. */
async function receivedOver(headers: Record<string, string>): Promise<readonly string[]> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, { headers });
  const received: string[] = [];
  socket.on('message', (bytes: Buffer) => received.push(bytes.toString()));
  socket.on('error', () => undefined);
  socket.on('open', () => {
    socket.send(JSON.stringify({ type: 'hello', v: 1 }));
    socket.send(JSON.stringify({ type: 'subscribe', sessionId: '*' }));
  });
  // An accepted socket receives a message soon and is never closed.
  await Promise.race([once(socket, 'close'), once(socket, 'message')]);
  socket.terminate();
  return received;
}

for (const viewport of [DESKTOP, PHONE]) {
  test(`[R295] images, scripts and frames of another site do not lock the sign-in (${viewport.width} px)`, async ({ skip }) => {
    if (missing) return skip(missing);
    const at = (guess: string) => `http://127.0.0.1:${server.port}/?token=${guess}`;
    const each = (make: (guess: string) => string) => Array.from({ length: 12 }, (_, count) => make(at(`wrong-${count}`))).join('');
    other.html = `<!doctype html><body>${each((url) => `<img src="${url}"><script src="${url}"></script><link rel="stylesheet" href="${url}"><iframe src="${url}"></iframe>`)}`;
    const page = await (await browser.newContext({ viewport })).newPage();
    // Another host name makes it another site for the browser.
    await page.goto(`http://localhost:${other.port}/`);
    await page.evaluate((url) => fetch(url, { mode: 'no-cors' }).catch(() => undefined), at('wrong'));
    const response = await page.goto(at(server.token));
    expect(response?.status()).toBe(200);
    await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
  });
}

test('[R295] a site that sends the browser here with wrong tokens does not lock the sign-in, even with our service worker installed', async ({ skip }) => {
  if (missing) return skip(missing);
  const page = await signedInPage(DESKTOP);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  for (let tries = 0; tries <= 10; tries += 1) {
    other.html = `<!doctype html><a href="${server.url}/?token=wrong-${tries}">go</a>`;
    await page.goto(`http://localhost:${other.port}/`);
    await page.getByText('go').click();
    await page.getByLabel('Token', { exact: true }).waitFor();
  }
  const response = await page.goto(`${server.url}/?token=${server.token}`);
  expect(response?.status()).toBe(200);
  await page.locator('.connection-sign:not(.off)').waitFor({ state: 'attached' });
});
