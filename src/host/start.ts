import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { launcherPath, makeFolder, type RunFiles } from './files.ts';
import { LaunchFailed, type RunLaunch, type RunRef } from './host.ts';
import { claimBell } from './state.ts';

/** Every process of a run carries this in its environment, wherever it moves: this is how its children are found. */
export const MARKER = 'SIGNALBOX_RUN';

/** A run starts once: host.json is created before the spawn and never again. */
export async function startRun(dataDir: string, files: RunFiles, ref: RunRef, launch: RunLaunch): Promise<void> {
  try {
    prepareFolder(files, launch);
    await spawnLauncher(dataDir, files, ref, launch);
  } catch (error) {
    throw new LaunchFailed(ref.run, launch.command, { cause: error });
  }
}

/** The environment is not stored: it may contain keys. */
function prepareFolder(files: RunFiles, launch: RunLaunch): void {
  makeFolder(dirname(files.folder));
  makeFolder(files.folder);
  const description = { command: launch.command, args: launch.args, cwd: launch.cwd };
  writeFileSync(files.host, `${JSON.stringify(description)}\n`, { flag: 'wx', mode: 0o600 });
  // The shell writes these two under the agent's umask; created beforehand, they keep our mode.
  for (const name of ['pids.new', 'exit.new']) writeFileSync(join(files.folder, name), '', { mode: 0o600 });
}

function spawnLauncher(dataDir: string, files: RunFiles, ref: RunRef, launch: RunLaunch): Promise<void> {
  closeSync(openSync(files.input, 'a', 0o600));
  const stdio: number[] = [];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', ...launch.env, [MARKER]: ref.run };
  try {
    stdio.push(openSync(files.input, 'r'));
    for (const path of [files.output, files.errors]) stdio.push(openSync(path, 'a', 0o600));
    const shell = spawn('/bin/sh', [launcherPath(dataDir), files.folder, launch.command, ...launch.args], { detached: true, cwd: launch.cwd, env, stdio });
    shell.unref();
    return new Promise((resolve, reject) => {
      shell.once('spawn', resolve);
      shell.once('error', (error) => {
        claimBell(files);
        reject(error);
      });
    });
  } finally {
    for (const fd of stdio) closeSync(fd);
  }
}
