import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import type { AgentDescription } from '../../src/protocol/http.ts';
import { piPath } from '../support/agents/agent-clis.ts';
import { piEnv, writeConfig } from '../support/agents/pi-setup.ts';
import { api } from '../support/client.ts';
import { createLiveSetup, type LiveSetup } from '../support/live-suite/live-setup.ts';
import { commandLine, startServer } from '../support/real-server.ts';
import { spawnScriptedModel } from '../support/scripted-model/spawn.ts';

// Pi 0.87.1 needs Node 22.19, and the server's Node is older: we use the program as npm installs it, without a wrapper script.

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const found = piPath('0.87.1');
const isOlder = Number(process.versions.node.split('.')[0]) < 22;
const skipReason = 'skip' in found ? found.skip : isOlder ? undefined : `Pi 0.87.1 runs with this Node ${process.versions.node}`;
const { path = '', node = '' } = 'path' in found ? found : {};

/** Starts the real server with Pi as it is installed, after its data folder and home are prepared. */
async function openSetup(agents: object, prepare: (home: string) => void = () => undefined): Promise<LiveSetup> {
  const model = await spawnScriptedModel();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-runtime-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  writeConfig(folder, model.url);
  writeFileSync(join(data, 'config.json'), JSON.stringify({ agents }));
  prepare(folder);
  const env = { ...piEnv(path, folder), NVM_DIR: join(folder, 'nvm') };
  const setup = createLiveSetup('pi', await startServer({ data, env }), model);
  closers.push(async () => {
    await setup.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return setup;
}

async function describePi({ server }: LiveSetup, refresh = false): Promise<AgentDescription | undefined> {
  const { agents } = (await api<{ agents: AgentDescription[] }>(server, 'GET', `/api/agents${refresh ? '?refresh=true' : ''}`)).body;
  return agents.find(({ id }) => id === 'pi');
}

const installNode = (folder: string): void => {
  mkdirSync(join(folder, 'nvm/versions/node'), { recursive: true });
  symlinkSync(dirname(dirname(node)), join(folder, 'nvm/versions/node/v24.21.0'));
};

test('an agent that needs a newer Node says so, and runs once one is installed', async ({ skip }) => {
  if (skipReason !== undefined) return skip(skipReason);
  const setup = await openSetup({});
  const needs = `needs Node ≥ 22.19, found ${process.versions.node}`;
  expect(await describePi(setup)).toMatchObject({ available: false, problem: expect.stringContaining(needs) });
  expect(await api(setup.server, 'POST', '/api/sessions', { agent: 'pi', cwd: setup.server.project })).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining(needs) } },
  });

  installNode(dirname(setup.server.data));
  expect(await describePi(setup, true)).toMatchObject({
    available: true,
    version: '0.87.1',
    interpreter: { version: '24.21.0', foundBy: expect.stringContaining('nvm') },
  });
  const { id } = await setup.create('@PLAIN hello');
  expect(await setup.event(id, 'session.started')).toMatchObject({ version: '0.87.1' });
  await setup.event(id, 'turn.completed');
});

test('an interpreter from the config file runs the agent, even after a server kill and in the next run, and values of its variables never show up', async ({
  skip,
}) => {
  if (skipReason !== undefined) return skip(skipReason);
  const setup = await openSetup({ pi: { interpreter: node, env: { PI_TEST_KEY: 'sk-very-secret' }, prependPath: ['/opt/only-here'] } });
  const interpreter = { path: node, version: '24.21.0', foundBy: 'agents.pi.interpreter of config.json' };
  expect(await describePi(setup)).toMatchObject({ available: true, version: '0.87.1', interpreter });
  const { id } = await setup.create('!echo "$PI_TEST_KEY" | wc -c; echo "$PATH" | grep -c /opt/only-here:');
  expect(JSON.stringify((await setup.event(id, 'tool.completed')).output)).toContain('15\\n1');

  await setup.server.kill9();
  await setup.server.restart();
  await setup.send(id, '@PLAIN after the server');
  await setup.event(id, 'turn.completed');
  await setup.killAgent(id);
  await setup.event(id, 'session.exited');
  await setup.send(id, '@PLAIN in the next run');
  await setup.event(id, 'assistant.text', ({ text }) => text.includes('in the next run'));

  expect(JSON.stringify([await describePi(setup), await setup.events(id), setup.server.log()])).not.toContain('sk-very-secret');
  const run = join(setup.server.data, 'sessions', id);
  const hosts = readdirSync(run, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('host.json'));
  expect(hosts.map((name) => JSON.parse(readFileSync(join(run, name), 'utf8')) as unknown)).toMatchObject([
    { command: node, args: expect.arrayContaining([path]) },
    { command: node, args: expect.arrayContaining([path]) },
  ]);
});

test('doctor prints what an agent needs, its interpreter, and only the names of its variables', async ({ skip }) => {
  if (skipReason !== undefined) return skip(skipReason);
  const data = mkdtempSync(join(tmpdir(), 'signalbox-runtime-'));
  closers.push(async () => rmSync(data, { recursive: true, force: true }));
  const env = { HOME: data, PATH: dirname(process.execPath), PI_PATH: path };
  expect(await doctor(data, env)).toContain(`needs Node ≥ 22.19, found ${process.versions.node}`);
  writeFileSync(join(data, 'config.json'), JSON.stringify({ agents: { pi: { interpreter: node, env: { PI_TEST_KEY: 'sk-very-secret' } } } }));
  const output = await doctor(data, env);
  expect(output).toContain(`runs with ${node} 24.21.0 (agents.pi.interpreter of config.json)`);
  expect(output).toContain('PI_TEST_KEY');
  expect(output).not.toContain('sk-very-secret');
});

/** What it prints, even if it exits with an error about something else on this machine. */
async function doctor(data: string, env: Readonly<Record<string, string>>): Promise<string> {
  const root = resolve(import.meta.dirname, '../..');
  const args = [...commandLine(), 'doctor', '--data', data];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch((error: { stdout: string }) => error);
  return stdout;
}
