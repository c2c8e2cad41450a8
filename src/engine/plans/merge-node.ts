import { gateEvent } from '../../domain/plan/next.ts';
import { checkedOutAt } from '../../git/merge.ts';
import { repositoryOf } from '../../git/repository.ts';
import { runGit, runGitWith } from '../../git/run-git.ts';
import { readWorktree } from '../../git/worktrees.ts';
import type { Attempt, PlanNodeState } from '../../protocol/api/plan.ts';
import { isRefusal } from '../../protocol/command.ts';
import { planCommandId } from '../../protocol/plan.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { KeyedQueues } from '../loop/keyed-queues.ts';
import { mergeWorktree } from '../worktrees/merge.ts';
import type { PlanActor } from './plan-actor.ts';

const ACT_BYTES = 1024 * 1024;

/** Merges what an attempt did into the plan's branch, one step at a time. A second try after a crash finds the merge done. */
export async function mergeNode(context: EngineContext, queues: KeyedQueues, plan: PlanActor, node: PlanNodeState, attempt: Attempt): Promise<boolean> {
  const session = context.sessions.get(attempt.sessionId);
  const worktree = session?.state.worktree;
  const { repo } = plan.state;
  if (session === undefined || worktree === undefined || repo === undefined) {
    plan.append([gateEvent(plan.state, node, 'merge', `“${node.title}” has no worktree that could be merged. Retry the step, or skip it.`)]);
    return true;
  }
  return queues.run(`merge ${repo.path} ${repo.branch}`, async () => {
    const stop = (words: string): boolean => {
      plan.append([gateEvent(plan.state, node, 'merge', `“${node.title}” was not merged: ${words} Try again?`)]);
      return true;
    };
    const place = await checkedOutAt(repo.path, repo.branch);
    if (place !== undefined) return stop('words' in place ? place.words : `${repo.branch} is checked out in ${place.path}. Check out another branch there.`);
    const problem = await commitWork(worktree.path, `${node.title}\n\nStep ${node.id} of the plan ${plan.id}\n`);
    if (problem !== undefined) return stop(problem);
    const commandId = planCommandId(plan.id, node.id, attempt.n, `merge${attempt.rebases}`);
    const merged = await mergeWorktree(session, worktree, { type: 'merge', into: repo.branch, commandId }, plan.actor);
    if (!isRefusal(merged)) {
      plan.append([{ type: 'node.merged', node: node.id, attempt: attempt.n, ...(merged.commit !== undefined && { commit: merged.commit }) }]);
      return true;
    }
    const conflicts = conflictsIn(merged.details);
    if (conflicts === undefined) return stop(merged.message);
    plan.append([{ type: 'node.merged', node: node.id, attempt: attempt.n, conflicts }]);
    return true;
  });
}

function conflictsIn(details: unknown): string[] | undefined {
  if (typeof details !== 'object' || details === null || !('conflicts' in details) || !Array.isArray(details.conflicts)) return undefined;
  return details.conflicts.filter((path) => typeof path === 'string');
}

/** Commits what the agent left uncommitted, without hooks, filters or signing programs: nobody is there to confirm them. Undefined when nothing is left. */
async function commitWork(path: string, message: string): Promise<string | undefined> {
  const facts = await readWorktree(path, false);
  if ('words' in facts) return facts.words;
  if (facts.uncommitted.length + facts.untracked.length === 0) return undefined;
  const place = await repositoryOf(path);
  if ('words' in place) return place.words;
  if (place.emptied.length > 0) return 'The repository has filters, so its agent has to commit its work itself. Commit it in its worktree.';
  const added = await runGit(place, ['add', '-A'], ACT_BYTES);
  if (!added.ok) return added.words;
  const committed = await runGitWith(place, ['-c', 'commit.gpgSign=false', 'commit', '-q', '--no-verify', '-F', '-'], message, ACT_BYTES);
  return committed.ok ? undefined : committed.words;
}
