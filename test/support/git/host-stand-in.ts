import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROGRAM = resolve(import.meta.dirname, '../../fixtures/hosts/stand-in.mjs');

export interface HostReply {
  readonly code?: number;
  readonly out?: unknown;
  readonly err?: string;
}

/** Answers in the form that gh 2.x is known to print, with its exit codes (4 means "not signed in"). Written by hand, not recorded from a real gh. */
export const GH = {
  created: (url: string): HostReply => ({ out: `${url}\n`, err: '\nCreating pull request for topic into main in ada/one\n\n' }),
  exists: (url: string): HostReply => ({ code: 1, err: `a pull request for branch "topic" into branch "main" already exists:\n${url}\n` }),
  notSignedIn: {
    code: 4,
    err: 'To get started with GitHub CLI, please run:  gh auth login\nAlternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token.\n',
  },
  rateLimit: { code: 1, err: 'GraphQL: API rate limit exceeded for user ID 583231.\n' },
  noPushAccess: {
    code: 1,
    err: 'pull request create failed: GraphQL: ada does not have the correct permissions to execute `CreatePullRequest` (createPullRequest)\n',
  },
  view: (more: object = {}): HostReply => ({ out: { state: 'OPEN', isDraft: false, statusCheckRollup: [], comments: [], reviews: [], ...more } }),
  check: (name: string, conclusion: string) => ({
    __typename: 'CheckRun',
    name,
    workflowName: 'CI',
    status: conclusion === '' ? 'IN_PROGRESS' : 'COMPLETED',
    conclusion,
    startedAt: '2026-11-16T09:00:00Z',
    completedAt: '2026-11-16T09:01:00Z',
    detailsUrl: `https://github.com/ada/one/actions/runs/1/job/${name}`,
  }),
  status: (context: string, state: string) => ({ __typename: 'StatusContext', context, state, startedAt: '2026-11-16T09:00:00Z', targetUrl: '' }),
  comment: (id: string, login: string, body: string) => ({
    id,
    author: { login },
    authorAssociation: 'MEMBER',
    body,
    createdAt: '2026-11-16T09:02:00Z',
    includesCreatedEdit: false,
    isMinimized: false,
    minimizedReason: '',
    reactionGroups: [],
    url: `https://github.com/ada/one/pull/7#issuecomment-${id}`,
    viewerDidAuthor: false,
  }),
  lineComment: (id: number, login: string, path: string, line: number | null, body: string) => ({
    id,
    user: { login, id: 1, type: 'User' },
    path,
    line,
    original_line: line ?? 3,
    side: 'RIGHT',
    body,
    html_url: `https://github.com/ada/one/pull/7#discussion_r${id}`,
    created_at: '2026-11-16T09:03:00Z',
  }),
} as const;

/** A folder with a program that replays given answers, for the front of PATH. */
export function hostStandIn(folder: string, program: 'gh' | 'glab') {
  const [bin, file] = [join(folder, 'bin'), join(folder, 'host-replies.json')];
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, program), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(join(bin, program), 0o755);
  const reply = (replies: Readonly<Record<string, HostReply>>): void => writeFileSync(file, JSON.stringify(replies));
  reply({});
  return {
    env: { PATH: `${bin}:${process.env.PATH}`, HOST_REPLIES: file },
    reply,
    asked: (): readonly string[][] =>
      readFileSync(`${file}.log`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}
