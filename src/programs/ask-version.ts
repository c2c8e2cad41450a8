import { spawn } from 'node:child_process';

/** A CLI that cannot say its version in this time will not be usable either. Cold starts of large binaries took up to 4 s under load. */
export const VERSION_LIMIT_MS = 15_000;

/** Enough to read what is wrong; a program may print without end. */
const KEPT_CHARS = 2000;

export interface Question {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

/** `isLate`: it did not answer in time. */
export type VersionAnswer = { readonly version: string } | { readonly problem: string; readonly isLate?: true };

/** Runs the program for its version; what goes wrong is said with its exit code and its own text. */
export function askVersion({ path, args, env, limitMs }: Question): Promise<VersionAnswer> {
  const asked = [path, ...args].join(' ');
  return new Promise((resolve) => {
    // In a group of its own, so that what it started does not outlive the limit either.
    const child = spawn(path, [...args], { env: { ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
    const answer = (said: VersionAnswer): void => {
      clearTimeout(timer);
      resolve(said);
    };
    const timer = setTimeout(() => {
      endGroup(child.pid);
      child.stdout?.destroy();
      child.stderr?.destroy();
      answer({ problem: `"${asked}" gave no answer within ${limitMs / 1000} s${describeErrorOutput(stderr())}`, isLate: true });
    }, limitMs);
    child.on('error', (error) => answer({ problem: `"${asked}" could not be run: ${error.message}` }));
    child.on('close', (code, signal) => {
      // Some programs print it on stderr.
      if (code === 0) answer({ version: versionIn(stdout() || stderr()) });
      else answer({ problem: `"${asked}" ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}${describeErrorOutput(stderr())}` });
    });
  });
}

/** Where no descriptors are left a child has no streams; its error says so. */
function gather(stream: NodeJS.ReadableStream | undefined): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(0, KEPT_CHARS);
  });
  return () => text.trim();
}

const describeErrorOutput = (stderr: string): string => (stderr === '' ? ' and said nothing' : `: ${shortened(stderr)}`);
/** The end tells what ran it (Node prints its version there), the beginning what went wrong. */
const shortened = (text: string): string => (text.length <= 500 ? text : `${text.slice(0, 440)} … ${text.slice(-60)}`);
const versionIn = (stdout: string): string => /\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? stdout.slice(0, 100);

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
