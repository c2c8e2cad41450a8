import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { revisedShape } from '../../../../domain/plan/decide.ts';
import { diffPlans } from '../../../../domain/plan/diff.ts';
import { estimate } from '../../../../domain/plan/estimate.ts';
import { shapeOf } from '../../../../domain/plan/evolve.ts';
import { fileOf, summarizePlan } from '../../../../domain/plan/summary.ts';
import type { Actor } from '../../../../protocol/actor.ts';
import {
  CreatePlanBody,
  GateBody,
  GenerateBody,
  ImportPlanBody,
  NodeActBody,
  NodeNoteBody,
  OpsAnswer,
  OpsBody,
  PatchPlanBody,
  PlanActBody,
  PlanAnswer,
  PlanFile,
  PlanList,
  PlanQuery,
  PlanQueue,
  PlanState,
  ProposalBody,
  ProposalList,
} from '../../../../protocol/api/plan.ts';
import { isRefusal, type Refusal } from '../../../../protocol/command.ts';
import { CommandAnswer } from '../../../../protocol/http.ts';
import { CommandId } from '../../../../protocol/ids.ts';
import { NodeId, type PlanCommand, PlanId, type PlanOps, ProposalId } from '../../../../protocol/plan.ts';
import { type Answer, type Route, route, type Services } from '../../route.ts';
import { queueOf } from './queue.ts';

const commandIdOf = (body: { readonly commandId?: CommandId | undefined } | undefined | null): CommandId => body?.commandId ?? CommandId.parse(randomUUID());

const OfPlan = z.object({ id: PlanId });
const OfNode = z.object({ id: PlanId, node: NodeId });
const Acted = { status: 202, schema: CommandAnswer } as const;

const PLAN_ACTS = {
  start: 'Start a plan. In a repository it gets a branch of its own, which its steps’ work is merged into',
  pause: 'Start no more steps; what runs finishes its turn',
  resume: 'Continue a paused plan',
  cancel: 'End a plan: running agents are interrupted',
} as const;

const NODE_ACTS = {
  retry: 'Another attempt at a step that failed or waits: a new session and a new worktree; the old ones stay',
  resume: 'Continue the attempt of a step that failed or waits, in the same session',
  skip: 'Count a step as done; the steps that need it run',
} as const;

export const PLAN_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/plans',
    role: 'viewer',
    summary: 'All plans, the ones that changed last first; of one agent, status or project folder',
    query: PlanQuery,
    answer: { status: 200, schema: PlanList },
    handle: ({ engine }, { query }) => ({
      status: 200,
      body: {
        plans: engine
          .plans()
          .map(summarizePlan)
          .filter((plan) => matches(plan, query)),
      },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/plans',
    role: 'driver',
    isAudited: true,
    summary: 'Create a plan. Nothing runs until it is started. 422 names the step that is wrong',
    body: CreatePlanBody,
    answer: { status: 201, schema: PlanState },
    refusals: [403, 409, 422],
    handle: (services, { body, actor }) => {
      const { commandId, id = freshId(body.title), cwd, base, branch, nodes = [], ...head } = body;
      return create(services, { commandId: commandIdOf({ commandId }), planId: id, head, cwd, base, branch, nodes }, actor);
    },
  }),
  route({
    method: 'POST',
    path: '/api/plans/import',
    role: 'driver',
    isAudited: true,
    summary: 'Create a plan from an exported file',
    body: ImportPlanBody,
    answer: { status: 201, schema: PlanState },
    refusals: [403, 409, 422],
    handle: (services, { body, actor }) => {
      const { signalboxPlan: _, nodes, base, branch, ...head } = body.file;
      const planId = body.id ?? freshId(head.title);
      return create(services, { commandId: commandIdOf(body), planId, head, cwd: body.cwd, base, branch, nodes }, actor);
    },
  }),
  route({
    method: 'GET',
    path: '/api/plans/queue',
    role: 'viewer',
    summary: 'Every step that is ready, runs or waits, of all plans, with the reason',
    answer: { status: 200, schema: PlanQueue },
    handle: ({ engine }) => ({ status: 200, body: queueOf(engine) }),
  }),
  route({
    method: 'GET',
    path: '/api/plans/:id',
    role: 'viewer',
    summary: 'A plan as it is now, and what each of its steps waits for',
    params: OfPlan,
    answer: { status: 200, schema: PlanAnswer },
    refusals: [404],
    handle: ({ engine }, { params }) => withPlan(engine, params.id, (plan) => ({ status: 200, body: { plan, waitsFor: engine.planWaits(plan.id) } })),
  }),
  route({
    method: 'PATCH',
    path: '/api/plans/:id',
    role: 'driver',
    isAudited: true,
    summary: 'Change what the plan says about itself: title, goal, defaults, budget, parallel',
    params: OfPlan,
    body: PatchPlanBody,
    answer: { status: 200, schema: PlanState },
    refusals: [404, 409],
    handle: async (services, { params, body, actor }) => {
      const { commandId, ...set } = body;
      const before = services.engine.planState(params.id);
      if (before === undefined) return unknownPlan(params.id);
      const change = { base: before.revision, ops: [{ op: 'set' as const, set }] };
      const receipt = await services.engine.plan({ type: 'plan.revise', planId: params.id, commandId: commandIdOf({ commandId }), ...change }, actor);
      return isRefusal(receipt) ? receipt : withPlan(services.engine, params.id, (plan) => ({ status: 200, body: plan }));
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/plans/:id',
    role: 'owner',
    isAudited: true,
    summary: 'Delete a plan that does not run. Its sessions and branches stay',
    params: OfPlan,
    answer: Acted,
    refusals: [404, 409],
    handle: (services, { params, actor }) => submit(services, { type: 'plan.delete', planId: params.id, commandId: commandIdOf(undefined) }, actor),
  }),
  route({
    method: 'POST',
    path: '/api/plans/:id/generate',
    role: 'driver',
    isAudited: true,
    summary: 'Let an agent turn a task into steps. The first steps of a draft are taken as they are; later ones are a proposal',
    params: OfPlan,
    body: GenerateBody,
    answer: Acted,
    refusals: [404, 409, 422],
    handle: (services, { params, body, actor }) => {
      const { task, agent } = body;
      return submit(services, { type: 'plan.generate', planId: params.id, commandId: commandIdOf(body), task, agent }, actor);
    },
  }),
  ...(['start', 'pause', 'resume', 'cancel'] as const).map((act) =>
    route({
      method: 'POST',
      path: `/api/plans/:id/${act}`,
      role: 'driver',
      isAudited: true,
      summary: PLAN_ACTS[act],
      params: OfPlan,
      body: z.optional(z.nullable(PlanActBody)),
      answer: Acted,
      refusals: [404, 409, 422],
      handle: (services, { params, body, actor }) => submit(services, { type: `plan.${act}`, planId: params.id, commandId: commandIdOf(body) }, actor),
    }),
  ),
  route({
    method: 'POST',
    path: '/api/plans/:id/ops',
    role: 'driver',
    isAudited: true,
    summary: 'Change a plan: all operations or none. With `dryRun`, only what they would do. 422 names the step that is in the way',
    params: OfPlan,
    body: OpsBody,
    answer: { status: 200, schema: OpsAnswer },
    refusals: [404, 409, 422],
    handle: async (services, { params, body, actor }) => {
      const before = services.engine.planState(params.id);
      if (before === undefined) return unknownPlan(params.id);
      const preview = previewOf(before, body);
      if (isRefusal(preview) || body.dryRun === true) return isRefusal(preview) ? preview : { status: 200, body: { ...preview, revision: before.revision } };
      const { base, ops } = body;
      const receipt = await services.engine.plan({ type: 'plan.revise', planId: params.id, commandId: commandIdOf(body), base, ops }, actor);
      if (isRefusal(receipt)) return receipt;
      return { status: 200, body: { ...preview, revision: services.engine.planState(params.id)?.revision ?? before.revision } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/plans/:id/proposals',
    role: 'viewer',
    summary: 'What agents proposed, newest first: with the diff on the plan as it is now, or why it no longer fits',
    params: OfPlan,
    answer: { status: 200, schema: ProposalList },
    refusals: [404],
    handle: ({ engine }, { params }) =>
      withPlan(engine, params.id, (plan) => ({ status: 200, body: { proposals: plan.proposals.map((one) => shownProposal(plan, one)).reverse() } })),
  }),
  route({
    method: 'POST',
    path: '/api/plans/:id/proposals/:proposal',
    role: 'driver',
    isAudited: true,
    summary: 'Accept or reject a proposal. One that no longer fits becomes `stale`',
    params: z.object({ id: PlanId, proposal: ProposalId }),
    body: ProposalBody,
    answer: Acted,
    refusals: [404, 409],
    handle: (services, { params, body, actor }) => {
      const { behavior, words } = body;
      const command = { type: 'proposal.decide', planId: params.id, commandId: commandIdOf(body), proposalId: params.proposal, behavior, words } as const;
      return submit(services, command, actor);
    },
  }),
  ...(['retry', 'resume', 'skip'] as const).map((act) =>
    route({
      method: 'POST',
      path: `/api/plans/:id/nodes/:node/${act}`,
      role: 'driver',
      isAudited: true,
      summary: NODE_ACTS[act],
      params: OfNode,
      body: z.optional(z.nullable(NodeActBody)),
      answer: Acted,
      refusals: [404, 409],
      handle: (services, { params, body, actor }) => {
        const about = { planId: params.id, node: params.node, commandId: commandIdOf(body) };
        const words = act === 'skip' || body?.words === undefined ? {} : { words: body.words };
        return submit(services, { type: `node.${act}`, ...about, ...words }, actor);
      },
    }),
  ),
  route({
    method: 'POST',
    path: '/api/plans/:id/nodes/:node/gate',
    role: 'driver',
    isAudited: true,
    summary: 'Answer the gate at a step: go on, send a step back with words, or stop the plan',
    params: OfNode,
    body: GateBody,
    answer: Acted,
    refusals: [404, 409, 422],
    handle: (services, { params, body, actor }) => {
      const { commandId: _, ...answer } = body;
      return submit(services, { type: 'gate.decide', planId: params.id, node: params.node, commandId: commandIdOf(body), ...answer }, actor);
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/plans/:id/nodes/:node',
    role: 'driver',
    summary: 'Set the notes and tags of a step',
    params: OfNode,
    body: NodeNoteBody,
    answer: Acted,
    refusals: [404],
    handle: (services, { params, body, actor }) => {
      const { notes, tags } = body;
      return submit(services, { type: 'node.note', planId: params.id, node: params.node, commandId: commandIdOf(body), notes, tags }, actor);
    },
  }),
  route({
    method: 'GET',
    path: '/api/plans/:id/export',
    role: 'viewer',
    summary: 'The plan as a file: its steps, without what happened to them',
    params: OfPlan,
    answer: { status: 200, schema: PlanFile },
    refusals: [404],
    handle: ({ engine }, { params }) =>
      withPlan(engine, params.id, (plan) => ({ status: 200, body: fileOf(plan, (sha256) => Buffer.from(engine.blob(sha256) ?? []).toString('utf8')) })),
  }),
];

const unknownPlan = (id: PlanId): Refusal => ({ refused: 'not-found', message: `There is no plan ${id}.` });

function withPlan(engine: Services['engine'], id: PlanId, answer: (plan: PlanState) => Answer): Answer | Refusal {
  const plan = engine.planState(id);
  return plan === undefined ? unknownPlan(id) : answer(plan);
}

function matches(plan: z.infer<typeof PlanList>['plans'][number], { agent, status, project }: z.infer<typeof PlanQuery>): boolean {
  if (agent !== undefined && !plan.agents.includes(agent)) return false;
  if (status !== undefined && plan.status !== status) return false;
  return project === undefined || plan.cwd === project;
}

/** A readable id from the title, and a part that makes it unique. */
function freshId(title: string): PlanId {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30);
  return PlanId.parse([words.replace(/-+$/, ''), randomUUID().slice(0, 6)].filter((part) => part !== '').join('-'));
}

async function create(services: Services, asked: Omit<Extract<PlanCommand, { type: 'plan.create' }>, 'type'>, actor: Actor): Promise<Answer | Refusal> {
  const receipt = await services.engine.plan({ type: 'plan.create', ...asked }, actor);
  if (isRefusal(receipt)) return receipt;
  const plan = services.engine.planState(asked.planId);
  return plan === undefined ? unknownPlan(asked.planId) : { status: 201, body: plan };
}

async function submit({ engine }: Services, command: PlanCommand, actor: Actor): Promise<Answer | Refusal> {
  const receipt = await engine.plan(command, actor);
  return isRefusal(receipt) ? receipt : { status: 202, body: { commandId: receipt.commandId, seq: receipt.seq } };
}

function previewOf(plan: PlanState, { base, ops }: { readonly base: number; readonly ops: z.infer<typeof PlanOps> }) {
  const shape = revisedShape(plan, { base, ops });
  if (isRefusal(shape)) return shape;
  const diff = diffPlans(shapeOf(plan), shape);
  return { diff, estimate: estimate(plan, diff.added) };
}

function shownProposal(plan: PlanState, proposal: PlanState['proposals'][number]): z.infer<typeof ProposalList>['proposals'][number] {
  if (proposal.outcome !== undefined) return proposal;
  const preview = previewOf(plan, proposal);
  return isRefusal(preview) ? { ...proposal, stale: preview.message } : { ...proposal, ...preview };
}
