import { existsSync } from 'node:fs';
import { projectOf } from '../../domain/policy/workspace.ts';
import { runningScripts } from '../../domain/script/scripts.ts';
import type { ScriptEnd, SessionWorktree } from '../../domain/session/state.ts';
import { askForHooks, endText, runGitStep, worktreeFailed, worktreePrepared } from '../../domain/worktree/decide.ts';
import { clearHalfMade } from '../../git/half-made.ts';
import { copyIncludes, planIncludes } from '../../git/include-files.ts';
import { repositoryScripts, scriptsToTrust } from '../../git/project-scripts.ts';
import { commitOf, INITIALIZING, type ListedWorktree, listWorktrees } from '../../git/worktrees.ts';
import type { WorktreeScripts } from '../../protocol/event.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { hooksToTrust } from './hooks.ts';
import { continueRemoval } from './remove.ts';
import { restoreFiles } from './save.ts';

export const WORKTREES = 'make and remove worktrees';

/** A git that is killed is started again this often. */
const ATTEMPTS = 3;

/** Takes the next step with a session's worktree. Every step looks at what is there first, so a server killed anywhere continues here. */
export async function continueWorktree(session: SessionActor): Promise<void> {
  const { worktree, deleted } = session.state;
  if (worktree === undefined || deleted || session.context.closing || isStepRunning(session, worktree)) return;
  if (worktree.phase === 'adding') return add(session, worktree);
  if (worktree.phase === 'removing') return continueRemoval(session, worktree);
}

/** The end of a running script brings us here again. */
const isStepRunning = ({ state }: SessionActor, { worktreeId }: SessionWorktree): boolean =>
  runningScripts(state).some(({ scriptId, kind }) => scriptId.startsWith(`${worktreeId}-`) && kind !== 'run');

async function add(session: SessionActor, worktree: SessionWorktree): Promise<void> {
  const listed = await listWorktrees(worktree.repo);
  if ('words' in listed && existsSync(worktree.repo)) throw new Error(listed.words);
  if ('words' in listed) return session.note((draft) => worktreeFailed(draft, 'add', `The repository ${worktree.repo} is gone.`));
  const found = listed.find(({ path }) => path === worktree.path);
  if (found !== undefined && isComplete(found, worktree)) return prepare(session, worktree, found);
  const last = lastStep(session, worktree, 'add');
  if (last !== undefined && last.code !== null && last.code !== 0) {
    if (worktree.restores !== true) await clearHalfMade(worktree.repo, worktree.path, worktree.branch, worktree.baseCommit);
    return session.note((draft) => worktreeFailed(draft, 'add', endText(last)));
  }
  if (worktree.attempts >= ATTEMPTS) return session.note((draft) => worktreeFailed(draft, 'add', last === undefined ? 'git did not make it.' : endText(last)));
  if (worktree.attempts > 0) await clearHalfMade(worktree.repo, worktree.path, worktree.branch, worktree.baseCommit);
  const hooks = await hooksToTrust(session, worktree);
  if (hooks !== undefined) return session.note((draft) => askForHooks(draft, hooks));
  const argv = await addCommand(worktree);
  session.note((draft) => runGitStep(draft, 'add', argv));
}

const isComplete = ({ path, branch, locked, prunable }: ListedWorktree, worktree: SessionWorktree): boolean =>
  branch === worktree.branch && locked !== INITIALIZING && prunable === undefined && existsSync(path);

/** How the step ended when it was last run in this attempt; undefined if it was not. */
export function lastStep({ state }: SessionActor, { worktreeId, attempts }: SessionWorktree, step: 'add' | 'remove'): ScriptEnd | undefined {
  return attempts === 0 ? undefined : state.scripts?.findLast(({ scriptId }) => scriptId.startsWith(`${worktreeId}-${step}-`))?.ended;
}

/** A branch that is there is used as it is: a removed worktree keeps its branch. */
async function addCommand({ repo, path, branch, baseCommit, restores, head }: SessionWorktree): Promise<readonly string[]> {
  const start = ['git', '-C', repo, 'worktree', 'add'];
  const isThere = restores === true && (await commitOf({ cwd: repo }, branch)) !== undefined;
  return isThere ? [...start, path, branch] : [...start, '-b', branch, path, (restores === true ? head : undefined) ?? baseCommit];
}

async function prepare(session: SessionActor, worktree: SessionWorktree, { head = '' }: ListedWorktree): Promise<void> {
  const { deps } = session.context;
  if (worktree.restores === true && worktree.removal?.forced) {
    const problem = await restoreFiles(session, worktree);
    if (problem !== undefined) throw new Error(problem);
    return session.note((draft) => worktreePrepared(draft, { head, copied: { files: 0, bytes: 0 }, ...worktree.prepared }, true));
  }
  const scripts = await scriptsOf(session, worktree);
  if (scripts !== undefined && 'words' in scripts) return session.note((draft) => worktreeFailed(draft, 'setup', scripts.words));
  const plan = await planIncludes(worktree.repo);
  const { included, skipped } = await copyIncludes(worktree.repo, worktree.path, plan, worktree.worktreeId);
  const copied = { files: included.length, bytes: included.reduce((sum, { bytes }) => sum + bytes, 0) };
  const facts = {
    head,
    copied,
    ...(skipped.length > 0 && { skipped: [...skipped] }),
    ...(included.length > 0 && { included: deps.journal.putBlob(Buffer.from(JSON.stringify(included))) }),
    ...(scripts !== undefined && { scripts }),
  };
  const isTrusted = scripts === undefined || isScriptTrusted(session, worktree, scripts);
  session.note((draft) => {
    if (draft.state.worktree?.phase === 'adding') worktreePrepared(draft, facts, isTrusted);
  });
}

/** The owner's own scripts win over those of the repository; none if there are none. */
export async function scriptsOf(
  { context }: SessionActor,
  { repo, baseCommit }: SessionWorktree,
  onDisk?: string,
): Promise<WorktreeScripts | { readonly words: string } | undefined> {
  const own = projectOf(context.workspace.state, repo).scripts;
  const scripts = own ?? (await repositoryScripts(repo, baseCommit));
  if ('words' in scripts) return scripts;
  if (Object.keys(scripts).length === 0) return undefined;
  return scriptsToTrust(scripts, own === undefined ? 'repository' : 'owner', repo, baseCommit, onDisk);
}

/** The owner's own scripts need no question. A session that no person started asks every time. */
export function isScriptTrusted({ state, context }: SessionActor, { repo, by }: SessionWorktree, { source, sha256 }: WorktreeScripts): boolean {
  if (source === 'owner' || (state.trusted ?? []).includes(sha256)) return true;
  return by?.kind === 'person' && projectOf(context.workspace.state, repo).trusted.includes(sha256);
}
