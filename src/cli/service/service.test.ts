import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal } from '../../../test/support/cli-terminal.ts';
import { readXml } from '../../../test/support/domain/read-xml.ts';
import { runCli } from '../run-cli.ts';
import { stableCommand } from './program-path.ts';
import { launchdPlist, type ServiceProgram, systemdUnit } from './unit-files.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-service-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const AWKWARD: ServiceProgram = {
  argv: ['/opt/my "odd" dir/100%/signalbox', 'serve', '--data', '/home/u/$HOME & <co>'],
  path: '/usr/bin:/opt/50% off',
  logFile: '/l.log',
};

test('[R576] the systemd unit leaves agents alone, restarts, and passes systemd-analyze verify', ({ skip }) => {
  const script = join(folder, 'a 100% "odd" $name');
  writeFileSync(script, '#!/bin/sh\n');
  chmodSync(script, 0o755);
  const text = systemdUnit({ argv: [script, 'serve', '--data', '/tmp/$HOME %h'], path: '/usr/bin:/opt/50% off', logFile: '' });
  expect(text).toContain('\nKillMode=process\n');
  expect(text).toContain('\nRestart=always\n');
  expect(text).toContain('\nEnvironment=SIGNALBOX_LOG_TOKEN=0\n');
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return skip('systemd-analyze is not installed');
  const unit = join(folder, 'signalbox.service');
  writeFileSync(unit, text);
  const { status, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', unit], { encoding: 'utf8', env: { ...process.env, XDG_RUNTIME_DIR: folder } });
  expect({ status, about: stderr.split('\n').filter((line) => line.includes('signalbox.service')) }).toEqual({ status: 0, about: [] });
});

test('[R576] the launch agent is well-formed, leaves agents alone, and starts again', () => {
  const plist = launchdPlist(AWKWARD);
  const text = JSON.stringify(readXml(plist.slice(plist.indexOf('<plist')).trim().replace(' version="1.0"', '')));
  for (const word of ['AbandonProcessGroup', 'KeepAlive', 'RunAtLoad']) expect(plist).toMatch(new RegExp(`<key>${word}</key>\\s*<true/>`));
  expect(plist).toContain('<string>/home/u/$HOME &amp; &lt;co&gt;</string>');
  expect(text).toContain('SIGNALBOX_LOG_TOKEN');
});

test('[R576] the service points to the name on the PATH that leads to this package, because an upgrade keeps it', () => {
  const script = join(folder, 'lib/node_modules/signalbox/bin/signalbox.mjs');
  const bin = join(folder, 'bin');
  mkdirSync(join(script, '..'), { recursive: true });
  mkdirSync(bin);
  writeFileSync(script, '');
  const node = '/opt/node/bin/node';
  const clone = stableCommand({ script, node, path: `${bin}:/usr/bin` });
  expect(clone).toEqual({ argv: ['/usr/bin/env', 'node', script], path: `/opt/node/bin:${bin}:/usr/bin` });
  symlinkSync(script, join(bin, 'signalbox'));
  expect(stableCommand({ script, node, path: `relative:${bin}:/usr/bin:${bin}` })).toEqual({
    argv: [join(bin, 'signalbox')],
    path: `/opt/node/bin:${bin}:/usr/bin`,
  });
});

test('[R576] what npx may delete is never installed as a service', () => {
  const script = join(folder, '.npm/_npx/1a2b/node_modules/signalbox/bin/signalbox.mjs');
  mkdirSync(join(script, '..'), { recursive: true });
  writeFileSync(script, '');
  expect(() => stableCommand({ script, node: '/usr/bin/node', path: '' })).toThrow('npm install -g signalbox');
});

const cli = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const own = { HOME: folder, PATH: '/usr/bin:/bin', XDG_CONFIG_HOME: join(folder, 'config'), ...env };
  const terminal = createTerminal({ dataDir: join(folder, 'data'), deps: { env: own } });
  return { code: await runCli(argv, terminal.deps), out: terminal.out(), err: terminal.err() };
};
const unitFile = (): string => join(folder, 'config/systemd/user/signalbox.service');

test('[R576] install writes one file without any secret, a second time changes nothing, remove deletes only our own', async ({ skip }) => {
  if (process.platform !== 'linux') return skip('the file is that of systemd');
  const secret = { SIGNALBOX_TOKEN: 'a-very-secret-token' };
  const first = await cli(['service', 'install', '--port', '4800'], secret);
  expect(first.out).toContain(`Installed: ${unitFile()}`);
  const text = readFileSync(unitFile(), 'utf8');
  expect(text).toContain(`"serve" "--no-open" "--data" "${join(folder, 'data')}" "--port" "4800"`);
  expect(text).not.toContain('secret');
  expect((await cli(['service', 'install', '--port', '4800'], secret)).out).toContain('Unchanged');
  expect((await cli(['service', 'install', '--print', '--port', '4800'], secret)).out).toBe(text);
  expect(JSON.parse((await cli(['service', 'status', '--json'])).out)).toMatchObject({ installed: true, file: unitFile() });
  expect((await cli(['service', 'remove'])).code).toBe(0);
  expect(existsSync(unitFile())).toBe(false);
  writeFileSync(unitFile(), '[Service]\n# by hand\n');
  for (const verb of ['install', 'remove'])
    expect(await cli(['service', verb])).toMatchObject({ code: 1, err: expect.stringContaining('not written by Signalbox') });
  expect(readFileSync(unitFile(), 'utf8')).toContain('by hand');
});

test('[R575] an agent can install and remove no service', async () => {
  for (const verb of ['install', 'remove'])
    expect(await cli(['service', verb], { SIGNALBOX_RUN: 'r1', SIGNALBOX_RUN_TOKEN: 'x' })).toMatchObject({ code: 4, out: '' });
  expect(existsSync(unitFile())).toBe(false);
});
