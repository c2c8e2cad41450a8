import * as z from 'zod/mini';
import type { PrCheck, PrComment, PrState } from '../../protocol/git.ts';
import type { ActLocation } from '../act-git.ts';
import { cutComment, type HostProblem, isHostProblem, linkable, type PullRequestHost, problemIn, runHost } from './host.ts';

const LOGIN = 'glab auth login';

/** GitLab's own program. Reads through its API, whose fields are documented, instead of its printed views. */
export const glab: PullRequestHost = {
  program: 'glab',
  create: async (place, { title, body, base, draft, head }) => {
    const args = ['mr', 'create', '--yes', `--title=${title}`, `--description=${body}`, `--source-branch=${head}`];
    const end = await runHost(place, 'glab', [...args, ...(base === undefined ? [] : [`--target-branch=${base}`]), ...(draft === true ? ['--draft'] : [])]);
    const printed = `${end.out.toString('utf8')}\n${end.errors}`;
    const existing = end.code === 0 ? undefined : /already exists/i.exec(printed);
    const [, url, number] = end.code === 0 || existing != null ? (/(https:\/\/\S+\/-\/merge_requests\/(\d+))/.exec(printed) ?? []) : [];
    if (url === undefined) return problemIn('glab', LOGIN, end);
    return { url, number: Number(number), existed: existing != null };
  },
  read: async (place, url) => {
    const [, host = '', project = '', number = ''] = /^https:\/\/([^/]+)\/(.+)\/-\/merge_requests\/(\d+)/.exec(url) ?? [];
    const at = `projects/${encodeURIComponent(project)}`;
    const mr = await ask(place, host, `${at}/merge_requests/${number}`, MergeRequest);
    if (isHostProblem(mr)) return mr;
    const notes = await ask(place, host, `${at}/merge_requests/${number}/notes?per_page=100&order_by=created_at`, z.array(Note));
    if (isHostProblem(notes)) return notes;
    const pipeline = mr.head_pipeline?.id;
    const jobs = pipeline === undefined ? [] : await ask(place, host, `${at}/pipelines/${pipeline}/jobs?per_page=100`, z.array(Job));
    if (isHostProblem(jobs)) return jobs;
    return {
      state: stateOf(mr),
      checks: jobs.map(checkOf),
      comments: notes
        .filter(({ system }) => !system)
        .toReversed()
        .map((note) => commentOf(note, url)),
    };
  },
};

async function ask<T extends object>(place: ActLocation, host: string, path: string, schema: z.ZodMiniType<T>): Promise<T | HostProblem> {
  const end = await runHost(place, 'glab', ['api', `--hostname=${host}`, path]);
  if (end.code !== 0) return problemIn('glab', LOGIN, end);
  try {
    return z.parse(schema, JSON.parse(end.out.toString('utf8')));
  } catch {
    return { words: 'glab printed something that Signalbox does not understand. Update glab.', isPassing: false };
  }
}

const MergeRequest = z.object({
  state: z.string(),
  draft: z.optional(z.boolean()),
  head_pipeline: z.optional(z.nullable(z.object({ id: z.int() }))),
});
const Job = z.object({ name: z.string(), status: z.string(), allow_failure: z.optional(z.boolean()), web_url: z.optional(z.string()) });
const Note = z.object({
  id: z.int(),
  body: z.string(),
  system: z.boolean(),
  author: z.object({ username: z.string() }),
  position: z.optional(z.nullable(z.object({ new_path: z.optional(z.nullable(z.string())), new_line: z.optional(z.nullable(z.int())) }))),
});

const stateOf = ({ state, draft }: z.infer<typeof MergeRequest>): PrState =>
  state === 'merged' ? 'merged' : state === 'closed' ? 'closed' : draft === true ? 'draft' : 'open';

const JOBS: Readonly<Record<string, PrCheck['state']>> = { success: 'passed', failed: 'failed', canceled: 'skipped', skipped: 'skipped', manual: 'skipped' };

const checkOf = ({ name, status, allow_failure, web_url }: z.infer<typeof Job>): PrCheck => ({
  name,
  state: status === 'failed' && allow_failure === true ? 'skipped' : (JOBS[status] ?? 'pending'),
  ...(linkable(web_url) !== undefined && { url: linkable(web_url) }),
});

const commentOf = ({ id, body, author, position }: z.infer<typeof Note>, url: string): PrComment => ({
  id: String(id),
  author: author.username,
  text: cutComment(body),
  url: `${url}#note_${id}`,
  ...(position?.new_path != null && { path: position.new_path }),
  ...(position?.new_line != null && { line: position.new_line }),
});
