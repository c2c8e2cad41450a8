import * as z from 'zod/mini';
import type { PrCheck, PrComment, PrState } from '../../protocol/git.ts';
import { cutComment, linkable, type PullRequestHost, problemIn, runHost } from './host.ts';

const LOGIN = 'gh auth login';

/** GitHub's own program. Fields as `gh pr view --json` prints them in gh 2.x. */
export const gh: PullRequestHost = {
  program: 'gh',
  create: async (place, { title, body, base, draft, head }) => {
    const args = ['pr', 'create', `--title=${title}`, `--body=${body}`, `--head=${head}`];
    const end = await runHost(place, 'gh', [...args, ...(base === undefined ? [] : [`--base=${base}`]), ...(draft === true ? ['--draft'] : [])]);
    // A second one for the same branch is refused with the address of the first.
    const existing = end.code === 0 ? undefined : /already exists:?\s+(https:\/\/\S+\/pull\/(\d+))/.exec(end.errors);
    const [, url, number] = existing ?? /(https:\/\/\S+\/pull\/(\d+))/.exec(end.code === 0 ? end.out.toString('utf8') : '') ?? [];
    if (url === undefined) return problemIn('gh', LOGIN, end);
    return { url, number: Number(number), existed: existing != null };
  },
  read: async (place, url) => {
    const end = await runHost(place, 'gh', ['pr', 'view', url, '--json', 'state,isDraft,statusCheckRollup,comments,reviews']);
    if (end.code !== 0) return problemIn('gh', LOGIN, end);
    const view = z.safeParse(View, jsonOf(end.out));
    if (!view.success) return { words: 'gh printed something that Signalbox does not understand. Update gh.', isPassing: false };
    // Comments on lines are not part of the view.
    const [, host, repository, number] = /^https:\/\/([^/]+)\/([^/]+\/[^/]+)\/pull\/(\d+)/.exec(url) ?? [];
    const lines = await runHost(place, 'gh', [
      'api',
      `--hostname=${host}`,
      '--method=GET',
      `repos/${repository}/pulls/${number}/comments`,
      '-F',
      'per_page=100',
      '-F',
      'sort=created',
      '-F',
      'direction=desc',
    ]);
    const onLines = lines.code === 0 ? z.safeParse(z.array(LineComment), jsonOf(lines.out)) : undefined;
    if (lines.code !== 0) return problemIn('gh', LOGIN, lines);
    const { state, isDraft, statusCheckRollup, comments, reviews } = view.data;
    return {
      state: stateOf(state, isDraft),
      checks: latest(statusCheckRollup.map(checkOf)),
      comments: [
        ...comments.map(remark),
        ...reviews.filter(({ body }) => body.trim() !== '').map(remark),
        ...(onLines?.data ?? []).toReversed().map(lineRemark),
      ],
    };
  },
};

const Remark = z.object({ id: z.string(), body: z.string(), author: z.nullable(z.object({ login: z.string() })), url: z.optional(z.string()) });
const LineComment = z.object({
  id: z.int(),
  body: z.string(),
  path: z.string(),
  line: z.optional(z.nullable(z.int())),
  original_line: z.optional(z.nullable(z.int())),
  user: z.nullable(z.object({ login: z.string() })),
  html_url: z.optional(z.string()),
});
const CheckRun = z.object({
  __typename: z.literal('CheckRun'),
  name: z.string(),
  workflowName: z.optional(z.string()),
  status: z.string(),
  conclusion: z.optional(z.nullable(z.string())),
  detailsUrl: z.optional(z.nullable(z.string())),
});
const StatusContext = z.object({
  __typename: z.literal('StatusContext'),
  context: z.string(),
  state: z.string(),
  targetUrl: z.optional(z.nullable(z.string())),
});
const View = z.object({
  state: z.string(),
  isDraft: z.boolean(),
  statusCheckRollup: z.array(z.union([CheckRun, StatusContext])),
  comments: z.array(Remark),
  reviews: z.array(Remark),
});

const stateOf = (state: string, isDraft: boolean): PrState => (state === 'MERGED' ? 'merged' : state === 'CLOSED' ? 'closed' : isDraft ? 'draft' : 'open');

const CONCLUSIONS: Readonly<Record<string, PrCheck['state']>> = {
  SUCCESS: 'passed',
  NEUTRAL: 'skipped',
  SKIPPED: 'skipped',
  CANCELLED: 'skipped',
  STALE: 'skipped',
};
const STATES: Readonly<Record<string, PrCheck['state']>> = { SUCCESS: 'passed', PENDING: 'pending', EXPECTED: 'pending' };

function checkOf(check: z.infer<typeof CheckRun> | z.infer<typeof StatusContext>): PrCheck {
  if (check.__typename === 'StatusContext') return named(check.context, STATES[check.state] ?? 'failed', check.targetUrl);
  const name = check.workflowName === undefined || check.workflowName === '' ? check.name : `${check.workflowName} / ${check.name}`;
  return named(name, check.status === 'COMPLETED' ? (CONCLUSIONS[check.conclusion ?? ''] ?? 'failed') : 'pending', check.detailsUrl);
}

const named = (name: string, state: PrCheck['state'], url: string | null | undefined): PrCheck => ({ name, state, ...linkTo(url) });

function linkTo(address: string | null | undefined): { readonly url?: string } {
  const url = linkable(address);
  return url === undefined ? {} : { url };
}

/** A check that ran again is listed twice; the last one counts. */
const latest = (checks: readonly PrCheck[]): PrCheck[] => [...new Map(checks.map((check) => [check.name, check])).values()];

const remark = ({ id, body, author, url }: z.infer<typeof Remark>): PrComment => ({
  id,
  author: author?.login ?? 'ghost',
  text: cutComment(body),
  ...linkTo(url),
});

function lineRemark({ id, body, path, line, original_line, user, html_url }: z.infer<typeof LineComment>): PrComment {
  const at = line ?? original_line;
  return {
    id: `line-${id}`,
    author: user?.login ?? 'ghost',
    text: cutComment(body),
    path,
    ...(at != null && { line: at }),
    ...linkTo(html_url),
  };
}

function jsonOf(out: Buffer): unknown {
  try {
    return JSON.parse(out.toString('utf8'));
  } catch {
    return undefined;
  }
}
