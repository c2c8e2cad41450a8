import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { PersonEnvironment } from './act-git.ts';
import { gh } from './hosts/gh.ts';
import { glab } from './hosts/glab.ts';
import type { PullRequestHost } from './hosts/host.ts';
import { type GitLocation, runGit } from './run-git.ts';

/** Where a remote's repository lives on the web. */
export interface WebRepository {
  readonly host: string;
  /** `owner/name`; on GitLab also with groups. */
  readonly path: string;
}

/** From an address as `git remote` shows it; undefined for a folder or an unknown form. */
export function webRepository(address: string): WebRepository | undefined {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]+@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(address) ?? /^(?:[^@/\s]+@)?([^/:\s]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  if (host === undefined || path === undefined) return undefined;
  const clean = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return /^[^/]+(\/[^/]+)+$/.test(clean) ? { host: host.toLowerCase(), path: clean } : undefined;
}

/** The address of a remote as git itself would use it, so that rewritten ones are right. */
export async function remoteAddress(place: GitLocation, remote: string): Promise<string | undefined> {
  const answer = await runGit(place, ['remote', 'get-url', '--', remote], 4096);
  return answer.ok ? answer.out.toString('utf8').trimEnd() : undefined;
}

const isGitLab = ({ host }: WebRepository): boolean => /(^|\.)gitlab\./.test(host);

/** The program for this host, if it is installed: gh, or glab for GitLab. */
export function hostFor(repository: WebRepository, env: PersonEnvironment): PullRequestHost | undefined {
  const host = isGitLab(repository) ? glab : gh;
  return isOnPath(host.program, env) ? host : undefined;
}

function isOnPath(program: string, env: PersonEnvironment): boolean {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

/** The page on which a person can open the pull request by hand. */
export function compareUrl(repository: WebRepository, head: string, base?: string): string {
  const at = `https://${repository.host}/${repository.path.split('/').map(encodeURIComponent).join('/')}`;
  const [from, into] = [encodeURIComponent(head), base === undefined ? undefined : encodeURIComponent(base)];
  if (isGitLab(repository))
    return `${at}/-/merge_requests/new?merge_request[source_branch]=${from}${into === undefined ? '' : `&merge_request[target_branch]=${into}`}`;
  return `${at}/compare/${into === undefined ? '' : `${into}...`}${from}?expand=1`;
}
