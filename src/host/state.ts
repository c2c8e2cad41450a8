import { accessSync, closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { errorCode, type RunFiles, readIfExists, throwIfExhausted } from './files.ts';
import type { RunState } from './host.ts';
import { HAS_PROC, identify, isAlive, type Pids, parsePids } from './identity.ts';
import type { HostLimits } from './limits.ts';
import { until } from './tasks/until.ts';

/** What the files and the process table say, after waiting a moment for a shell that is about to write the exit status. */
export async function inspectRun(files: RunFiles, limits: HostLimits): Promise<RunState> {
  const state = readRunState(files);
  if (state.phase !== 'died') return state;
  await until(() => existsSync(files.exit) || !isShellAlive(files), limits.exitMs);
  return readRunState(files);
}

/** The same without waiting: `died` can still become `ended` while the shell is alive. */
export function readRunState(files: RunFiles): RunState {
  const code = readExit(files);
  if (code !== undefined) return { phase: 'ended', code };
  const pids = readPids(files);
  if (pids) return isAlive(pids.agent) ? { phase: 'live', pid: pids.agent.pid } : { phase: 'died' };
  if (!existsSync(files.host)) return absentFrom(files);
  if (isClaimed(files)) return { phase: 'absent' };
  return existsSync(files.closing) ? { phase: 'died' } : { phase: 'starting' };
}

/** The run has no files. If the folder of all sessions is missing too, that says nothing about the run: its agent may well be alive. */
function absentFrom({ folder }: RunFiles): RunState {
  accessSync(dirname(dirname(folder)));
  return { phase: 'absent' };
}

export function readPids(files: RunFiles): Pids | undefined {
  const text = readIfExists(files.pids);
  return text === undefined ? undefined : parsePids(text);
}

function readExit(files: RunFiles): number | undefined {
  const text = readIfExists(files.exit)?.trim();
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** The shell's start time is not recorded; its command line names the run instead. */
export function isShellAlive(files: RunFiles): boolean {
  const shell = readPids(files)?.shell;
  if (shell === undefined || identify(shell) === undefined) return false;
  return !HAS_PROC || isLauncherOf(shell, basename(files.folder));
}

/** True for the launcher and its feeder, a fork with the same command line: sh, launch.sh, the run's folder, the command. */
export function isLauncherOf(pid: number, run: string): boolean {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return argv.slice(1, 3).some((word) => word.endsWith('/launch.sh')) && argv.slice(2, 4).some((word) => word.endsWith(`/${run}`));
  } catch (error) {
    throwIfExhausted(error);
    return false; // gone
  }
}

/**
 * Puts a plain file where the launcher makes its FIFO, so that a run that has not started never can. False if the launcher was first.
 */
export function claimBell(files: RunFiles): boolean {
  if (isClaimed(files)) return true;
  try {
    closeSync(openSync(files.bell, 'wx', 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function isClaimed(files: RunFiles): boolean {
  return statSync(files.bell, { throwIfNoEntry: false })?.isFile() ?? false;
}
