import type { EventBodyOf, EventOf } from '../../protocol/event.ts';
import type { GitAct } from '../../protocol/git.ts';
import { countText } from '../amounts.ts';
import type { Sentence } from './sentences.ts';

const DONE: Readonly<Record<GitAct, string>> = {
  trust: 'confirmed hooks and settings',
  stage: 'staged',
  unstage: 'unstaged',
  discard: 'discarded',
  message: 'drafted a message',
  commit: 'committed',
  push: 'pushed',
  pr: 'opened a pull request',
};

const TRIED: Readonly<Record<GitAct, string>> = {
  trust: 'couldn’t confirm hooks and settings',
  stage: 'couldn’t stage',
  unstage: 'couldn’t unstage',
  discard: 'couldn’t discard',
  message: 'couldn’t draft a message',
  commit: 'couldn’t commit',
  push: 'couldn’t push',
  pr: 'couldn’t open a pull request',
};

/** What somebody did with git, after their name. */
export function actedText({ act, ok, paths, hunks, commit, remote, branch, url, message }: EventBodyOf<'git.acted'>): string {
  if (!ok) return `${TRIED[act]}${message === undefined ? '' : `: ${firstLine(message)}`}`;
  const what = [
    hunks === undefined ? undefined : `${countText(hunks, 'hunk')} of`,
    paths === undefined ? undefined : paths.length === 1 ? paths[0] : countText(paths.length, 'file'),
    commit?.slice(0, 8),
    remote === undefined ? undefined : `to ${remote}${branch === undefined ? '' : `/${branch}`}`,
    url,
  ];
  return [DONE[act], ...what.filter((part) => part !== undefined)].join(' ');
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

const STATES = { open: 'open', draft: 'a draft', merged: 'merged', closed: 'closed' } as const;

export function prUpdatedText({ state, checks, comments }: EventOf<'pr.updated'>): Sentence {
  const failed = checks.filter((check) => check.state === 'failed');
  const parts = [
    `Pull request is ${STATES[state]}`,
    checks.length === 0 ? undefined : failed.length > 0 ? `failed: ${failed.map(({ name }) => name).join(', ')}` : checksText(checks),
    comments.length === 0 ? undefined : countText(comments.length, 'new comment'),
  ];
  return { text: parts.filter((part) => part !== undefined).join(' · '), tone: failed.length > 0 && state !== 'merged' ? 'caution' : 'quiet' };
}

function checksText(checks: EventOf<'pr.updated'>['checks']): string {
  const pending = checks.filter(({ state }) => state === 'pending').length;
  return pending > 0 ? `${countText(pending, 'check')} running` : 'checks passed';
}
