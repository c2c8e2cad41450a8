import { spawn } from 'node:child_process';

export interface ProgramRun {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Output past this many bytes is not read, and ends the program. */
  readonly mostBytes: number;
  readonly input?: Uint8Array | string;
}

export interface ProgramEnd {
  readonly code: number | null;
  /** Set if the program was killed, also when it took too long or printed too much. */
  readonly signal: NodeJS.Signals | null;
  readonly out: Buffer;
  readonly isCut: boolean;
  readonly errors: string;
  /** The program could not be started. */
  readonly unstarted?: NodeJS.ErrnoException;
}

const ERROR_BYTES = 16 * 1024;

/** Runs a program without a shell, with a time limit and a limit on what is read. Never rejects. */
export function runProgram(program: string, args: readonly string[], { cwd, env, timeoutMs, mostBytes, input }: ProgramRun): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const out = new LimitedOutput(mostBytes);
    const errors = new LimitedOutput(ERROR_BYTES);
    const end = (code: number | null, signal: NodeJS.Signals | null, unstarted?: NodeJS.ErrnoException): void =>
      resolve({ code, signal, out: out.bytes(), isCut: out.isCut, errors: errors.bytes().toString('utf8'), ...(unstarted !== undefined && { unstarted }) });
    // Node throws for it, and no program can be given one.
    if (args.some((arg) => arg.includes('\0'))) return end(null, null, new Error('a name in the request has a null character'));
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const child = spawn(program, [...args], { cwd, env, stdio: [stdin, 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' });
    child.once('error', (error) => end(null, null, error));
    // When the process has no descriptors left, a child has no streams.
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!out.take(chunk)) child.kill('SIGKILL');
    });
    child.stderr?.on('data', (chunk: Buffer) => errors.take(chunk));
    // A program that ends without reading its input closes the pipe; its exit code says enough.
    child.stdin?.on('error', () => undefined).end(input);
    child.once('close', (code, signal) => end(code, signal));
  });
}

class LimitedOutput {
  readonly #chunks: Buffer[] = [];
  #room: number;
  isCut = false;

  constructor(mostBytes: number) {
    this.#room = mostBytes;
  }

  take(chunk: Buffer): boolean {
    this.#chunks.push(chunk.subarray(0, this.#room));
    this.isCut ||= chunk.length > this.#room;
    this.#room = Math.max(0, this.#room - chunk.length);
    return !this.isCut;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
