import { createHash } from 'node:crypto';
import { SCRIPT_AGENT } from '../../agents/index.ts';
import { agentOf } from '../../domain/plan/estimate.ts';
import { runGit } from '../../git/run-git.ts';
import { commitOf } from '../../git/worktrees.ts';
import type { Attempt, PlanNodeState, PlanState } from '../../protocol/api/plan.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import { AgentId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { planCommandId, planStream } from '../../protocol/plan.ts';

const NAME_CHARS = 60;

/** The session of an attempt, with its first message. In a repository it gets a worktree that starts from the plan's branch. */
export async function creationOf(
  state: PlanState,
  node: PlanNodeState,
  { n, sessionId }: Attempt,
  prompt: string,
): Promise<CommandOf<'session.create'> | Refusal> {
  const { worktree = 'own', kind = 'work' } = node;
  const hasOwn = state.repo !== undefined && worktree === 'own';
  const problem = hasOwn ? await ensureBranch(state) : undefined;
  if (problem !== undefined) return problem;
  const agent = kind === 'command' ? SCRIPT_AGENT.id : AgentId.safeParse(agentOf(node, state.head)).data;
  if (agent === undefined) return { refused: 'agent-unavailable', message: 'The step has no agent.' };
  return {
    type: 'session.create',
    commandId: planCommandId(state.id, node.id, n, 'run'),
    sessionId,
    agent,
    cwd: state.cwd,
    options: kind === 'command' ? { flags: ['/bin/sh', '-c', prompt] } : optionsOf(state, node),
    title: node.title.slice(0, LIMITS.titleChars),
    prompt,
    ...(hasOwn && { worktree: { name: worktreeName(state, node, n), base: state.repo?.branch } }),
    ...(kind === 'command' && { parent: { sessionId: planStream(state.id), seq: state.seq } }),
  };
}

function optionsOf({ head: { defaults = {} } }: PlanState, { model = defaults.model, permissionMode = defaults.permissionMode }: PlanNodeState) {
  return { ...(model !== undefined && { model }), ...(permissionMode !== undefined && { permissionMode }) };
}

function worktreeName({ id }: PlanState, node: PlanNodeState, n: number): string {
  const name = `${id}-${node.id}-${n}`;
  if (name.length <= NAME_CHARS) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, NAME_CHARS - hash.length - 1)}-${hash}`;
}

/** The plan's branch is made before the first step, and never again: a branch that somebody deleted may have had work. */
async function ensureBranch({ repo, nodes }: PlanState): Promise<Refusal | undefined> {
  if (repo === undefined) return undefined;
  const { path, branch, baseCommit } = repo;
  if ((await commitOf({ cwd: path }, `refs/heads/${branch}`)) !== undefined) return undefined;
  if (nodes.some(({ attempts }) => attempts.some(({ merged }) => merged !== undefined)))
    return { refused: 'conflict', message: `The plan’s branch ${branch} is gone. Restore it, then try again.` };
  const made = await runGit({ cwd: path }, ['update-ref', '-m', 'branch of a plan', `refs/heads/${branch}`, baseCommit, ''], 4096);
  // Two steps that start at once both try; one of them makes it.
  if (made.ok || (await commitOf({ cwd: path }, `refs/heads/${branch}`)) !== undefined) return undefined;
  return { refused: 'conflict', message: made.words };
}
