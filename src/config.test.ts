import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigProblem, idleSettings, loadConfig, VARIABLES } from './config.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const load = (flags: Record<string, unknown> = {}, env: Record<string, string> = {}) =>
  loadConfig({ flags: { data, ...flags }, env: { HOME: '/home/anna', ...env } });
const file = (settings: unknown): void => writeFileSync(join(data, 'config.json'), typeof settings === 'string' ? settings : JSON.stringify(settings));

test('without anything said, the defaults hold', () => {
  const config = loadConfig({ flags: {}, env: { HOME: '/home/anna' } });
  expect(config).toMatchObject({ host: '127.0.0.1', port: 4750, basePath: '', maxLive: 5, idleMinutes: 10, open: true, log: 'info', allowedHosts: [] });
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

test('a flag wins over the environment, that over the file, that over the default', () => {
  file({ port: 1, maxLive: 2, idleMinutes: 3 });
  const config = load({ port: 30 }, { SIGNALBOX_PORT: '20', SIGNALBOX_MAX_LIVE: '20' });
  expect([config.port, config.maxLive, config.idleMinutes]).toEqual([30, 20, 3]);
  expect([config.from.port, config.from.maxLive, config.from.idleMinutes, config.from.host]).toEqual(['flag', 'environment', 'file', 'default']);
});

test('lists in the environment are split as people write them', () => {
  const config = load({}, { SIGNALBOX_ROOTS: '/a:/b', SIGNALBOX_ALLOWED_HOSTS: 'x.org, y.org' });
  expect(config.roots).toEqual(['/a', '/b']);
  expect(config.allowedHosts).toEqual(['x.org', 'y.org']);
});

test('an agent’s executable may stand in the file under its id', () => {
  file({ agents: { 'stand-in': { path: '/opt/stand-in' } } });
  expect(load().agentPaths).toEqual({ 'stand-in': '/opt/stand-in' });
});

test('an agent that speaks ACP is described in the file, and an agent of its own', () => {
  file({ agents: { 'acp:mine': { title: 'Mine', command: 'mine', args: ['acp'], env: { MINE_KEY: 'secret' }, can: ['resume'] } } });
  const config = load();
  expect(config.configuredAgents).toMatchObject({
    'acp:mine': { title: 'Mine', command: 'mine', args: ['acp'], versionArgs: ['--version'], can: ['resume'], modes: [] },
  });
  expect(config.agentPaths).toEqual({});
  expect(JSON.stringify(config.values)).not.toContain('secret');
});

test('what an agent runs with stands in the file, for every kind of agent; values of variables are not shown', () => {
  const runtime = { interpreter: '/opt/node', prependPath: ['/opt/bin'], env: { MINE_KEY: 'secret' } };
  file({ agents: { 'stand-in': runtime, 'acp:mine': { title: 'Mine', command: 'mine', ...runtime } } });
  const config = load();
  expect(config.agentRuntimes).toEqual({ 'stand-in': runtime, 'acp:mine': runtime });
  expect(config.agentPaths).toEqual({});
  expect(JSON.stringify(config.values)).toContain('MINE_KEY');
  expect(JSON.stringify(config.values)).not.toContain('secret');
});

test('its program may be named by a path', () => {
  file({ agents: { 'acp:mine': { title: 'Mine', command: '/opt/mine' } } });
  expect(load().agentPaths).toEqual({ 'acp:mine': '/opt/mine' });
});

const wrong: readonly (readonly [name: string, agents: object, words: RegExp])[] = [
  ['no command', { 'acp:mine': { title: 'Mine' } }, /agents\.acp:mine\.command \(from config\.json\)/],
  ['no title', { 'acp:mine': { command: 'mine' } }, /agents\.acp:mine\.title/],
  ['an ability that nobody has', { 'acp:mine': { title: 'Mine', command: 'mine', can: ['fly'] } }, /agents\.acp:mine\.can\.0/],
  ['a misspelled setting', { 'acp:mine': { title: 'Mine', command: 'mine', arg: [] } }, /agents\.acp:mine/],
  ['no name', { 'acp:': { title: 'Mine', command: 'mine' } }, /a lowercase name/],
  ['a name in capitals', { 'acp:Mine': { title: 'Mine', command: 'mine' } }, /a lowercase name/],
  ['a folder that is not whole', { 'stand-in': { prependPath: ['bin'] } }, /agents\.stand-in\.prependPath\.0/],
  ['a variable without a name', { 'stand-in': { env: { 'A B': 'x' } } }, /agents\.stand-in\.env/],
  ['a setting that nobody knows', { 'stand-in': { interpeter: 'node' } }, /agents\.stand-in/],
  ['a path that is none', { 'stand-in': { path: 7 } }, /agents\.stand-in\.path/],
];
for (const [name, agents, words] of wrong) {
  test(`an agent with ${name} is told by the name of the setting`, () => {
    file({ agents });
    expect(() => load()).toThrow(words);
  });
}

const bad: readonly (readonly [name: string, flags: Record<string, unknown>, env: Record<string, string>, words: RegExp])[] = [
  ['a port that is no number', {}, { SIGNALBOX_PORT: 'many' }, /port \(from the variable SIGNALBOX_PORT\)/],
  ['a port out of range', { port: 70_000 }, {}, /port \(from the command line\)/],
  ['no live agent at all', {}, { SIGNALBOX_MAX_LIVE: '0' }, /maxLive/],
  ['an unknown log level', {}, { SIGNALBOX_LOG: 'loud' }, /log \(from the variable SIGNALBOX_LOG\)/],
  ['a token with a space', {}, { SIGNALBOX_TOKEN: 'two words' }, /token .* can’t contain spaces/],
  ['a base path that ends with a slash', { basePath: '/x/' }, {}, /basePath .* must start with/],
  ['a public address that is none', { publicUrl: 'box.example.org' }, {}, /publicUrl/],
  ['an allowed host with a port', {}, { SIGNALBOX_ALLOWED_HOSTS: 'x.org:80' }, /allowedHosts/],
  ['half of TLS', { tlsCert: '/c' }, {}, /both/],
  ['a TLS file that does not exist', { tlsCert: '/nowhere/c', tlsKey: '/nowhere/k' }, {}, /doesn't exist/],
];
for (const [name, flags, env, words] of bad) {
  test(`${name} is refused with its name and where it came from`, () => {
    expect(() => load(flags, env)).toThrow(ConfigProblem);
    expect(() => load(flags, env)).toThrow(words);
  });
}

const files: readonly (readonly [name: string, content: unknown, words: RegExp])[] = [
  ['a misspelled setting', { prot: 1 }, /unknown setting prot. Known settings: host, port/],
  ['a wrong kind of value', { port: '1' }, /port \(from config.json\)/],
  ['broken JSON', '{', /is not a JSON object/],
  ['a list', [], /is not a JSON object/],
  ['its own data folder', { data: '/x' }, /unknown setting data/],
];
for (const [name, content, words] of files) {
  test(`a config file with ${name} is refused in words`, () => {
    file(content);
    expect(() => load()).toThrow(words);
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
  test(`serving with ${JSON.stringify(flags)} is ${isAllowed ? 'allowed' : 'refused, with the ways out'}`, () => {
    if (isAllowed) expect(load(flags).host).toBe(flags.host);
    else expect(() => load(flags)).toThrow(/--tls-cert.*--public-url.*--insecure/);
  });
}

test('a Redis address is taken, with a warning that nothing uses it yet and without the address itself', () => {
  const [warning, ...others] = idleSettings(load({}, { SIGNALBOX_REDIS_URL: 'redis://:secret@127.0.0.1' }));
  expect(warning).toMatch(/SIGNALBOX_REDIS_URL .* nothing uses it yet/);
  expect(warning).not.toContain('secret');
  expect(others).toEqual([]);
  expect(idleSettings(load())).toEqual([]);
});

test('the operations page names every variable and every setting', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8');
  for (const [variable, setting] of VARIABLES) {
    expect(page).toContain(`\`${variable}\``);
    expect(page).toContain(`\`${setting}\``);
  }
});
