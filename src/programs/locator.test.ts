import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { standIn } from '../../test/support/agents/stand-in-program.ts';
import { createEngine } from '../../test/support/engine/test-engine.ts';
import { processesOf } from '../../test/support/processes.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../../test/support/stand-in-adapter/index.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Adapter, Locate } from '../agents/port/adapter.ts';
import type { SessionId } from '../protocol/ids.ts';
import { agentEnvs } from './agent-environments.ts';
import { createLocator, type LocatorOptions } from './locator.ts';

// No machine has a program with this name, so the real system folders can be searched.
const NAME = 'signalbox-test-tool';
const LOCATE: Locate = { variable: 'TOOL_PATH', names: [NAME], versionArgs: ['--version'], places: ['.tool/local/tool'], install: 'ask Ada' };
const adapter: Adapter = { ...standInAdapter, title: 'Tool', locate: LOCATE };

const finder = (home: string, more: Partial<LocatorOptions> & { readonly env?: Record<string, string> } = {}) =>
  createLocator({ packageRoot: '/', paths: {}, runtimes: {}, ...more, envFor: agentEnvs({ HOME: home, PATH: '/nowhere', ...more.env }, more.runtimes ?? {}) });

/** A real program at this path. */
function program(path: string, text = '#!/bin/sh\necho 1.2.3\n', mode = 0o755): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const places = [
  ['.local/bin', '~/.local/bin'],
  ['.npm-global/bin', 'npm'],
  ['.nvm/versions/node/v22.1.0/bin', 'nvm'],
  ['.local/share/fnm/node-versions/v20.0.0/installation/bin', 'fnm'],
  ['.volta/bin', 'volta'],
  ['.bun/bin', 'bun'],
  ['.local/share/pnpm', 'pnpm'],
] as const;

for (const [folder, foundBy] of places) {
  test(`a program in ~/${folder} is found although it is not on the server’s PATH`, async () => {
    const home = temporaryFolder('locator');
    const path = program(join(home, folder, NAME));
    expect(await finder(home).find(adapter)).toEqual({ available: true, path, foundBy: foundBy, version: '1.2.3' });
  });
}

test('a program is found in a location that only its adapter names', async () => {
  const home = temporaryFolder('locator');
  const path = program(join(home, '.tool/local/tool'));
  expect(await finder(home).find(adapter)).toMatchObject({ available: true, path, foundBy: '~/.tool/local/tool' });
});

test('[R180] the variable takes precedence over the config file, then PATH, then the usual locations', async () => {
  const home = temporaryFolder('locator');
  const [named, inConfig, onPath] = ['named', 'inConfig', 'path'].map((folder) => program(join(home, folder, NAME)));
  program(join(home, '.local/bin', NAME));
  const PATH = join(home, 'path');
  const paths = { [adapter.id]: inConfig ?? '' };
  expect(await finder(home, { paths, env: { PATH, TOOL_PATH: named ?? '' } }).find(adapter)).toMatchObject({ path: named, foundBy: 'TOOL_PATH' });
  expect(await finder(home, { paths, env: { PATH } }).find(adapter)).toMatchObject({ path: inConfig, foundBy: 'agents.stand-in.path of config.json' });
  expect(await finder(home, { env: { PATH } }).find(adapter)).toMatchObject({ path: onPath, foundBy: 'PATH' });
});

test('a script that needs Node runs even when no Node is on the server’s PATH', async () => {
  const home = temporaryFolder('locator');
  program(join(home, '.npm-global/bin', NAME), '#!/usr/bin/env node\nconsole.log("4.5.6 (Tool)")\n');
  expect(await finder(home).find(adapter)).toMatchObject({ available: true, version: '4.5.6' });
});

test('an agent starts even when the server’s PATH is useless', async () => {
  const bench = await createEngine({ adapters: [standInAdapter], env: { PATH: '/nowhere', [STAND_IN_VARIABLE]: standIn().command } });
  const sessionId = 's-poor' as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: standInAdapter.id, cwd: bench.folder, options: {} });
  await bench.event(sessionId, 'run.ready');
});

test('a missing program is reported with how to install it and which variable to set', async () => {
  const found = await finder(temporaryFolder('locator')).find(adapter);
  expect(found).toMatchObject({
    available: false,
    problem: expect.stringMatching(/Tool was not found.*npm, nvm.*To install it: ask Ada\..*Installed elsewhere\? Set TOOL_PATH/),
  });
});

test('a file that is not executable is reported with the chmod command, whether configured or found', async () => {
  const home = temporaryFolder('locator');
  const path = program(join(home, '.bun/bin', NAME), '', 0o644);
  const words = { available: false, path, problem: expect.stringContaining(`can't be executed. Run: chmod +x ${path}`) };
  expect(await finder(home).find(adapter)).toMatchObject({ ...words, foundBy: 'bun' });
  expect(await finder(home, { env: { TOOL_PATH: path } }).find(adapter)).toMatchObject({ ...words, foundBy: 'TOOL_PATH' });
});

test('a configured path that does not exist is a problem even if the program is installed elsewhere', async () => {
  const home = temporaryFolder('locator');
  program(join(home, '.local/bin', NAME));
  expect(await finder(home, { env: { TOOL_PATH: '/not/there' } }).find(adapter)).toMatchObject({
    available: false,
    path: '/not/there',
    problem: '/not/there (from TOOL_PATH), which should be Tool, is not a file.',
  });
});

test('a program that fails is reported with its exit code and error output, and is tried again next time', async () => {
  const home = temporaryFolder('locator');
  const path = program(join(home, '.local/bin', NAME), '#!/bin/sh\n[ -e "$HOME/repaired" ] && { echo 2.0; exit; }\necho no licence >&2\nexit 3\n');
  const locator = finder(home);
  expect(await locator.find(adapter)).toMatchObject({
    available: false,
    path,
    foundBy: '~/.local/bin',
    problem: expect.stringContaining(`"${path} --version" ended with exit code 3: no licence. Repair it, or name another one in TOOL_PATH`),
  });
  writeFileSync(join(home, 'repaired'), '');
  expect(await locator.find(adapter)).toMatchObject({ available: true, version: '2.0' });
});

test('a program that never answers is killed after the limit, with everything it started', async () => {
  const home = temporaryFolder('locator');
  program(join(home, '.local/bin', NAME), '#!/bin/sh\necho waiting for a key >&2\nsleep 600 &\nsleep 600\n');
  const found = await finder(home, { versionLimitMs: 300 }).find(adapter);
  expect(found).toMatchObject({ available: false, problem: expect.stringContaining('gave no answer within 0.3 s: waiting for a key') });
  await waitFor('the end of what it started', () => processesOf(home).length === 0);
});
