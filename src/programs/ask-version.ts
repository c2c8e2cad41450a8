import { spawn } from 'node:child_process';

/** A CLI that can't print its version within this time isn't usable either. Cold starts of large binaries took up to 4 s under load. */
export const VERSION_LIMIT_MS = 15_000;

/** Enough to see what is wrong; a program can print without end. */
const OUTPUT_CHARS = 2000;

export interface Question {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

/** `isLate`: it didn't answer in time. */
export type VersionAnswer = { readonly version: string } | { readonly problem: string; readonly isLate?: true };

/** Runs the program for its version; a problem includes its exit code and error output. */
export function askVersion({ path, args, env, limitMs }: Question): Promise<VersionAnswer> {
  const asked = [path, ...args].join(' ');
  return new Promise((resolve) => {
    // In its own process group, so that processes it started don't outlive the limit either.
    const child = spawn(path, [...args], { env: { ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
    const answer = (result: VersionAnswer): void => {
      clearTimeout(timer);
      resolve(result);
    };
    const timer = setTimeout(() => {
      endGroup(child.pid);
      child.stdout?.destroy();
      child.stderr?.destroy();
      answer({ problem: `"${asked}" gave no answer within ${limitMs / 1000} s${describeErrorOutput(stderr())}`, isLate: true });
    }, limitMs);
    child.on('error', (error) => answer({ problem: `"${asked}" could not be run: ${error.message}` }));
    child.on('close', (code, signal) => {
      // Some programs print the version on stderr.
      if (code === 0) answer({ version: versionIn(stdout() || stderr()) });
      else answer({ problem: `"${asked}" ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}${describeErrorOutput(stderr())}` });
    });
  });
}

/** When the process has no descriptors left, a child has no streams; its error says so. */
function gather(stream: NodeJS.ReadableStream | undefined): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(0, OUTPUT_CHARS);
  });
  return () => text.trim();
}

const describeErrorOutput = (stderr: string): string => (stderr === '' ? ' and said nothing' : `: ${shortened(stderr)}`);
/** Keeps the start, which says what went wrong, and the end, where Node prints its version. */
const shortened = (text: string): string => (text.length <= 500 ? text : `${text.slice(0, 440)} … ${text.slice(-60)}`);
const versionIn = (stdout: string): string => /\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? stdout.slice(0, 100);

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}
