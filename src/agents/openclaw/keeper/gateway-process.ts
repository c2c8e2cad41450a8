import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { birthOf, signalGroup } from './processes.ts';
import type { GatewaySettings } from './settings.ts';

/** A Gateway that we started, by this or an earlier keeper. */
const fileOf = (folder: string): string => join(folder, 'gateway');

export interface StartedGateway {
  readonly child: ChildProcess;
  /** What it has printed, from the beginning. */
  log(): string;
}

/**
 * It outlives the keeper: whoever comes after finds it by its port. What belongs to a person's own Gateway (channels, schedules, being
 * found in the network) is not begun by one that only serves sessions here.
 */
export function startGateway(folder: string, [command = '', ...args]: readonly string[], { port, auth, isOurToken }: GatewaySettings): StartedGateway {
  const log = join(folder, 'gateway.log');
  const fd = openSync(log, 'w', 0o600);
  const env = { ...process.env, ...QUIET, ...(isOurToken && 'token' in auth ? { OPENCLAW_GATEWAY_TOKEN: auth.token } : {}) };
  const given = [...args, 'gateway', '--port', String(port), '--allow-unconfigured'];
  const child = spawn(command, given, { cwd: folder, detached: true, env, stdio: ['ignore', fd, fd] });
  child.once('spawn', () => writeFileSync(fileOf(folder), `${child.pid} ${birthOf(child.pid ?? 0)}\n`, { mode: 0o600 }));
  child.on('error', () => undefined); // told by its missing pid
  child.unref();
  return { child, log: () => readFileSync(log, 'utf8') };
}

const QUIET = {
  OPENCLAW_DISABLE_BONJOUR: '1',
  OPENCLAW_NO_RESPAWN: '1',
  OPENCLAW_EXEC_SHELL_SNAPSHOT: '0',
  OPENCLAW_SKIP_CHANNELS: '1',
  OPENCLAW_SKIP_CRON: '1',
};

/** Ends a Gateway that we started; one that a person started is his. */
export async function endGateway(folder: string, isGone: (limitMs: number, test: () => boolean) => Promise<boolean>): Promise<void> {
  const pid = ourGateway(folder);
  if (pid === undefined) return;
  for (const [name, limitMs] of ENDING) {
    signalGroup(pid, name);
    if (await isGone(limitMs, () => ourGateway(folder) === undefined)) break;
  }
  rmSync(fileOf(folder), { force: true });
}

const ENDING = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 5_000],
] as const;

export function ourGateway(folder: string): number | undefined {
  try {
    // A pid alone may have become somebody else's, and that one may be a Gateway too.
    const [, pid, birth] = /^(\d+) (.+)$/.exec(readFileSync(fileOf(folder), 'utf8').trim()) ?? [];
    return birth !== undefined && birthOf(Number(pid)) === birth ? Number(pid) : undefined;
  } catch {
    return undefined;
  }
}
