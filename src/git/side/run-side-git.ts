import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { SideRepository } from './side-repository.ts';

/**
 * Nothing that a person's settings name runs in a side repository, and no setting changes the bytes that are stored. What was stored survives a power failure.
 */
const STILL = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.sparseCheckout=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.bigFileThreshold=16m',
  'core.fsync=objects,reference',
  'core.fsyncMethod=batch',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
].flatMap((setting) => ['-c', setting]);

/** Below everything that a person waits for. */
const NICENESS = 10;

export type SideAnswer =
  | { readonly ok: true; readonly out: Buffer }
  | { readonly ok: false; readonly why: 'failed' | 'too-slow' | 'too-much'; readonly words: string; readonly errors: string };

export interface SideCall {
  readonly input?: string | Buffer;
  /** More output than this ends the command. */
  readonly mostBytes?: number;
  readonly limitMs?: number;
  /** Only objects of the side repository itself are seen, none of the person's repository. */
  readonly alone?: boolean;
  /** The output goes to this open file. */
  readonly outFd?: number;
}

const OUTPUT_BYTES = 64 * 1024 * 1024;
const LIMIT_MS = 60_000;

/** Processes of this server, so that it can end them when it stops. */
const running = new Map<ReturnType<typeof spawn>, string>();

/** Runs git on a side repository, without a shell. The repository is named in the arguments, so that a process left behind by a killed server can be found. */
export function runSideGit(side: SideRepository, args: readonly string[], call: SideCall = {}): Promise<SideAnswer> {
  const { input, mostBytes = OUTPUT_BYTES, limitMs = LIMIT_MS, alone = false, outFd } = call;
  return new Promise((resolve) => {
    const child = spawn('git', [`--git-dir=${side.path}`, `--work-tree=${side.top}`, '--no-pager', ...STILL, ...args], {
      cwd: side.top,
      env: envOf(side, alone),
      stdio: ['pipe', outFd ?? 'pipe', 'pipe'],
    });
    running.set(child, side.path);
    lowerPriority(child.pid);
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    let bytes = 0;
    let stopped: 'too-slow' | 'too-much' | undefined;
    const stop = (why: 'too-slow' | 'too-much'): void => {
      stopped ??= why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop('too-slow'), limitMs);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '');
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) stop('too-much');
      else out.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errors.length < 64) errors.push(chunk);
    });
    const done = (answer: SideAnswer): void => {
      clearTimeout(timer);
      running.delete(child);
      resolve(answer);
    };
    child.once('error', (error) => done({ ok: false, why: 'failed', words: `git could not be run: ${error.message}`, errors: '' }));
    child.once('close', (code, signal) => {
      const text = Buffer.concat(errors).toString('utf8');
      if (code === 0 && stopped === undefined) return done({ ok: true, out: Buffer.concat(out) });
      return done({ ok: false, why: stopped ?? 'failed', words: wordsOf(text, signal), errors: text });
    });
  });
}

/** Ends every git process of ours on side repositories in a data folder; a checkpoint that is cut off leaves nothing that counts. */
export function stopSideGit(dataFolder: string): void {
  for (const [child, path] of running) if (path.startsWith(dataFolder)) child.kill('SIGKILL');
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

function wordsOf(errors: string, signal: string | null): string {
  if (signal !== null) return 'git was stopped before it was done.';
  if (/No space left on device/i.test(errors)) return 'the disk is full.';
  const line = errors.split('\n').find((one) => one.startsWith('fatal: ')) ?? errors.split('\n')[0] ?? '';
  return `git failed: ${line.replace(/^fatal: /, '').slice(0, 200)}`;
}

const NOBODY = { NAME: 'Signalbox', EMAIL: 'signalbox@localhost' } as const;

function envOf(side: SideRepository, alone: boolean): NodeJS.ProcessEnv {
  const { PATH, HOME, XDG_CONFIG_HOME } = process.env;
  return {
    ...(PATH !== undefined && { PATH }),
    ...(HOME !== undefined && { HOME }),
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_INDEX_FILE: `${side.path}/index`,
    GIT_AUTHOR_NAME: NOBODY.NAME,
    GIT_AUTHOR_EMAIL: NOBODY.EMAIL,
    GIT_COMMITTER_NAME: NOBODY.NAME,
    GIT_COMMITTER_EMAIL: NOBODY.EMAIL,
    // Not in `objects/info/alternates`: what is ours can then be told from what is only borrowed, and nothing is packed or pruned by mistake.
    ...(side.objects !== undefined && !alone && { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(side.objects) }),
  };
}

/** A path in a list that is separated by colons. */
const quoted = (path: string): string => (/[:"\\\n]/.test(path) ? `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"` : path);
