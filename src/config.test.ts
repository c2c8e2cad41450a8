import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentsFor, ConfigProblem, loadConfig, VARIABLES } from './config.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const load = (flags: Record<string, unknown> = {}, env: Record<string, string> = {}) =>
  loadConfig({ flags: { data, ...flags }, env: { HOME: '/home/anna', ...env } });
const file = (settings: unknown): void => writeFileSync(join(data, 'config.json'), typeof settings === 'string' ? settings : JSON.stringify(settings));

test('without any settings, the defaults apply', () => {
  const config = loadConfig({ flags: {}, env: { HOME: '/home/anna' } });
  expect(config).toMatchObject({ host: '127.0.0.1', port: 4750, basePath: '', idleMinutes: 10, open: true, log: 'info', allowedHosts: [] });
  expect(config.data).toBe('/home/anna/.local/share/signalbox');
  expect(config.roots).toEqual(['/home/anna']);
  expect(config.from.port).toBe('default');
});

test('the data folder follows XDG, then the variable, then the flag', () => {
  const env = { HOME: '/h', XDG_DATA_HOME: '/xdg' };
  expect(loadConfig({ flags: {}, env }).data).toBe('/xdg/signalbox');
  expect(loadConfig({ flags: {}, env: { ...env, SIGNALBOX_DATA: '/env' } }).data).toBe('/env');
  expect(loadConfig({ flags: { data: '/flag' }, env: { ...env, SIGNALBOX_DATA: '/env' } }).data).toBe('/flag');
});

test('a flag overrides the environment, which overrides the file, which overrides the default', () => {
  file({ port: 1, maxLive: 2, idleMinutes: 3 });
  const config = load({ port: 30 }, { SIGNALBOX_PORT: '20', SIGNALBOX_MAX_LIVE: '20' });
  expect([config.port, config.maxLive, config.idleMinutes]).toEqual([30, 20, 3]);
  expect([config.from.port, config.from.maxLive, config.from.idleMinutes, config.from.host]).toEqual(['flag', 'environment', 'file', 'default']);
});

test('lists in the environment can be separated by colons, commas or spaces', () => {
  const config = load({}, { SIGNALBOX_ROOTS: '/a:/b', SIGNALBOX_ALLOWED_HOSTS: 'x.org, y.org' });
  expect(config.roots).toEqual(['/a', '/b']);
  expect(config.allowedHosts).toEqual(['x.org', 'y.org']);
});

test('the file can set an agent’s executable under its id', () => {
  file({ agents: { 'stand-in': { path: '/opt/stand-in' } } });
  expect(load().agentPaths).toEqual({ 'stand-in': '/opt/stand-in' });
});

test('an ACP agent that the file describes is a separate agent', () => {
  file({ agents: { 'acp:mine': { title: 'Mine', command: 'mine', args: ['acp'], env: { MINE_KEY: 'secret' }, can: ['resume'] } } });
  const config = load();
  expect(config.configuredAgents).toMatchObject({
    'acp:mine': { title: 'Mine', command: 'mine', args: ['acp'], versionArgs: ['--version'], can: ['resume'], modes: [] },
  });
  expect(config.agentPaths).toEqual({});
  expect(JSON.stringify(config.values)).not.toContain('secret');
});

test('the file sets what any kind of agent runs with, and values of variables are not shown', () => {
  const runtime = { interpreter: '/opt/node', prependPath: ['/opt/bin'], env: { MINE_KEY: 'secret' } };
  file({ agents: { 'stand-in': runtime, 'acp:mine': { title: 'Mine', command: 'mine', ...runtime } } });
  const config = load();
  expect(config.agentRuntimes).toEqual({ 'stand-in': runtime, 'acp:mine': runtime });
  expect(config.agentPaths).toEqual({});
  expect(JSON.stringify(config.values)).toContain('MINE_KEY');
  expect(JSON.stringify(config.values)).not.toContain('secret');
});

test('a configured agent’s command can be a path', () => {
  file({ agents: { 'acp:mine': { title: 'Mine', command: '/opt/mine' } } });
  expect(load().agentPaths).toEqual({ 'acp:mine': '/opt/mine' });
});

const wrong: readonly (readonly [name: string, agents: object, message: RegExp])[] = [
  ['no command', { 'acp:mine': { title: 'Mine' } }, /agents\.acp:mine\.command \(from config\.json\)/],
  ['no title', { 'acp:mine': { command: 'mine' } }, /agents\.acp:mine\.title/],
  ['an unknown capability', { 'acp:mine': { title: 'Mine', command: 'mine', can: ['fly'] } }, /agents\.acp:mine\.can\.0/],
  ['a misspelled setting', { 'acp:mine': { title: 'Mine', command: 'mine', arg: [] } }, /agents\.acp:mine/],
  ['no name', { 'acp:': { title: 'Mine', command: 'mine' } }, /a lowercase name/],
  ['an uppercase name', { 'acp:Mine': { title: 'Mine', command: 'mine' } }, /a lowercase name/],
  ['a relative folder', { 'stand-in': { prependPath: ['bin'] } }, /agents\.stand-in\.prependPath\.0/],
  ['an invalid variable name', { 'stand-in': { env: { 'A B': 'x' } } }, /agents\.stand-in\.env/],
  ['an unknown setting', { 'stand-in': { interpeter: 'node' } }, /agents\.stand-in/],
  ['a path that is not a string', { 'stand-in': { path: 7 } }, /agents\.stand-in\.path/],
];
for (const [name, agents, message] of wrong) {
  test(`an agent with ${name} is refused with the name of the setting`, () => {
    file({ agents });
    expect(() => load()).toThrow(message);
  });
}

const bad: readonly (readonly [name: string, flags: Record<string, unknown>, env: Record<string, string>, message: RegExp])[] = [
  ['a port that is not a number', {}, { SIGNALBOX_PORT: 'many' }, /port \(from the variable SIGNALBOX_PORT\)/],
  ['a port out of range', { port: 70_000 }, {}, /port \(from the command line\)/],
  ['a limit of zero live agents', {}, { SIGNALBOX_MAX_LIVE: '0' }, /maxLive/],
  ['an unknown log level', {}, { SIGNALBOX_LOG: 'loud' }, /log \(from the variable SIGNALBOX_LOG\)/],
  ['a token with a space', {}, { SIGNALBOX_TOKEN: 'two words' }, /token .* can’t contain spaces/],
  ['a base path that ends with a slash', { basePath: '/x/' }, {}, /basePath .* must start with/],
  ['an invalid public address', { publicUrl: 'box.example.org' }, {}, /publicUrl/],
  ['an allowed host with a port', {}, { SIGNALBOX_ALLOWED_HOSTS: 'x.org:80' }, /allowedHosts/],
  ['a TLS certificate without a key', { tlsCert: '/c' }, {}, /both/],
  ['a TLS file that does not exist', { tlsCert: '/nowhere/c', tlsKey: '/nowhere/k' }, {}, /doesn't exist/],
];
for (const [name, flags, env, message] of bad) {
  test(`${name} is refused with its name and where it came from`, () => {
    expect(() => load(flags, env)).toThrow(ConfigProblem);
    expect(() => load(flags, env)).toThrow(message);
  });
}

const files: readonly (readonly [name: string, content: unknown, message: RegExp])[] = [
  ['a misspelled setting', { prot: 1 }, /unknown setting prot. Known settings: host, port/],
  ['a wrong kind of value', { port: '1' }, /port \(from config.json\)/],
  ['broken JSON', '{', /is not a JSON object/],
  ['a list', [], /is not a JSON object/],
  ['its own data folder', { data: '/x' }, /unknown setting data/],
];
for (const [name, content, message] of files) {
  test(`a config file with ${name} is refused with a reason`, () => {
    file(content);
    expect(() => load()).toThrow(message);
  });
}

const hosts: readonly (readonly [flags: Record<string, unknown>, isAllowed: boolean])[] = [
  [{ host: '127.0.0.1' }, true],
  [{ host: '::1' }, true],
  [{ host: 'localhost' }, true],
  [{ host: '0.0.0.0' }, false],
  [{ host: '192.168.1.5' }, false],
  [{ host: '0.0.0.0', publicUrl: 'https://box.example.org' }, true],
  [{ host: '0.0.0.0', insecure: true }, true],
];
for (const [flags, isAllowed] of hosts) {
  test(`serving with ${JSON.stringify(flags)} is ${isAllowed ? 'allowed' : 'refused, with the alternatives'}`, () => {
    if (isAllowed) expect(load(flags).host).toBe(flags.host);
    else expect(() => load(flags)).toThrow(/--tls-cert.*--public-url.*--insecure/);
  });
}

test('[R700] a Redis on another machine needs a cluster key, one on this machine does not, and messages never contain the address', () => {
  const url = 'redis://:secret@redis.example:6379';
  expect(() => load({}, { SIGNALBOX_REDIS_URL: url })).toThrow(/signalbox nodes key/);
  expect(() => load({}, { SIGNALBOX_REDIS_URL: url })).not.toThrow(/secret/);
  expect(load({}, { SIGNALBOX_REDIS_URL: url, SIGNALBOX_CLUSTER_KEY: 'ab'.repeat(32) })).toMatchObject({ cluster: 'default', clusterRole: 'driver' });
  for (const here of ['redis://127.0.0.1', 'redis://:pw@localhost:6380/1', 'rediss://[::1]:6379', 'unix:/run/redis.sock']) {
    expect(load({}, { SIGNALBOX_REDIS_URL: here }).redisUrl).toBe(here);
  }
  expect(() => load({}, { SIGNALBOX_CLUSTER_KEY: 'too-short' })).toThrow(/clusterKey .*signalbox nodes key/);
  expect(() => load({}, { SIGNALBOX_REDIS_URL: 'http://secret' })).toThrow(/it starts with redis/);
});

test('the operations page names every variable and every setting', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8');
  for (const [variable, setting] of VARIABLES) {
    expect(page).toContain(`\`${variable}\``);
    expect(page).toContain(`\`${setting}\``);
  }
});

test('[R361] by default, the number of agents follows from the memory, and is at least 12', () => {
  const gigabytes = (count: number) => agentsFor(count * 1024 ** 3);
  expect([gigabytes(1), gigabytes(8), gigabytes(16), gigabytes(32), gigabytes(64)]).toEqual([12, 12, 20, 40, 81]);
  expect(load({}, {}).maxLive).toBeGreaterThanOrEqual(12);
});
