import type { PrReport } from '../../domain/finish/pr-cards.ts';
import type { PrBody } from '../../protocol/api/finish.ts';
import type { ActLocation } from '../act-git.ts';
import { actEnvironment } from '../act-git.ts';
import { type ProgramEnd, runProgram } from '../run-program.ts';

/** The pull request to open: from a branch that was pushed, into another. */
export interface NewPullRequest extends Pick<PrBody, 'title' | 'body' | 'base' | 'draft'> {
  readonly head: string;
}

export interface OpenedPullRequest {
  readonly url: string;
  readonly number: number;
  /** It was there before: a second one was not opened. */
  readonly existed: boolean;
}

/** What went wrong, in words that say what to do. */
export interface HostProblem {
  readonly words: string;
  /** Worth asking again later: a rate limit, a network. */
  readonly isPassing: boolean;
}

export const isHostProblem = (value: object): value is HostProblem => 'words' in value;

/** A program that talks to a host of pull requests. */
export interface PullRequestHost {
  readonly program: 'gh' | 'glab';
  create(place: ActLocation, request: NewPullRequest): Promise<OpenedPullRequest | HostProblem>;
  read(place: ActLocation, url: string): Promise<PrReport | HostProblem>;
}

const HOST_MS = 60_000;
const OUT_BYTES = 8 * 1024 * 1024;

/** Runs the program as the person, with prompts, colors and update checks off. */
export async function runHost(place: ActLocation, program: string, args: readonly string[]): Promise<ProgramEnd> {
  const env = {
    ...(await actEnvironment(place)),
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    NO_PROMPT: '1',
    NO_COLOR: '1',
    GLAB_CHECK_UPDATE: 'false',
  };
  return runProgram(program, args, { cwd: place.cwd, env, timeoutMs: HOST_MS, mostBytes: OUT_BYTES });
}

/** The reason in a program's output, with what to do about it. */
export function problemIn(program: string, login: string, { code, signal, errors, out, unstarted }: ProgramEnd): HostProblem {
  if (unstarted !== undefined) return { words: `${program} could not be started: ${unstarted.message}`, isPassing: false };
  if (signal !== null) return { words: `${program} took longer than ${HOST_MS / 1000} s.`, isPassing: true };
  const text = errors.trim() === '' ? out.toString('utf8').trim() : errors.trim();
  const [line = ''] = text.split('\n');
  if (code === 4 || /auth login|not logged in|401|authentication/i.test(text))
    return { words: `${program} is not signed in. Run "${login}" in a terminal on this machine, then try again.`, isPassing: false };
  if (/rate limit|was submitted too quickly|429/i.test(text))
    return { words: `The host limits how often it can be asked: ${cut(line)} Try again later.`, isPassing: true };
  if (/correct permissions|must be a collaborator|403|not found|could not resolve to a repository|404/i.test(text))
    return { words: `You may not do this in that repository: ${cut(line)} Push to a fork of yours and open it from there.`, isPassing: false };
  if (/dial tcp|timeout|connection refused|no such host|error connecting/i.test(text))
    return { words: `The host can’t be reached: ${cut(line)}`, isPassing: true };
  return { words: `${program} failed: ${cut(text)}`, isPassing: false };
}

const cut = (text: string): string => (text.length > 500 ? `${text.slice(0, 499)}…` : text);

/** An address that a page may link to; anybody can report a check with any address. */
export const linkable = (url: string | null | undefined): string | undefined => (url != null && /^https?:\/\//.test(url) ? url : undefined);

export const cutComment = (text: string): string => (text.length > 2000 ? `${text.slice(0, 1999)}…` : text);
