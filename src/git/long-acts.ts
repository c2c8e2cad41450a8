import type { PushBody } from '../protocol/api/finish.ts';
import type { Refusal } from '../protocol/command.ts';
import { type ActLocation, actEnvironment, actGit, movingVariables } from './act-git.ts';
import type { FinishStatus } from './finish-status.ts';
import { type GitLocation, runGit } from './run-git.ts';

/** A git command that runs on its own: hooks and networks can take any time. */
export interface LongCommand {
  readonly command: string;
  readonly argv: string[];
  readonly cwd: string;
  /** Without secrets: it is stored. */
  readonly env: Record<string, string>;
}

export async function commitCommand(place: ActLocation, message: string): Promise<LongCommand> {
  // The message is part of one argument, so nothing in it is an option.
  return longCommand(place, 'git commit', ['commit', `--message=${message}`]);
}

export interface PushTarget {
  readonly remote: string;
  readonly branch: string;
}

/** Where a push goes: what the person named, else the upstream, else the only remote and the branch's own name. */
export async function pushTarget(place: GitLocation, status: FinishStatus, { remote, branch }: PushBody): Promise<PushTarget | Refusal> {
  const names = status.remotes.map(({ name }) => name);
  if (names.length === 0) return { refused: 'conflict', message: 'This repository has no remote. Add one with "git remote add", then push.' };
  const upstream = names.find((name) => status.upstream?.name.startsWith(`${name}/`));
  const chosen = remote ?? upstream ?? (names.includes('origin') ? 'origin' : names[0]) ?? '';
  if (!names.includes(chosen)) return { refused: 'bad-request', message: `There is no remote ${JSON.stringify(chosen)} here. Known: ${names.join(', ')}.` };
  const target = branch ?? (upstream === chosen ? status.upstream?.name.slice(chosen.length + 1) : undefined) ?? status.branch;
  if (target === undefined) return { refused: 'bad-request', message: 'No branch is checked out. Name the branch to push to.' };
  const valid = await runGit(place, ['check-ref-format', `refs/heads/${target}`], 1024);
  return valid.ok ? { remote: chosen, branch: target } : { refused: 'bad-request', message: `${JSON.stringify(target)} is not a valid branch name.` };
}

export async function pushCommand(place: ActLocation, status: FinishStatus, { remote, branch }: PushTarget, expected?: string): Promise<LongCommand> {
  const source = status.branch === undefined ? (status.head ?? 'HEAD') : `refs/heads/${status.branch}`;
  const options = [
    '--porcelain',
    ...(status.branch !== undefined && status.upstream === undefined ? ['--set-upstream'] : []),
    ...(expected === undefined ? [] : [`--force-with-lease=refs/heads/${branch}:${expected}`]),
  ];
  return longCommand(place, `git push ${remote} ${branch}`, ['push', ...options, '--', remote, `${source}:refs/heads/${branch}`]);
}

async function longCommand(place: ActLocation, command: string, args: readonly string[]): Promise<LongCommand> {
  const all = await actEnvironment(place);
  const env = Object.fromEntries(Object.entries(all).filter(([name, value]) => place.env[name] !== value));
  const dropped = movingVariables(place.env).flatMap((name) => ['-u', name]);
  return { command, argv: [...(dropped.length === 0 ? [] : ['env', ...dropped]), 'git', '--no-pager', ...args], cwd: place.cwd, env };
}

export interface CommitFound {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly subject: string;
}

/** The commit that is checked out now. */
export async function commitNow(place: GitLocation): Promise<CommitFound | undefined> {
  const answer = await runGit(place, ['log', '-1', '--no-show-signature', '--format=%H%x00%P%x00%s', 'HEAD', '--'], 64 * 1024);
  if (!answer.ok) return undefined;
  const [commit = '', parents = '', subject = ''] = answer.out.toString('utf8').trimEnd().split('\0');
  return { commit, parents: parents.split(' ').filter((each) => each !== ''), subject };
}

/** The commit that a branch of the remote has; undefined if it has none, a message if it could not be asked. */
export async function remoteCommit(place: ActLocation, { remote, branch }: PushTarget): Promise<string | undefined | { readonly words: string }> {
  const answer = await actGit(place, ['ls-remote', '--', remote, `refs/heads/${branch}`]);
  if (!answer.ok) return { words: answer.words };
  return /^([0-9a-f]{40,64})\t/.exec(answer.out)?.[1];
}
