import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/session.ts';
import { api, connectClient } from '../support/client.ts';
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
