import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Channel, ChannelEvents } from './channel.ts';
import type { Example } from './example.ts';

/** The program on two pipes: the same command and environment as behind the server, and nothing in between. */
export function openProgram(example: Example, agentSessionId: string, cwd: string, { onLine, onFailure }: ChannelEvents): Channel {
  const args = example.args.map((arg) => arg.replaceAll(example.agentSessionId || agentSessionId, agentSessionId));
  const program = spawn(example.command, args, { cwd, env: example.env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let lastErrors = '';
  createInterface(program.stdout).on('line', onLine);
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastErrors = `${lastErrors}${text}`.slice(-1000);
  });
  program.stdin.on('error', () => undefined);
  program.once('error', (error) => onFailure(`failed to start: ${error.message}`));
  program.once('exit', (code, signal) => onFailure(`ended with ${code ?? signal}: ${lastErrors}`));
  return {
    write: (line) => void program.stdin.write(`${line}\n`),
    close: async () => {
      if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return;
      const gone = new Promise((resolve) => program.once('exit', resolve));
      process.kill(-program.pid, 'SIGKILL');
      await gone;
    },
  };
}
