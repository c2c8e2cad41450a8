import { runProgram } from './run-program.ts';

/** Time limit for one git command. */
const GIT_MS = 10_000;

/** Git verifies signatures with a program that the settings name. */
const UNSIGNED = ['log.showSignature=false', 'gpg.program=/bin/false', 'gpg.ssh.program=/bin/false', 'gpg.x509.program=/bin/false'].flatMap((setting) => [
  '-c',
  setting,
]);

/**
 * For every command that reads: nothing that a repository's own settings name is run. Hooks and the file watcher are off; the working tree and the
 * repository folder are passed explicitly, so that no setting moves them; nothing is fetched over any protocol.
 */
const SAFE_OPTIONS = [
  '--no-pager',
  '-c',
  'core.fsmonitor=',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'core.bigFileThreshold=16m',
  ...UNSIGNED,
];

export interface GitLocation {
  /** Where git runs: the session's folder. */
  readonly cwd: string;
  readonly workTree: string;
  readonly gitDir: string;
  /** Settings that must not apply; each is set to nothing. */
  readonly emptied: readonly string[];
  /** Git doesn't look for a repository in this folder or above it. */
  readonly ceiling?: string;
}

export type GitAnswer = { readonly ok: true; readonly out: Buffer; readonly isCut: boolean } | { readonly ok: false; readonly words: string };

/** Runs git without a shell and reads at most `mostBytes` of its output. `good` lists the exit codes that mean success. */
export const runGit = (
  place: Pick<GitLocation, 'cwd'> & Partial<GitLocation>,
  args: readonly string[],
  mostBytes: number,
  good: readonly number[] = [0],
): Promise<GitAnswer> => runGitWith(place, args, undefined, mostBytes, good);

/** The same with something on its input. */
export async function runGitWith(
  place: Pick<GitLocation, 'cwd'> & Partial<GitLocation> & { readonly env?: Readonly<Record<string, string>> },
  args: readonly string[],
  input: string | undefined,
  mostBytes: number,
  good: readonly number[] = [0],
): Promise<GitAnswer> {
  const { code, signal, out, isCut, errors, unstarted } = await runProgram('git', [...SAFE_OPTIONS, ...args], {
    cwd: place.cwd,
    env: { ...envOf(place), ...place.env },
    timeoutMs: GIT_MS,
    mostBytes,
    ...(input !== undefined && { input }),
  });
  if (unstarted !== undefined) return { ok: false, words: cannotRun(unstarted) };
  if (good.includes(code ?? -1) || isCut) return { ok: true, out, isCut };
  return { ok: false, words: signal === null ? problemOf(errors) : `git took longer than ${GIT_MS / 1000} s.` };
}

export const cannotRun = (error: NodeJS.ErrnoException): string =>
  error.code === 'ENOENT'
    ? 'git cannot be run on the server: it is not installed, or not on its PATH.'
    : `git could not be run on the server: ${error.message}`;

/** Only what git needs to find its own settings; nothing that controls it from outside. */
function envOf({ workTree, gitDir, ceiling, emptied = [] }: Partial<GitLocation>): NodeJS.ProcessEnv {
  const { PATH, HOME, XDG_CONFIG_HOME } = process.env;
  const settings = emptied.flatMap((name, at) => [[`GIT_CONFIG_KEY_${at}`, name] as const, [`GIT_CONFIG_VALUE_${at}`, ''] as const]);
  return {
    ...(PATH !== undefined && { PATH }),
    ...(HOME !== undefined && { HOME }),
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...(ceiling !== undefined && { GIT_CEILING_DIRECTORIES: ceiling }),
    ...(workTree !== undefined && gitDir !== undefined && { GIT_WORK_TREE: workTree, GIT_DIR: gitDir }),
    ...(emptied.length > 0 && { GIT_CONFIG_COUNT: String(emptied.length), ...Object.fromEntries(settings) }),
  };
}

export const NO_REPOSITORY = 'This folder is not in a git repository.';

function problemOf(errors: string): string {
  if (errors.includes('dubious ownership')) return 'git does not trust this repository, because it belongs to another user.';
  if (errors.includes('not a git repository')) return NO_REPOSITORY;
  const [line = ''] = errors.split('\n');
  return `git failed: ${line.replace(/^fatal: /, '').slice(0, 200)}`;
}
