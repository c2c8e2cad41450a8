import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** The CLI as a child process. */
export interface Cli {
  /** The exit code as a shell reports it: 128 plus the signal number, or 127 when the command can't be run. */
  readonly exited: Promise<number>;
  signal(name: NodeJS.Signals): void;
}

/** The protocol uses the socket; anything on its stdout and stderr is meant for people. */
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
