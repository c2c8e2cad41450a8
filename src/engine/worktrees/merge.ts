import { createHash } from 'node:crypto';
import type { SessionWorktree } from '../../domain/session/state.ts';
import { askForHooks, endText } from '../../domain/worktree/decide.ts';
import { checkedOutAt, commitMerge, moveBranch, tryMerge } from '../../git/merge.ts';
import { commitOf } from '../../git/worktrees.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { MergeAnswer } from '../../protocol/api/worktree.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { ScriptId } from '../../protocol/ids.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { runScript } from '../scripts/run-script.ts';
import { hooksToTrust } from './hooks.ts';

export interface MergeAct {
  readonly type: 'merge';
  readonly into?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly commandId: string;
}

/** Merges the worktree's branch into another one. A conflict changes nothing; a second try after a crash finds the merge done. */
export async function mergeWorktree(session: SessionActor, worktree: SessionWorktree, act: MergeAct, actor: Actor): Promise<MergeAnswer | Refusal> {
  const { repo, branch } = worktree;
  const { into = worktree.base, dryRun = false } = act;
  const trial = await tryMerge(repo, into, branch);
  if (trial.kind === 'refused') return { refused: 'conflict', message: trial.words };
  if (trial.kind === 'conflicts') {
    if (!dryRun) note(session, worktree, actor, { into, conflicts: [...trial.paths] });
    return {
      refused: 'conflict',
      message: `${branch} conflicts with ${into} in ${trial.paths.join(', ')}. Nothing was changed.`,
      details: { conflicts: trial.paths },
    };
  }
  if (trial.kind === 'up-to-date') {
    if (!dryRun) noteOnce(session, worktree, actor, into, trial.target);
    return { into, files: [], commit: trial.target, dryRun, upToDate: true };
  }
  const place = await checkedOutAt(repo, into);
  if (place !== undefined && 'words' in place) return { refused: 'conflict', message: place.words };
  if (place !== undefined && place.dirty.length > 0)
    return {
      refused: 'conflict',
      message: `${into} is checked out in ${place.path} and has uncommitted changes: ${place.dirty.slice(0, 10).join(', ')}. Commit or stash them first. Nothing was changed.`,
      details: { dirty: place.dirty },
    };
  if (dryRun) return { into, files: [...trial.files], dryRun };
  const hooks = place === undefined ? undefined : await hooksToTrust(session, worktree);
  if (hooks !== undefined) {
    session.note((draft) => askForHooks(draft, hooks));
    return {
      refused: 'conflict',
      message: `Git hooks or settings changed since an agent worked here: ${hooks.changes.map(({ name }) => name).join(', ')}. There is a card in the inbox; look at them and accept them, then merge again. Nothing was changed.`,
    };
  }
  const commit = await commitMerge(repo, into, branch, trial);
  if (typeof commit !== 'string') return { refused: 'conflict', message: commit.words };
  const problem =
    place === undefined
      ? await moveBranch(repo, into, commit, trial.target)
      : await fastForward(session, worktree, place.path, { ...act, commit, into, actor });
  if (problem !== undefined) return { refused: 'conflict', message: problem.words };
  note(session, worktree, actor, { into, commit });
  return { into, files: [...trial.files], commit, dryRun };
}

/** Where the branch is checked out, its files change with it. Detached: it finishes even if this server doesn't. */
async function fastForward(
  session: SessionActor,
  { worktreeId, repo }: SessionWorktree,
  path: string,
  { commandId, commit, into, actor }: MergeAct & { readonly commit: string; readonly into: string; readonly actor: Actor },
): Promise<{ readonly words: string } | undefined> {
  const argv = ['git', '-C', path, 'merge', '--ff-only', '-q', commit];
  const id = createHash('sha256').update(`${commandId} ${commit}`).digest('hex').slice(0, 16);
  const end = await runScript(session.context, session.state.id, {
    scriptId: `merge-${worktreeId}-${id}` as ScriptId,
    kind: 'git',
    command: `git merge into ${into}`,
    argv,
    cwd: path,
    env: { GIT_TERMINAL_PROMPT: '0' },
    actor,
  });
  if (isRefusal(end)) return { words: end.message };
  if (end.code === 0 || (await commitOf({ cwd: repo }, `refs/heads/${into}`)) === commit) return undefined;
  return { words: `git merge failed in ${path}: ${endText(end)}` };
}

function note(
  session: SessionActor,
  { worktreeId }: SessionWorktree,
  actor: Actor,
  outcome: { readonly into: string; readonly commit?: string; readonly conflicts?: string[] },
): void {
  session.note((draft) => draft.emit({ type: 'worktree.merged', worktreeId, ...outcome, actor }));
}

/** A server killed after the merge and before its event leaves the event to the next try. */
function noteOnce(session: SessionActor, worktree: SessionWorktree, actor: Actor, into: string, commit: string): void {
  const { journal } = session.context.deps;
  const events = journal.before(session.state.id, Number.MAX_SAFE_INTEGER, 200);
  const isNoted = events.some((event) => event.type === 'worktree.merged' && event.into === into && event.commit === commit);
  if (!isNoted) note(session, worktree, actor, { into, commit });
}
