import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** The CLI as our child. */
export interface Cli {
  /** Its exit code as a shell would tell it: 128 and the number of a signal that ended it, 127 when it could not be run. */
  readonly exited: Promise<number>;
  signal(name: NodeJS.Signals): void;
}

/** It speaks over the socket; whatever it prints is for people. */
export function startCli(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Cli {
  const child = spawn(command, args, { env, stdio: ['ignore', 2, 2] });
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    child.once('error', (error) => {
      process.stderr.write(`${command} could not be run: ${error.message}\n`);
      resolve(127);
    });
  });
  return { exited, signal: (name) => void child.kill(name) };
}
