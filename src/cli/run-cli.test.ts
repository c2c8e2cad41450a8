import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal } from '../../test/support/cli-terminal.ts';
import { standInAdapter } from '../../test/support/stand-in-adapter/index.ts';
import { AgentId } from '../protocol/ids.ts';
import { addNamedToken, readNamedTokens, revokeNamedToken } from '../server/auth/named-tokens.ts';
import { runCli } from './run-cli.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-cli-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const COMMANDS = ['serve', 'run', 'ls', 'inbox', 'answer', 'export', 'rules', 'token', 'doctor'];

test('help lists every command, and each has its own examples', async () => {
  const terminal = createTerminal({ dataDir });
  expect(await runCli([], terminal.deps)).toBe(0);
  for (const name of COMMANDS) {
    expect(terminal.out()).toContain(`  ${name}`);
    for (const line of [
      [name, '--help'],
      ['help', name],
    ]) {
      const own = createTerminal({ dataDir });
      expect(await runCli(line, own.deps)).toBe(0);
      expect(own.out()).toMatch(new RegExp(`^Usage: signalbox ${name}[^]*Examples:\n  signalbox ${name}`));
    }
  }
});

const wrong: readonly (readonly [argv: readonly string[], message: RegExp])[] = [
  [['dance'], /unknown command "dance"/],
  [['runn', 'x'], /Did you mean "run"/],
  [['ls', '--colour'], /colour/],
  [['serve', '--port', 'many'], /--port must be a number/],
  [['serve', 'now'], /unexpected argument "now"/],
  [['run'], /give a prompt in quotes/],
  [['run', 'x', '--allow', '--deny'], /either --allow or --deny, not both/],
  [['answer'], /name a request/],
  [['answer', 'r1', 'maybe'], /use either --allow or --deny/],
  [['answer', 'r1', 'deny', '--remember', 'session'], /--remember needs --allow/],
  [['answer', 'r1', 'allow', '--remember', 'always'], /session, project or everywhere/],
  [['rules', 'dance'], /use add, test, revoke/],
  [['rules', 'add', 'maybe', 'Bash', '--everywhere'], /allow or deny/],
  [['rules', 'add', 'allow'], /name a tool/],
  [['rules', 'add', 'allow', 'Bash'], /give the rule one scope/],
  [['rules', 'test', 'allow', 'Bash', '--everywhere', '--project', '.'], /give the rule one scope/],
  [['rules', 'revoke'], /name a rule/],
  [['export'], /name one session/i],
  [['export', 's1', '--format', 'pdf'], /md, html, json or recording/],
  [['token'], /add, list or revoke/],
  [['token', 'add', 'x', '--role', 'king'], /viewer, driver or owner/],
];
for (const [argv, message] of wrong) {
  test(`"signalbox ${argv.join(' ')}" exits with 2 and says what to fix`, async () => {
    const terminal = createTerminal({ dataDir });
    expect(await runCli(argv, terminal.deps)).toBe(2);
    expect(terminal.err()).toMatch(message);
    expect(terminal.out()).toBe('');
  });
}

test('serve passes its flags to the settings by name', async () => {
  let seen: Readonly<Record<string, unknown>> = {};
  const terminal = createTerminal({ dataDir });
  const loadConfig = (flags: typeof seen) => {
    seen = flags;
    return terminal.deps.loadConfig(flags);
  };
  const deps = { ...terminal.deps, loadConfig, serve: async () => 7 };
  const argv = [
    'serve',
    '--port',
    '0',
    '--no-open',
    '--json',
    '--base-path',
    '/x',
    '--tls-cert',
    'c',
    '--tls-key',
    'k',
    '--public-url',
    'https://x',
    '--insecure',
  ];
  expect(await runCli(argv, deps)).toBe(7);
  expect(seen).toMatchObject({ port: 0, open: false, json: true, basePath: '/x', tlsCert: 'c', tlsKey: 'k', publicUrl: 'https://x', insecure: true });
  expect(await runCli(['--port', '0'], deps)).toBe(7);
});

test('an invalid setting is explained without a stack', async () => {
  const terminal = createTerminal({ dataDir });
  const problem = Object.assign(new Error('The setting port is invalid'), { name: 'ConfigProblem' });
  expect(
    await runCli(['ls'], {
      ...terminal.deps,
      loadConfig: () => {
        throw problem;
      },
    }),
  ).toBe(2);
  expect(terminal.err()).toBe('signalbox ls: The setting port is invalid\n');
});

test('without a server each command that needs one says how to start it', async () => {
  for (const argv of [['ls'], ['inbox'], ['answer', 'r', 'allow'], ['run', 'x'], ['export', 's1']]) {
    const terminal = createTerminal({ dataDir });
    expect(await runCli(argv, terminal.deps)).toBe(1);
    expect(terminal.err()).toContain('Start one: signalbox serve');
  }
});

test('a server file left behind by a dead server is ignored', async () => {
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', pid: 2 ** 22 + 1 }));
  const terminal = createTerminal({ dataDir });
  expect(await runCli(['ls'], terminal.deps)).toBe(1);
  expect(terminal.err()).toContain('No server is running');
});

test('tokens are added, listed and revoked; the token itself is alone on stdout', async () => {
  const tokens = { add: addNamedToken, list: readNamedTokens, revoke: revokeNamedToken };
  const call = async (...argv: string[]) => {
    const terminal = createTerminal({ dataDir, deps: { tokens } });
    return { code: await runCli(['token', ...argv], terminal.deps), out: terminal.out(), err: terminal.err() };
  };
  const added = await call('add', 'anna', '--role', 'viewer');
  expect(added.out).toMatch(/^[\w-]{43}\n$/);
  expect((await call('list')).out).toMatch(/anna +viewer/);
  expect((await call('add', 'anna')).err).toContain('already');
  expect((await call('revoke', 'anna')).code).toBe(0);
  expect((await call('revoke', 'anna')).code).toBe(1);
  expect((await call('revoke', 'owner')).err).toContain('delete the file and restart the server');
});

test('doctor prints the settings in effect and fails when something is missing', async () => {
  const terminal = createTerminal({ dataDir });
  expect(await runCli(['doctor'], terminal.deps)).toBe(1);
  expect(terminal.out()).toMatch(/port +0 +default/);
  expect(terminal.out()).toContain('BAD  web files: missing');
  expect(terminal.out()).toMatch(/ok {3}FIFOs: supported/);
  writeFileSync(join(dataDir, 'index.html'), '');
  const json = createTerminal({ dataDir });
  expect(await runCli(['doctor', '--json'], json.deps)).toBe(0);
  expect(JSON.parse(json.out()).findings).toContainEqual({ level: 'good', what: 'web files', detail: dataDir });
});

test('doctor prints the path and version of every agent and how it was found, or how to install it', async () => {
  const { capabilities, icon } = standInAdapter;
  const base = { id: AgentId.parse('tool'), title: 'Tool', icon, capabilities, sessions: 0, verifiedWith: ['1.2.3'] };
  const installed = { ...base, available: true, path: '/home/ada/.bun/bin/tool', foundBy: 'bun', version: '1.2.4' };
  const missing = { ...base, available: false, problem: 'Tool was not found. To install it: ask Ada.' };
  const terminal = createTerminal({ dataDir, deps: { agents: async () => [installed, missing] } });
  await runCli(['doctor'], terminal.deps);
  expect(terminal.out()).toContain('ok   agent tool: 1.2.4 · /home/ada/.bun/bin/tool · found via bun · tested with 1.2.3');
  expect(terminal.out()).toContain('note agent tool: Tool was not found. To install it: ask Ada.');
});

test('doctor rebuilds only while no server runs', async () => {
  const deps = { rebuild: async () => ['3 sessions restored'] };
  const terminal = createTerminal({ dataDir, deps });
  expect(await runCli(['doctor', '--rebuild'], terminal.deps)).toBe(0);
  expect(terminal.out()).toBe('3 sessions restored\n');
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', pid: process.pid }));
  expect(await runCli(['doctor', '--rebuild'], terminal.deps)).toBe(1);
  expect(terminal.err()).toContain('Stop it first');
});

test.each([
  ['answer', 'r1', '--allow'],
  ['token', 'add', 'me', '--role', 'owner'],
  ['token', 'list'],
  ['rules', 'add', 'allow', 'Bash', '--everywhere'],
  ['doctor', '--rebuild'],
])('[R311] an agent that runs "signalbox %s %s" never acts as the owner', async (...argv) => {
  writeFileSync(join(dataDir, 'token'), 'the-owner');
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', pid: process.pid }));
  const tokens = { add: addNamedToken, list: readNamedTokens, revoke: revokeNamedToken };
  const terminal = createTerminal({ dataDir, deps: { tokens, env: { SIGNALBOX_RUN: 'r1', SIGNALBOX_TOKEN: 'the-owner' } } });
  expect(await runCli(argv, terminal.deps)).toBe(4);
  expect(terminal.err()).toMatch(/Ask the person you work for/);
  expect(readNamedTokens(dataDir)).toEqual([]);
});
