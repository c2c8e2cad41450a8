import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { isBuilt } from '../../scripts/lib/sources.mjs';
import { endProcessesOf } from './processes.ts';
import { WAIT_LIMIT_MS } from './wait-limit.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const START_LIMIT_MS = 2 * WAIT_LIMIT_MS; // tsx may have to compile the server first
const STOP_LIMIT_MS = WAIT_LIMIT_MS;

const ReadyLine = z.object({ url: z.string(), token: z.string(), port: z.int(), pid: z.int() });
type ReadyLine = z.infer<typeof ReadyLine>;

export interface ServerOptions {
  /** More environment for the server, such as the path of an agent's CLI. */
  readonly env?: Readonly<Record<string, string>>;
  /** More arguments for `serve`. */
  readonly args?: readonly string[];
  /** `source` runs src/ through tsx; `dist` runs the local build (the default if it is up to date). Or the folder of an installed package, or a program such as a bundle. */
  readonly from?: 'source' | 'dist' | { readonly package: string } | { readonly program: string };
  /** Another data folder, for instance on a small disk. */
  readonly data?: string;
}

/** The real server in its own process, with a home, project folder and data folder just for this test. */
export interface TestServer {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  readonly pid: number;
  readonly home: string;
  /** A folder inside the home in which sessions can run. */
  readonly project: string;
  readonly data: string;
  /** Everything it printed to stderr, across restarts. */
  log(): string;
  /** Sends SIGKILL and waits until it exited. Agents keep running. */
  kill9(): Promise<void>;
  /** Sends SIGTERM and waits until it exited. Agents keep running. */
  stop(): Promise<void>;
  /** Starts it again with the same data folder and port, after killing it if it is still running. */
  restart(options?: ServerOptions): Promise<void>;
  /** Kills the server and every process that has this test's home folder, and removes the folders. */
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  const [project, data] = [join(home, 'project'), options.data ?? join(home, 'data')];
  mkdirSync(project);
  const logged: string[] = [];
  const cleanUp = async () => {
    await endProcessesOf(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  let current = await launch(options, home, data, 0, logged).catch(async (error: unknown) => {
    await cleanUp();
    throw error;
  });
  const kill9 = () => end(current.child, 'SIGKILL');
  return {
    get url() {
      return current.ready.url;
    },
    get token() {
      return current.ready.token;
    },
    get port() {
      return current.ready.port;
    },
    get pid() {
      return current.ready.pid;
    },
    home,
    project,
    data,
    log: () => logged.join(''),
    kill9,
    stop: () => end(current.child, 'SIGTERM'),
    async restart(changed = options) {
      await kill9();
      current = await launch(changed, home, data, current.ready.port, logged);
    },
    async close() {
      await kill9();
      await cleanUp();
    },
  };
}

async function launch(options: ServerOptions, home: string, data: string, port: number, logged: string[]): Promise<{ child: ChildProcess; ready: ReadyLine }> {
  const args = [...programOf(options.from ?? defaultSource()), 'serve', '--json', '--port', String(port), '--data', data, '--no-open', ...(options.args ?? [])];
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', DEMO_AGENT_PACE_MS: '0', SIGNALBOX_RESERVE_MB: '1', ...options.env };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.setEncoding('utf8').on('data', (text: string) => logged.push(text));
  try {
    return { child, ready: await readyLine(child) };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`the server did not start: ${logged.join('').slice(-4000)}`, { cause: error });
  }
}

/** The build starts in a fifth of the time, but if the sources changed since, they are what must be tested. */
function defaultSource(): 'source' | 'dist' {
  built ??= isBuilt();
  return built ? 'dist' : 'source';
}

let built: boolean | undefined;

/** The Node arguments that run the CLI, from the build or the sources like the server. */
export const commandLine = (): readonly string[] => programOf(defaultSource());

function programOf(from: NonNullable<ServerOptions['from']>): readonly string[] {
  if (from === 'source') return ['--import', 'tsx', join(ROOT, 'src/main.ts')];
  if (from !== 'dist' && 'program' in from) return [from.program];
  return [join(from === 'dist' ? ROOT : from.package, 'bin/signalbox.mjs')];
}

function readyLine(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<ReadyLine> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`it printed no ready line within ${START_LIMIT_MS} ms`)), START_LIMIT_MS);
    child.once('error', fail).once('exit', (code, signal) => fail(new Error(`it exited with ${code ?? signal}`)));
    createInterface(child.stdout).on('line', (line) => {
      const ready = line.startsWith('{') ? ReadyLine.safeParse(JSON.parse(line)) : undefined;
      if (!ready?.success) return;
      clearTimeout(timer);
      done(ready.data);
    });
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`the server was still running ${STOP_LIMIT_MS} ms after ${signal}`)), STOP_LIMIT_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      done();
    });
    child.kill(signal);
  });
}
