import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { endProcessesOf } from '../support/processes.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let home: string;
let env: Record<string, string>;
const children: ChildProcess[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  env = { HOME: home, PATH: `${home}/bin:${process.env.PATH ?? ''}`, SIGNALBOX_DATA: join(home, 'data'), DEMO_AGENT_PACE_MS: '0', SIGNALBOX_RESERVE_MB: '1' };
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, 'project'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await endProcessesOf(home);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** As `npm install -g` does: a folder for the package, and a name on the PATH that leads to it. */
function installPackage(version: string): void {
  const folder = join(home, 'lib/node_modules/signalbox');
  if (existsSync(folder)) renameSync(folder, `${folder}-before`);
  for (const name of ['bin', 'dist']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...about, version }));
  for (const name of ['@photostructure/sqlite', 'node-gyp-build'])
    if (existsSync(join(ROOT, 'node_modules', name))) cpSync(join(ROOT, 'node_modules', name), join(home, 'lib/node_modules', name), { recursive: true });
  if (!existsSync(join(home, 'bin/signalbox'))) symlinkSync(join(folder, 'bin/signalbox.mjs'), join(home, 'bin/signalbox'));
}

/** Starts what the unit says, as systemd would: no shell, its own variables. */
function startUnit(unit: string): ChildProcess {
  const wordsIn = (line: string): string[] =>
    [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => word.replaceAll('%%', '%').replaceAll('$$', '$'));
  const line = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
  const [program = '', ...args] = wordsIn(line);
  const own = Object.fromEntries([...unit.matchAll(/^Environment="?([A-Z_]+)=(.*?)"?$/gm)].map(([, name, value]) => [name, value]));
  const child = spawn(program, args, { env: { HOME: home, DEMO_AGENT_PACE_MS: '0', SIGNALBOX_RESERVE_MB: '1', ...own }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

const plainUnit = (): string => `ExecStart="${home}/bin/signalbox" "serve" "--no-open" "--data" "${home}/data" "--port" "0"\nEnvironment=PATH=${env.PATH}\n`;

async function addressOf(child: ChildProcess): Promise<{ readonly url: string; readonly token: string }> {
  const file = join(home, 'data/server.json');
  const isReady = (): boolean => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).pid === child.pid;
  await expect.poll(isReady).toBe(true);
  return { url: JSON.parse(readFileSync(file, 'utf8')).url, token: readFileSync(join(home, 'data/token'), 'utf8').trim() };
}

test('[R576] when the service restarts and the package is upgraded, an agent in the middle of a turn continues with the new server', async () => {
  installPackage('1.0.0');
  const unit = execFileSync(join(home, 'bin/signalbox'), ['service', 'install', '--print', '--port', '0'], { env, cwd: home, encoding: 'utf8' });
  expect(unit).toContain(`ExecStart="${home}/bin/signalbox" "serve"`);
  const first = startUnit(unit);
  let printed = '';
  for (const stream of [first.stdout, first.stderr])
    stream?.on('data', (text: Buffer) => {
      printed += text.toString();
    });
  const before = await addressOf(first);
  const { body: session } = await api<Session>(before, 'POST', '/api/sessions', { agent: 'demo', cwd: join(home, 'project'), prompt: 'wait' });
  const sessionAt = async (server: typeof before): Promise<Session> => (await api<Session>(server, 'GET', `/api/sessions/${session.id}`)).body;
  await expect.poll(async () => (await sessionAt(before)).status).toBe('busy');
  const { pid } = await sessionAt(before);
  expect(printed).not.toContain(before.token);

  // KillMode=process: the signal goes to the server only.
  const exited = new Promise((done) => first.once('exit', done));
  first.kill('SIGTERM');
  await exited;
  installPackage('1.1.0');
  const after = await addressOf(startUnit(unit));
  expect((await api<{ version: string }>(after, 'GET', '/healthz')).body.version).toBe('1.1.0');
  expect(await sessionAt(after)).toMatchObject({ status: 'busy', pid });
  await api(after, 'POST', `/api/sessions/${session.id}/input`, { text: 'enough', mode: 'steer' });
  await expect.poll(async () => (await sessionAt(after)).status).toBe('idle');
  const { events } = (await api<{ events: Event[] }>(after, 'GET', `/api/sessions/${session.id}/events?after=0`)).body;
  expect(events.filter(({ type }) => type === 'turn.started' || type === 'turn.completed')).toMatchObject([
    { type: 'turn.started' },
    { type: 'turn.completed', isError: false, interrupted: false },
  ]);
  expect(events.filter(({ type }) => type === 'run.opened')).toHaveLength(1);
});

test('the script of docs/terminal.md starts three sessions, waits, and collects what they say', async () => {
  installPackage('1.0.0');
  await addressOf(startUnit(plainUnit()));
  const script = join(home, 'three-sessions.sh');
  const page = readFileSync(join(ROOT, 'docs/terminal.md'), 'utf8');
  writeFileSync(script, /```sh\n(#!\/bin\/sh[\s\S]*?)```/.exec(page)?.[1] ?? '');
  const out = execFileSync('sh', [script, 'echo one', 'think', 'echo three'], { env, cwd: join(home, 'project'), encoding: 'utf8' });
  expect(out).toMatch(/^(== [\w-]+\nIn one sentence: what did you find\?\n){3}$/);
});

test('the completion scripts complete verbs and sessions in a real shell', async ({ skip }) => {
  const shells = ['bash', 'zsh', 'fish'].filter((shell) => spawnSync(shell, ['--version']).status === 0);
  if (shells.length === 0) return skip('no shell is installed');
  installPackage('1.0.0');
  const server = startUnit(plainUnit());
  const { body: session } = await api<Session>(await addressOf(server), 'POST', '/api/sessions', {
    agent: 'demo',
    cwd: join(home, 'project'),
    title: 'Mend "the" $fence: now',
  });
  for (const shell of shells) {
    const script = join(home, `completion.${shell}`);
    writeFileSync(script, execFileSync(join(home, 'bin/signalbox'), ['completion', shell], { env, encoding: 'utf8' }));
    const run = (program: string): string =>
      execFileSync(shell, shell === 'bash' ? ['--norc', '-c', program] : ['-c', program], { env, cwd: home, encoding: 'utf8' });
    expect(run(CALLS[shell]?.(script, ['signalbox', 'servi']) ?? ''), shell).toContain('service');
    expect(run(CALLS[shell]?.(script, ['signalbox', 'attach', session.id.slice(0, 6)]) ?? ''), shell).toContain(session.id);
  }
});

/** Asks a shell what it would offer. */
const CALLS: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
  bash: (script, words) => `. ${script}; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script, words) =>
    `compdef() { :; }; _describe() { print -l -- "\${(@P)3}"; }; _files() { :; }; . ${script}; words=(${words.join(' ')}); CURRENT=${words.length}; _signalbox`,
  fish: (script, words) => `source ${script}; complete -C "${words.join(' ')}"`,
};
