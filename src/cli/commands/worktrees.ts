import { randomUUID } from 'node:crypto';
import { MergeAnswer, Worktree, WorktreeList, WorktreeLosses } from '../../protocol/api/worktree.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { type Api, openApi } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, type Given, textOf, UsageProblem } from '../shared/command.ts';
import type { CliDeps } from '../shared/deps.ts';
import { printableLine, table } from '../shared/paint.ts';

export const worktreesCommand: CliCommand = {
  name: 'worktrees',
  summary: 'List the worktrees of sessions; merge, archive, remove or restore one',
  help: `
Usage: signalbox worktrees [--json]
       signalbox worktrees merge   WORKTREE [--into BRANCH] [--dry-run]
       signalbox worktrees archive WORKTREE
       signalbox worktrees remove  WORKTREE [--dry-run] [--force]
       signalbox worktrees restore WORKTREE
       signalbox worktrees setup   WORKTREE
       signalbox worktrees run     WORKTREE

WORKTREE is an id, a branch or a session id.

  --into BRANCH   the branch to merge into (default: the one it was made from)
  --dry-run       show what would happen, and change nothing
  --force         remove it although something exists only there: everything is saved first
                  and "restore" brings it back (owners only)
  --json          print JSON; the list is one object per line

A worktree is never removed with something that exists only there: you get a list of it.

Examples:
  signalbox worktrees
  signalbox worktrees merge signalbox/fix-login --dry-run
  signalbox worktrees remove signalbox/fix-login
`,
  flags: { json: { type: 'boolean' }, into: { type: 'string' }, 'dry-run': { type: 'boolean' }, force: { type: 'boolean' } },
  run: async (deps, given, [verb, name]) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    if (verb === undefined || verb === 'list') return list(deps, given, api);
    if (!isVerb(verb)) throw new UsageProblem('use merge, archive, remove, restore, setup, run, or nothing to list them');
    if (name === undefined) throw new UsageProblem('name a worktree; "signalbox worktrees" lists them');
    const worktree = await find(api, name);
    return print(deps, given, ...(await act(api, given, verb, worktree)));
  },
};

const VERBS = ['merge', 'archive', 'remove', 'restore', 'setup', 'run'] as const;
type Verb = (typeof VERBS)[number];
const isVerb = (word: string): word is Verb => VERBS.some((verb) => verb === word);

async function list(deps: CliDeps, given: Given, api: Api): Promise<number> {
  const { worktrees } = await api.ask(WorktreeList, '/api/worktrees');
  const rows = worktrees.map((one) => [
    one.id ?? '-',
    one.branch ?? '(detached)',
    one.state,
    countOf(one.dirty),
    countOf(one.ahead),
    one.session?.title ?? '',
    one.path,
  ]);
  if (given.json === true) deps.stdout.write(worktrees.map((one) => `${safeJson(one)}\n`).join(''));
  else if (rows.length === 0) deps.stdout.write('No worktrees. Start a session in one: signalbox run "…" --worktree\n');
  else deps.stdout.write(table([['ID', 'BRANCH', 'STATE', 'DIRTY', 'AHEAD', 'SESSION', 'PATH'], ...rows.map((row) => row.map(printableLine))]));
  return EXIT.ok;
}

const countOf = (count: number | undefined): string => (count === undefined ? '' : String(count));

type Known = Worktree & { readonly id: NonNullable<Worktree['id']> };

async function find(api: Api, name: string): Promise<Known> {
  const { worktrees } = await api.ask(WorktreeList, '/api/worktrees');
  const found = worktrees.filter(({ id, branch, session }) => [id, branch, session?.id].some((known) => known === name));
  const [one] = found;
  if (one === undefined) throw new CliProblem(`There is no worktree ${name}. "signalbox worktrees" lists them.`);
  if (found.length > 1) throw new CliProblem(`More than one worktree has the branch ${name}. Use its id: ${found.map(({ id }) => id).join(', ')}`);
  if (one.id === undefined) throw new CliProblem(`Signalbox did not make the worktree ${one.path}, so it doesn't touch it.`);
  return { ...one, id: one.id };
}

async function act(api: Api, given: Given, verb: Verb, { id, branch }: Known): Promise<readonly [object, string]> {
  const address = `/api/worktrees/${id}`;
  const dryRun = given['dry-run'] === true;
  if (verb === 'merge') {
    const merged = await api.ask(MergeAnswer, `${address}/merge`, { method: 'POST', body: { into: textOf(given, 'into'), dryRun, commandId: randomUUID() } });
    const files = merged.files.map((file) => `  ${printableLine(file)}\n`).join('');
    const done = merged.upToDate ? `${merged.into} already has everything of ${branch}\n` : `Merged ${branch} into ${merged.into}\n${files}`;
    return [merged, dryRun && merged.upToDate !== true ? `Would merge ${branch} into ${merged.into} without conflicts:\n${files}` : done];
  }
  if (verb === 'remove' && dryRun) {
    const losses = await api.ask(WorktreeLosses, address, { method: 'DELETE', body: { dryRun } });
    return [losses, lossText(losses)];
  }
  const request = verb === 'remove' ? { method: 'DELETE', body: { force: given.force === true } } : { method: 'POST', body: {} };
  const worktree = await api.ask(Worktree, verb === 'remove' ? address : `${address}/${verb}`, request);
  return [worktree, `${DONE[verb]} ${branch} (${worktree.state})\n`];
}

const DONE = { archive: 'Archiving', remove: 'Removing', restore: 'Restoring', setup: 'Setting up', run: 'Started the run script of' } as const;

function lossText({ uncommitted, untracked, ignored, commits, running }: WorktreeLosses): string {
  const lines = [
    ...uncommitted.map((path) => `uncommitted  ${path}`),
    ...untracked.map((path) => `untracked    ${path}`),
    ...ignored.map((path) => `ignored      ${path}`),
    ...commits.map(({ commit, subject }) => `commit       ${commit.slice(0, 8)} ${subject}`),
    ...running.map(({ title }) => `running      ${title}`),
  ];
  return lines.length === 0 ? 'Nothing would be lost.\n' : `These exist only in this worktree:\n${lines.map((line) => `  ${printableLine(line)}\n`).join('')}`;
}

function print(deps: CliDeps, given: Given, answer: object, text: string): number {
  deps.stdout.write(given.json === true ? `${safeJson(answer)}\n` : text);
  return EXIT.ok;
}
