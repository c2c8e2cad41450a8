import type { PlanDecisionContext } from '../../domain/plan/decide.ts';
import { allowedFolder } from '../../folders/allowed-roots.ts';
import { NO_REPOSITORY, runGit } from '../../git/run-git.ts';
import { commitOf, findBase } from '../../git/worktrees.ts';
import type { PlanState } from '../../protocol/api/plan.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { PlanCommandOf } from '../../protocol/plan.ts';
import type { EngineContext } from '../loop/engine-context.ts';

/** The plan with the real path of its folder, which must be one in which sessions may run. */
export async function placeOf({ deps }: EngineContext, command: PlanCommandOf<'plan.create'>): Promise<PlanCommandOf<'plan.create'> | Refusal> {
  const cwd = await allowedFolder(command.cwd, deps.settings);
  return typeof cwd === 'string' ? { ...command, cwd } : cwd;
}

/** The repository that a plan works in, and the branch that it will make; undefined if no step needs one. */
export async function repositoryFor(state: PlanState, all: readonly PlanState[]): Promise<PlanDecisionContext['repo'] | Refusal> {
  const needsBranch = state.nodes.some(({ worktree = 'own', kind }) => worktree === 'own' && kind !== 'gate');
  if (!needsBranch || state.status !== 'draft') return undefined;
  const found = await findBase(state.cwd, state.base);
  // Also below an empty `.git`, such as the one that the sandbox of Codex 0.166 leaves in /tmp.
  if ('words' in found) return found.words === NO_REPOSITORY ? undefined : { refused: 'conflict', message: found.words };
  const { repo, base, baseCommit } = found;
  const branch = state.branch ?? `plan/${state.id}`;
  const isValid = (await runGit({ cwd: repo }, ['check-ref-format', `refs/heads/${branch}`], 1024)).ok;
  if (!isValid) return { refused: 'bad-request', message: `"${branch}" can't be the name of a branch.` };
  const other = all.find((plan) => plan.id !== state.id && plan.repo?.path === repo && plan.repo.branch === branch);
  if (other !== undefined) return { refused: 'conflict', message: `The plan ${other.id} already works on the branch ${branch} of ${repo}.` };
  if ((await commitOf({ cwd: repo }, `refs/heads/${branch}`)) !== undefined)
    return { refused: 'conflict', message: `There is already a branch ${branch} in ${repo}. Choose another one for the plan.` };
  return { repo, branch, base, baseCommit };
}
