import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod/mini';
import type { ServerFrame } from '../../src/protocol/frame.ts';
import type { Session } from '../../src/protocol/session.ts';
import { openApiOf } from '../../src/server/http/openapi.ts';
import { ROUTES } from '../../src/server/http/routes/index.ts';
import { api, connectClient, eventsIn } from '../support/client.ts';
import { startServer } from '../support/real-server.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const missing = existsSync(join(ROOT, 'dist/server/main.js')) ? undefined : 'dist/ is not built (npm run build)';
// The dependencies in package.json, and their own: everything that npm would install next to us.
const DEPENDENCIES = ['@photostructure/sqlite', 'node-gyp-build'];

let folder: string;
let installed: string;
beforeAll(() => {
  if (missing) return;
  folder = mkdtempSync(join(tmpdir(), 'signalbox-package-'));
  installed = join(folder, 'node_modules/signalbox');
  install();
});
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }));

test('the package contains everything it needs to run, and no sources, tests or scripts', ({ skip }) => {
  if (missing) return skip(missing);
  for (const name of [
    'bin/signalbox.mjs',
    'dist/server/main.js',
    'dist/agents/demo.mjs',
    'dist/agents/claude-code-bridge.mjs',
    'dist/agents/pi-extension.mjs',
    'dist/web/index.html',
    'dist/client/index.js',
    'dist/client/types/src/client/index.d.ts',
    'dist/THIRD-PARTY-NOTICES',
    'LICENSE',
  ])
    expect(existsSync(join(installed, name))).toBe(true);
  for (const name of ['src', 'test', 'scripts', 'web', 'node_modules']) expect(existsSync(join(installed, name))).toBe(false);
});

test('the page is a production build, not a development build', ({ skip }) => {
  if (missing) return skip(missing);
  const assets = join(installed, 'dist/web/assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((name) => readFileSync(join(assets, name), 'utf8').includes('Download the React DevTools'))).toEqual([]);
});

test('the installed package runs a server without the rest of the repository', async ({ skip }) => {
  if (missing) return skip(missing);
  const server = await startServer({ from: { package: installed } });
  try {
    const { body: session } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'echo packed' });
    const client = await connectClient(server);
    client.send({ type: 'subscribe', sessionId: session.id });
    await client.waitFor(() => client.events(session.id).some((event) => event.type === 'turn.completed'));
    expect(client.events(session.id).find((event) => event.type === 'assistant.text')).toMatchObject({ text: 'packed' });
    expect((await fetch(server.url)).headers.get('content-type')).toContain('text/html');
  } finally {
    await server.close();
  }
});

test('[R579] the notices name every package that is bundled, each with its license', ({ skip }) => {
  if (missing) return skip(missing);
  const notices = readFileSync(join(installed, 'dist/THIRD-PARTY-NOTICES'), 'utf8');
  for (const name of ['react', 'fastify', 'zod', 'ws', 'shiki', '@modelcontextprotocol/server', '@fontsource-variable/ibm-plex-sans'])
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  const texts = notices.split(`${'-'.repeat(80)}\n\n`).slice(1);
  expect(texts.length).toBeGreaterThan(70);
  expect(texts.filter((text) => !/^License: \S/m.test(text))).toEqual([]);
});

test('[R579] in an empty folder with an empty home, the installed command runs a server, a task, and an MCP server', async ({ skip }) => {
  if (missing) return skip(missing);
  const server = await startServer({ from: { package: installed } });
  try {
    const env = { PATH: process.env.PATH ?? '', HOME: server.home, SIGNALBOX_DATA: server.data };
    const signalbox = (args: readonly string[], input = '') =>
      execFileSync(process.execPath, [join(installed, 'bin/signalbox.mjs'), ...args], { cwd: server.project, env, input, encoding: 'utf8' });
    expect(signalbox(['run', 'echo packed and run', '--agent', 'demo'])).toBe('packed and run\n');
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    expect(JSON.parse(signalbox(['mcp'], `${JSON.stringify(initialize)}\n`))).toMatchObject({ id: 1, result: { serverInfo: { name: expect.any(String) } } });
    expect(signalbox(['complete', '--', 'service', 'in'])).toBe('install\t\n');
    expect(signalbox(['completion', 'bash'])).toContain('complete');
  } finally {
    await server.close();
  }
});

test('[R578] a program that has only the installed package compiles a call of every route, with its types', async ({ skip }) => {
  if (missing) return skip(missing);
  const program = join(folder, 'program.ts');
  writeFileSync(program, programOf(openApiOf(ROUTES, { version: '1', serverUrl: '/' })));
  const options = { module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: [], strict: true, noEmit: true, skipLibCheck: false };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});

test('[R578] the installed client calls the server and follows a session', async ({ skip }) => {
  if (missing) return skip(missing);
  const { createClient, openLive, SignalboxError } = await import(pathToFileURL(join(installed, 'dist/client/index.js')).href);
  const server = await startServer();
  try {
    const client = createClient({ url: server.url, token: server.token });
    const session = await client.request('POST /api/sessions', { body: { agent: 'demo', cwd: server.project, prompt: 'echo by a program' } });
    const frames: ServerFrame[] = [];
    const live = await openLive({ url: server.url, token: server.token, WebSocket, onFrame: (frame: ServerFrame) => frames.push(frame) });
    live.subscribe(session.id);
    const texts = () => frames.flatMap((frame) => eventsIn(frame, session.id)).flatMap((event) => (event.type === 'assistant.text' ? [event.text] : []));
    await expect.poll(texts).toEqual(['by a program']);
    live.close();
    expect(await client.request('GET /api/sessions/:id', { params: { id: session.id } })).toMatchObject({ id: session.id });
    expect((await client.request('GET /api/sessions', { query: { limit: 1 } })).sessions).toHaveLength(1);
    const refused = await client.request('GET /api/sessions/:id', { params: { id: 'nobody' } }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SignalboxError);
    expect(refused).toMatchObject({ status: 404, code: 'not-found' });
    expect(await (await client.request('GET /api/sessions/:id/export', { params: { id: session.id } })).text()).toContain('by a program');
  } finally {
    await server.close();
  }
});

const Described = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Calls every route of the description. Types say what is needed beyond the address: bodies come from a value of exactly the type that is wanted. */
function programOf(description: unknown): string {
  const routes = Object.entries(z.parse(Described, description).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  return [
    "import { type Answer, createClient, type Options, type Route, type Session } from 'signalbox/client';",
    "const client = createClient({ url: 'http://127.0.0.1:4750', token: 'x' });",
    ...routes.map((route, at) => `export const a${at}: Promise<Answer<'${route}'>> = client.request('${route}', {} as Options<'${route}'>);`),
    "const session: Session = await client.request('POST /api/sessions', { body: { agent: 'demo', cwd: '/', prompt: 'hello' } });",
    "const { events } = await client.request('GET /api/sessions/:id/events', { params: { id: session.id }, query: { after: 0 } });",
    "for (const event of events) if (event.type === 'assistant.text') console.log(event.text.length);",
    "export const file: Response = await client.request('GET /api/blobs/:sha256', { params: { sha256: 'x' } });",
    '// @ts-expect-error there is no such route',
    "void client.request('GET /api/nothing');",
    '// @ts-expect-error the id is missing',
    "void client.request('GET /api/sessions/:id');",
    '// @ts-expect-error there is no such field',
    "void client.request('POST /api/sessions', { body: { agent: 'demo', cwd: '/', promt: '' } });",
    '// @ts-expect-error the text is not a number',
    "void client.request('POST /api/sessions/:id/input', { params: { id: 'x' }, body: { text: 1 } });",
    `export const all: readonly Route[] = ${JSON.stringify(routes)};`,
  ].join('\n');
}

/** Unpacks the result of `npm pack` and copies its dependencies next to it: an installation without a registry. */
function install(): void {
  const tarball = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', join(folder, tarball ?? ''), '-C', installed, '--strip-components', '1']);
  for (const name of DEPENDENCIES) cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
}
