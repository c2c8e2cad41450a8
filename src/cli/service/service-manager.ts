import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliProblem } from '../shared/command.ts';
import { LAUNCHD_LABEL, launchdPlist, type ServiceProgram, systemdUnit, WRITTEN_BY } from './unit-files.ts';

/** The service manager of a system: where its file is, and the commands for it. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd';
  readonly file: string;
  text(program: ServiceProgram): string;
  readonly start: readonly Command[];
  readonly stop: readonly Command[];
  readonly afterRemoval: readonly Command[];
  /** Succeeds while the service runs. */
  readonly isRunning: Command;
  /** What else a person may want to do. */
  readonly hint?: { readonly unless: Command; readonly matches: RegExp; readonly text: string };
}

export type Command = readonly [program: string, ...args: string[]];

interface Surroundings {
  readonly platform: string;
  readonly home: string;
  readonly user: string;
  readonly uid: number;
  readonly configHome: string | undefined;
}

export function managerFor({ platform, home, user, uid, configHome }: Surroundings): ServiceManager {
  if (platform === 'darwin') return launchd(home, `gui/${uid}`);
  if (platform === 'linux') return systemd(configHome ?? join(home, '.config'), user);
  throw new CliProblem('Services can be installed on Linux (systemd) and macOS (launchd). Elsewhere, start "signalbox serve" with the tools of your system.');
}

const UNIT = 'signalbox.service';
const systemctl = (...args: string[]): Command => ['systemctl', '--user', ...args];

const systemd = (configHome: string, user: string): ServiceManager => ({
  name: 'systemd',
  file: join(configHome, 'systemd/user', UNIT),
  text: systemdUnit,
  start: [systemctl('daemon-reload'), systemctl('enable', UNIT), systemctl('restart', UNIT)],
  stop: [systemctl('disable', '--now', UNIT)],
  afterRemoval: [systemctl('daemon-reload')],
  isRunning: systemctl('is-active', '--quiet', UNIT),
  hint: {
    unless: ['loginctl', 'show-user', user, '--property=Linger'],
    matches: /Linger=yes/,
    text: `To keep it running while you are logged out: loginctl enable-linger ${user}`,
  },
});

const launchd = (home: string, domain: string): ServiceManager => {
  const file = join(home, 'Library/LaunchAgents', `${LAUNCHD_LABEL}.plist`);
  return {
    name: 'launchd',
    file,
    text: launchdPlist,
    start: [
      ['launchctl', 'bootstrap', domain, file],
      ['launchctl', 'kickstart', `${domain}/${LAUNCHD_LABEL}`],
    ],
    stop: [['launchctl', 'bootout', `${domain}/${LAUNCHD_LABEL}`]],
    afterRemoval: [],
    isRunning: ['launchctl', 'print', `${domain}/${LAUNCHD_LABEL}`],
  };
};

/** Whole or not at all, and never over a file that somebody else wrote. False: it is the same already. */
export function writeOwnFile(file: string, text: string): boolean {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (before === text) return false;
  if (before !== undefined && !before.includes(WRITTEN_BY)) throw new CliProblem(`${file} was not written by Signalbox. Move it away, then try again.`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  return true;
}

export function removeOwnFile(file: string): boolean {
  if (!existsSync(file)) return false;
  if (!readFileSync(file, 'utf8').includes(WRITTEN_BY)) throw new CliProblem(`${file} was not written by Signalbox, so it stays.`);
  rmSync(file);
  return true;
}

const COMMAND_MS = 60_000;

/** What the command printed; undefined if it failed or is not there. */
export function run([program, ...args]: Command): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: COMMAND_MS }, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}
