import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { standIn } from '../../test/support/agents/stand-in-program.ts';
import { createEngine } from '../../test/support/engine/test-engine.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../../test/support/stand-in-adapter/index.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Adapter } from '../agents/port/adapter.ts';
import type { AgentRuntime } from '../agents/port/agent-runtime.ts';
import type { SessionId } from '../protocol/ids.ts';
import { agentEnvs } from './agent-environments.ts';
import { createLocator } from './locator.ts';

// Newer than any real Node, so that only the test's own ones match.
const NEEDED = '>=9999.1';
const NEWEST = 'v9999.1.0';

const adapter = (needs?: { readonly node: string }): Adapter => ({
  ...standInAdapter,
  title: 'Tool',
  locate: { variable: 'TOOL_PATH', names: [], versionArgs: ['--version'], ...(needs && { needs }) },
});

/** A machine with one program, located with these settings from the config file. */
function machine(program: string, runtime: AgentRuntime = {}, home = temporaryFolder('interpreter')) {
  const runtimes = { [standInAdapter.id]: runtime };
  const envFor = agentEnvs({ HOME: home, PATH: dirname(process.execPath), TOOL_PATH: program }, runtimes);
  return createLocator({ envFor, packageRoot: '/', paths: {}, runtimes });
}

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** A program whose package requires a Node that doesn't exist. */
function tool(folder: string, script: string): string {
  put(join(folder, 'package.json'), JSON.stringify({ name: 'tool', type: 'module', engines: { node: NEEDED } }));
  return put(join(folder, 'dist/cli.js'), `#!/usr/bin/env node\n${script}`);
}

/** Runs our own Node, but reports another version. */
const node = (path: string, version = NEWEST): string =>
  put(path, `#!/bin/sh\n[ "$1" = --version ] && { echo ${version}; exit; }\nRUN_BY=${version} exec ${process.execPath} "$@"\n`);

const PRINTS_VERSION = 'console.log("1.0.0 by " + (process.env.RUN_BY ?? "its own"));\n';
const NEEDS_NEW_NODE = `if (!process.env.RUN_BY) { console.error("too old"); process.exit(7); }\n${PRINTS_VERSION}`;

test('a program whose package needs a newer Node runs with one from a version manager, and the result names it', async () => {
  const home = temporaryFolder('interpreter');
  node(join(home, '.nvm/versions/node/v9998.0.0/bin/node'), 'v9998.0.0');
  const path = node(join(home, `.nvm/versions/node/${NEWEST}/bin/node`));
  const found = await machine(tool(home, NEEDS_NEW_NODE), {}, home).find(adapter());
  expect(found).toMatchObject({ available: true, version: '1.0.0', interpreter: { path, version: '9999.1.0', foundBy: 'looking for Node ≥ 9999.1: nvm' } });
});

const managers = [
  ['volta', '.volta/tools/image/node/9999.1.0/bin'],
  ['asdf', '.asdf/installs/nodejs/9999.1.0/bin'],
  ['mise', '.local/share/mise/installs/node/9999.1.0/bin'],
  ['nodenv', '.nodenv/versions/9999.1.0/bin'],
] as const;
for (const [manager, folder] of managers) {
  test(`a Node of ${manager} is found`, async () => {
    const home = temporaryFolder('interpreter');
    const path = node(join(home, folder, 'node'));
    expect(await machine(tool(home, NEEDS_NEW_NODE), {}, home).find(adapter())).toMatchObject({ available: true, interpreter: { path } });
  });
}

test('the Node next to the program is preferred over all others', async () => {
  const home = temporaryFolder('interpreter');
  node(join(home, `.nvm/versions/node/${NEWEST}/bin/node`));
  const program = tool(home, NEEDS_NEW_NODE);
  const path = node(join(dirname(program), 'node'));
  expect(await machine(program, {}, home).find(adapter())).toMatchObject({
    available: true,
    interpreter: { path, foundBy: expect.stringContaining('beside it') },
  });
});

test('[R235] when no Node matches, the problem names the required and the found version', async () => {
  const found = await machine(tool(temporaryFolder('tool'), NEEDS_NEW_NODE)).find(adapter());
  expect(found).toMatchObject({ available: false, problem: expect.stringContaining(`needs Node ≥ 9999.1, found ${process.versions.node}`) });
  expect(found).toMatchObject({ problem: expect.stringContaining('exit code 7: too old') });
  expect(found).toMatchObject({ problem: expect.stringContaining('agents.stand-in.interpreter of config.json, or name another one in TOOL_PATH') });
});

test('a program is tried even when its package requires a newer Node, but not when the adapter does', async () => {
  const program = tool(temporaryFolder('tool'), PRINTS_VERSION);
  expect(await machine(program).find(adapter())).toMatchObject({ available: true, version: '1.0.0' });
  expect(await machine(program).find(adapter({ node: NEEDED }))).toMatchObject({ available: false, problem: expect.stringContaining('needs Node ≥ 9999.1') });
});

test('a script that starts a program with a newer Node requirement gets that Node first on its PATH', async () => {
  const home = temporaryFolder('interpreter');
  node(join(home, `.nvm/versions/node/${NEWEST}/bin/node`));
  const program = put(join(home, 'shim'), `#!/bin/sh\nexec node ${put(join(home, 'inner.mjs'), NEEDS_NEW_NODE)} "$@"\n`);
  expect(await machine(program, {}, home).find(adapter({ node: NEEDED }))).toMatchObject({
    available: true,
    version: '1.0.0',
    interpreter: { isOnPath: true },
  });
});

test('an interpreter from the config file runs the program, named by its path or by its name in the agent’s folders', async () => {
  const home = temporaryFolder('interpreter');
  const path = node(join(home, 'opt/node-new'));
  const program = tool(home, NEEDS_NEW_NODE);
  const interpreter = { path, foundBy: 'agents.stand-in.interpreter of config.json' };
  expect(await machine(program, { interpreter: path }).find(adapter())).toMatchObject({ available: true, interpreter });
  expect(await machine(program, { interpreter: 'node-new', prependPath: [dirname(path)] }).find(adapter())).toMatchObject({ available: true, interpreter });
});

test('an interpreter from the config file that is too old or missing is reported', async () => {
  const program = tool(temporaryFolder('tool'), PRINTS_VERSION);
  expect(await machine(program, { interpreter: process.execPath }).find(adapter())).toMatchObject({
    available: false,
    problem: expect.stringContaining(`needs Node ≥ 9999.1, found ${process.versions.node} (agents.stand-in.interpreter of config.json)`),
  });
  expect(await machine(program, { interpreter: '/not/there' }).find(adapter())).toMatchObject({
    available: false,
    problem: expect.stringContaining('needs /not/there (agents.stand-in.interpreter of config.json), which is not installed here'),
  });
});

test('the reported error output of a program does not contain values of its variables', async () => {
  const program = put(join(temporaryFolder('tool'), 'tool'), '#!/bin/sh\necho "bad key $TOOL_KEY" >&2\nexit 1\n');
  const found = await machine(program, { env: { TOOL_KEY: 'sk-very-secret' } }).find(adapter());
  expect(found).toMatchObject({ available: false, problem: expect.stringContaining('bad key (the value of TOOL_KEY)') });
});

test('a program’s version is read once, and again on a rescan', async () => {
  const folder = temporaryFolder('tool');
  const inner = put(join(folder, 'inner'), '1.0.0');
  const locator = machine(put(join(folder, 'tool'), `#!/bin/sh\ncat ${inner}\n`));
  expect(await locator.find(adapter())).toMatchObject({ version: '1.0.0' });
  writeFileSync(inner, '2.0.0');
  expect(await locator.find(adapter())).toMatchObject({ version: '1.0.0' });
  expect(await locator.find(adapter(), 'rescan')).toMatchObject({ version: '2.0.0' });
  expect(await locator.find(adapter())).toMatchObject({ version: '2.0.0' });
});

test('[R236] a session runs with its agent’s interpreter, folders and variables, and no file or answer contains their values', async () => {
  const home = temporaryFolder('interpreter');
  const seen = join(home, 'seen');
  const interpreter = put(join(home, 'opt/runs'), `#!/bin/sh\necho "$PATH $TOOL_KEY $*" >> ${seen}\nexec "$@"\n`);
  const runtime = { interpreter, prependPath: ['/opt/first'], env: { TOOL_KEY: 'sk-very-secret' } };
  const { command } = standIn();
  const bench = await createEngine({ adapters: [standInAdapter], env: { [STAND_IN_VARIABLE]: command }, runtimes: { 'stand-in': runtime } });
  const sessionId = 's-runtime' as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: standInAdapter.id, cwd: bench.folder, options: {} });
  await bench.event(sessionId, 'run.ready');
  const launched = await waitFor('the launch', () =>
    readFileSync(seen, 'utf8')
      .split('\n')
      .find((line) => line.includes('--session')),
  );
  expect(launched).toMatch(new RegExp(`^/opt/first:.* sk-very-secret ${command} --session`));

  expect(JSON.stringify([await bench.engine.agents(), bench.events(sessionId)])).not.toContain('sk-very-secret');
  const run = join(bench.dataDir, 'sessions', sessionId, readdirSync(join(bench.dataDir, 'sessions', sessionId)).find((name) => name.startsWith('r')) ?? '');
  expect(JSON.parse(readFileSync(join(run, 'host.json'), 'utf8'))).toMatchObject({ command: interpreter, args: [command, '--session', expect.any(String)] });
  const written = readdirSync(run).filter((name) => !['bell', 'pipe'].includes(name));
  expect(written.filter((name) => readFileSync(join(run, name), 'utf8').includes('sk-very-secret'))).toEqual([]);
});
