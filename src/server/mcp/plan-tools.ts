import type * as z from 'zod/mini';
import { parseOps } from '../../domain/plan/generate.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ProposePlanChange, ReadPlan } from '../../protocol/agent-tools.ts';
import type { PlanState } from '../../protocol/api/plan.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import { CommandId } from '../../protocol/ids.ts';
import { PlanId, ProposalId, planOfSession } from '../../protocol/plan.ts';
import type { ToolCaller, ToolOutcome } from './caller.ts';

/** An agent sees and changes the plan that it works for, and no other. */
export function readPlan(caller: ToolCaller, engine: Engine, { planId }: z.infer<typeof ReadPlan>): ToolOutcome {
  const plan = planFor(caller, engine, planId);
  return isRefusal(plan) ? plan : JSON.stringify(shown(plan));
}

export async function proposePlanChange(
  caller: ToolCaller,
  engine: Engine,
  { ops, why }: z.infer<typeof ProposePlanChange>,
  askId: string,
): Promise<ToolOutcome> {
  const plan = planFor(caller, engine, undefined);
  if (isRefusal(plan)) return plan;
  const proposalId = ProposalId.parse(askId);
  // Asked again after a crash: it was stored.
  if (plan.proposals.some((proposal) => proposal.proposalId === proposalId)) return PROPOSED;
  const parsed = parseOps({ ops, why });
  if ('problem' in parsed) return { refused: 'bad-request', message: `The change can’t be used: ${parsed.problem}` };
  const sessionId = caller.session?.id;
  const receipt = await engine.plan(
    {
      type: 'plan.propose',
      commandId: CommandId.parse(`propose:${askId}`),
      planId: plan.id,
      base: plan.revision,
      proposalId,
      ...parsed,
      ...(sessionId !== undefined && { sessionId }),
    },
    caller.actor,
  );
  return isRefusal(receipt) ? receipt : PROPOSED;
}

const PROPOSED = 'Proposed. A person decides; go on with your own task.';

function planFor({ session }: ToolCaller, engine: Engine, asked: string | undefined): PlanState | Refusal {
  const own = session === undefined ? undefined : planOfSession(session.id);
  if (session !== undefined && own === undefined) return { refused: 'not-permitted', message: 'Your session belongs to no plan.' };
  if (own !== undefined && asked !== undefined && asked !== own)
    return { refused: 'not-permitted', message: `You work for the plan ${own}, and for no other.` };
  const id = own ?? PlanId.safeParse(asked).data;
  const plan = id === undefined ? undefined : engine.planState(id);
  return plan ?? { refused: 'not-found', message: asked === undefined ? 'Name the plan (planId).' : `There is no plan ${asked}.` };
}

function shown({ id, head, status, revision, nodes, spent }: PlanState): object {
  return {
    id,
    title: head.title,
    goal: head.goal,
    status,
    revision,
    spentUsd: spent.usd,
    nodes: nodes.map(({ id: node, title, needs, kind, agent, status: now, summary }) => ({ id: node, title, needs, kind, agent, status: now, summary })),
  };
}
