import { cannotRun, runGit } from './run-git.ts';
import { runProgram } from './run-program.ts';

/** An add with a slow filter (large files) can take a while; a commit or a push runs elsewhere. */
const ACT_MS = 60_000;
const OUT_BYTES = 1024 * 1024;

/** The server's environment without its own variables: what a person's git would see. */
export type PersonEnvironment = Readonly<Record<string, string | undefined>>;

export interface ActLocation {
  /** Where git runs: the session's folder. */
  readonly cwd: string;
  readonly env: PersonEnvironment;
}

export type ActAnswer = { readonly ok: true; readonly out: string } | { readonly ok: false; readonly words: string };

/**
 * Runs a git command that changes something, as the person would run it: with their settings, hooks, filters and credentials, but without ever asking
 * anything. Call it only for a command that a driver or owner sent; everything that only looks uses `runGit`.
 */
export async function actGit(place: ActLocation, args: readonly string[], input?: Uint8Array): Promise<ActAnswer> {
  const env = await actEnvironment(place);
  const { code, signal, out, errors, unstarted } = await runProgram('git', ['--no-pager', ...args], {
    cwd: place.cwd,
    env,
    timeoutMs: ACT_MS,
    mostBytes: OUT_BYTES,
    ...(input !== undefined && { input }),
  });
  if (unstarted !== undefined) return { ok: false, words: cannotRun(unstarted) };
  if (code === 0) return { ok: true, out: out.toString('utf8') };
  if (signal !== null) return { ok: false, words: `git was ended by ${signal}: it took longer than ${ACT_MS / 1000} s, or somebody killed it.` };
  return { ok: false, words: `git failed: ${(errors.trim() || out.toString('utf8').trim()).replace(/^(fatal|error): /, '').slice(0, 2000)}` };
}

/** These would move git to another repository, index or editor than the person's own shell in this folder uses. */
const MOVING = /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CEILING_DIRECTORIES|CONFIG.*|EDITOR|SEQUENCE_EDITOR)$/;

export const movingVariables = (env: PersonEnvironment): readonly string[] =>
  Object.keys(env).filter((name) => env[name] !== undefined && MOVING.test(name) && name !== 'GIT_EDITOR');

/** Prompts are off: git fails with a reason instead of waiting for an answer that nobody can give. */
export async function actEnvironment({ cwd, env }: ActLocation): Promise<Record<string, string>> {
  const kept = Object.entries(env).flatMap(([name, value]) => (value === undefined || MOVING.test(name) ? [] : [[name, value] as const]));
  const ssh = env.GIT_SSH_COMMAND ?? (await settingOf(cwd, 'core.sshCommand')) ?? (env.GIT_SSH === undefined ? 'ssh' : undefined);
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_EDITOR: ':',
    ...(ssh !== undefined && { GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes` }),
  };
}

async function settingOf(cwd: string, name: string): Promise<string | undefined> {
  const answer = await runGit({ cwd }, ['config', '--get', name], 4096, [0, 1]);
  const value = answer.ok ? answer.out.toString('utf8').trimEnd() : '';
  return value === '' ? undefined : value;
}
