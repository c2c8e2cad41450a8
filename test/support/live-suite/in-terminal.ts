import { spawn } from 'node:child_process';
import type { TestServer } from '../real-server.ts';

interface TerminalInput {
  readonly env: Readonly<Record<string, string>>;
  /** Written to its stdin, which is then closed. */
  readonly input?: string;
}

/** Runs a program to its end in the project, as a person would in a terminal. */
export function inTerminal({ project, home }: TestServer, path: string, args: readonly string[], { env, input = '' }: TerminalInput): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { cwd: project, env: { PATH: process.env.PATH ?? '', HOME: home, ...env }, stdio: ['pipe', 'ignore', 'pipe'] });
    child.stdin.end(input);
    let stderr = '';
    child.stderr.on('data', (piece: Buffer) => {
      stderr += piece.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${path} exited with ${code}: ${stderr.slice(-1000)}`))));
  });
}
