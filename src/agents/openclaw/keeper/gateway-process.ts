import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signalGroup, startTimeOf } from './processes.ts';
import type { GatewaySettings } from './settings.ts';

/** A Gateway that we started, by this or an earlier keeper. */
const fileOf = (folder: string): string => join(folder, 'gateway');

export interface StartedGateway {
  readonly child: ChildProcess;
  /** Everything it printed. */
  log(): string;
}

/**
 * The Gateway outlives the keeper; the next keeper finds it by its port. What belongs to a person's own Gateway (channels, schedules,
 * network discovery) is turned off in one that only serves sessions here.
 */
export function startGateway(folder: string, [command = '', ...args]: readonly string[], { port, auth, isOurToken }: GatewaySettings): StartedGateway {
  const log = join(folder, 'gateway.log');
  const fd = openSync(log, 'w', 0o600);
  const env = { ...process.env, ...QUIET, ...(isOurToken && 'token' in auth ? { OPENCLAW_GATEWAY_TOKEN: auth.token } : {}) };
  const gatewayArgs = [...args, 'gateway', '--port', String(port), '--allow-unconfigured'];
  const child = spawn(command, gatewayArgs, { cwd: folder, detached: true, env, stdio: ['ignore', fd, fd] });
  child.once('spawn', () => writeFileSync(fileOf(folder), `${child.pid} ${startTimeOf(child.pid ?? 0)}\n`, { mode: 0o600 }));
  child.on('error', () => undefined); // reported by its missing pid
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

/** Ends a Gateway that we started, never one that a person started. */
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
    // A pid alone may have been reused, even by another Gateway.
    const [, pid, startTime] = /^(\d+) (.+)$/.exec(readFileSync(fileOf(folder), 'utf8').trim()) ?? [];
    return startTime !== undefined && startTimeOf(Number(pid)) === startTime ? Number(pid) : undefined;
  } catch {
    return undefined;
  }
}
