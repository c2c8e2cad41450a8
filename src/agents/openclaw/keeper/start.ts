import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runningKeeper } from './pid-file.ts';

/** Under load, Node took up to 4 s to run its first line. */
const START_LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 10;

/** Starts a keeper that outlives its caller; 0 when one is running, this or another. */
export async function start(folder: string, openclaw: readonly string[]): Promise<number> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = openSync(join(folder, 'keeper.log'), 'a', 0o600);
  const args = [...process.execArgv, process.argv[1] ?? '', 'serve', folder, ...openclaw];
  const keeper = spawn(process.execPath, args, { cwd: folder, detached: true, env: ownEnv(), stdio: ['ignore', log, log] });
  const failed = new Promise<string>((resolve) => {
    keeper.once('error', (error) => resolve(error.message));
    keeper.once('exit', (code, signal) => resolve(`it ended with ${code ?? signal}`));
  });
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  while (runningKeeper(folder) === undefined) {
    const why = await Promise.race([failed, pause(LOOK_AGAIN_MS, undefined)]);
    if (runningKeeper(folder) !== undefined) break;
    if (why === undefined && !limit.aborted) continue;
    process.stderr.write(`The keeper of the OpenClaw Gateway could not be started: ${why ?? 'it does not start'}. See ${join(folder, 'keeper.log')}\n`);
    return 1;
  }
  keeper.unref();
  return 0;
}

/** The keeper belongs to no session, so it must not carry a session's variables: the cleanup of that session would end it. */
const ownEnv = (): NodeJS.ProcessEnv => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNALBOX_')));
