import * as z from 'zod/mini';
import { AgentId, CommandId, SessionId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { PermissionMode } from './session.ts';

const slug = (most: number, what: string) =>
  z.string().check(z.regex(new RegExp(`^[a-z0-9][a-z0-9-]{0,${most - 1}}$`), `${what} is 1 to ${most} lower-case letters, digits or "-"`));

export const PlanId = slug(40, 'a plan id').brand<'PlanId'>();
export type PlanId = z.infer<typeof PlanId>;
export const NodeId = slug(48, 'a step id').brand<'NodeId'>();
export type NodeId = z.infer<typeof NodeId>;
export const ProposalId = z
  .string()
  .check(z.regex(/^[\w.:-]{1,120}$/))
  .brand<'ProposalId'>();
export type ProposalId = z.infer<typeof ProposalId>;

/** The stream of a plan. It is no session. */
export const planStream = (id: PlanId): SessionId => `_plan-${id}` as SessionId;

export function planOfStream(stream: string): PlanId | undefined {
  const found = stream.startsWith('_plan-') ? PlanId.safeParse(stream.slice('_plan-'.length)) : undefined;
  return found?.success ? found.data : undefined;
}

/** What a session does for a step. */
export const SessionRole = z.enum(['run', 'verify']);
export type SessionRole = z.infer<typeof SessionRole>;

/** The same attempt always has the same session, so it is created once. `_` never occurs in a plan's or a step's id. */
export const sessionOfNode = (plan: PlanId, node: NodeId, attempt: number, role: SessionRole, n = 1): SessionId =>
  `p_${plan}_${node}_${attempt}_${role}${n}` as SessionId;

/** The session of a command: it runs as the built-in script agent. */
export const commandOfNode = (plan: PlanId, node: NodeId, attempt: number): SessionId => `_script-${sessionOfNode(plan, node, attempt, 'run')}` as SessionId;

/** The id of one command that the engine submits for an attempt: a repeat finds the same receipt. */
export const planCommandId = (plan: PlanId, node: NodeId, attempt: number, step: string): CommandId => `plan:${plan}:${node}:${attempt}:${step}` as CommandId;

export interface NodeOfSession {
  readonly planId: PlanId;
  readonly nodeId: NodeId;
  readonly attempt: number;
}

/** The session that makes the steps of a plan. */
export const generatorOf = (plan: PlanId, n: number): SessionId => `p_${plan}__${n}_generate1` as SessionId;

/** The plan that a session works for. */
export function planOfSession(id: string): PlanId | undefined {
  const [, plan] = /^(?:_script-)?p_([a-z0-9-]+)_/.exec(id) ?? [];
  const planId = PlanId.safeParse(plan);
  return planId.success ? planId.data : undefined;
}

const NODE_SESSION = /^(?:_script-)?p_([a-z0-9-]+)_([a-z0-9-]+)_(\d+)_/;

/** The step that a session works for; undefined if it is none of a plan. */
export function nodeOfSession(id: string): NodeOfSession | undefined {
  const [, plan, node, attempt] = NODE_SESSION.exec(id) ?? [];
  const [planId, nodeId] = [PlanId.safeParse(plan), NodeId.safeParse(node)];
  return planId.success && nodeId.success ? { planId: planId.data, nodeId: nodeId.data, attempt: Number(attempt) } : undefined;
}

const Title = z.string().check(z.minLength(1), z.maxLength(LIMITS.titleChars));
/** Its length is checked with the graph, so that a refusal names the step. */
const Prompt = z.string();

export const Verify = z.union([
  z.strictObject({ command: z.string().check(z.minLength(1), z.maxLength(10_000)) }),
  z.strictObject({ agent: AgentId, prompt: z.string().check(z.minLength(1), z.maxLength(100_000)) }),
]);
export type Verify = z.infer<typeof Verify>;

/** How often a step whose check failed gets the output and tries again, and what happens then. */
// biome-ignore lint/suspicious/noThenProperty: a word of the plan format, never a function.
export const Fix = z.strictObject({ max: z.int().check(z.minimum(0), z.maximum(5)), then: z.enum(['gate', 'fail']) });

export const PlanNode = z.strictObject({
  id: NodeId,
  title: Title,
  /** What the agent is asked; of a `command`, what the shell runs; of a `gate`, the question to people. */
  prompt: Prompt,
  needs: z.array(NodeId).check(z.maxLength(200)),
  /** `work` without it. */
  kind: z.optional(z.enum(['work', 'command', 'gate'])),
  agent: z.optional(AgentId),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  permissionMode: z.optional(PermissionMode),
  /** Shown together under this name. */
  group: z.optional(z.string().check(z.maxLength(100))),
  /** `own`: a worktree on a branch of its own; without it, `own` in a repository and `none` elsewhere. */
  worktree: z.optional(z.enum(['own', 'none'])),
  /** Whether its branch is merged into the plan's; `plan` without it. */
  merge: z.optional(z.enum(['plan', 'none'])),
  verify: z.optional(Verify),
  fix: z.optional(Fix),
  /** Minutes of work per attempt; 30 without it, 0 for no limit. */
  timeLimitMinutes: z.optional(z.int().check(z.minimum(0), z.maximum(10_080))),
  notes: z.optional(z.string().check(z.maxLength(LIMITS.inlineBytes))),
  tags: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(32))),
});
export type PlanNode = z.infer<typeof PlanNode>;

export const Budget = z.strictObject({
  usd: z.optional(z.number().check(z.positive())),
  minutes: z.optional(z.number().check(z.positive())),
  turns: z.optional(z.int().check(z.positive())),
});
export type Budget = z.infer<typeof Budget>;

export const PlanDefaults = z.strictObject({
  agent: z.optional(AgentId),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  permissionMode: z.optional(PermissionMode),
});

/** What a plan says about itself, apart from its steps. */
export const PlanHead = z.strictObject({
  title: Title,
  goal: z.optional(z.string().check(z.maxLength(LIMITS.inlineBytes))),
  defaults: z.optional(PlanDefaults),
  budget: z.optional(Budget),
  /** Steps that run at once; 2 without it. */
  parallel: z.optional(z.int().check(z.minimum(1), z.maximum(50))),
});
export type PlanHead = z.infer<typeof PlanHead>;

const PlanHeadChange = z.exactPartial(PlanHead);
const { id: _id, needs: _needs, ...editable } = PlanNode.shape;
const NodeChange = z.exactPartial(z.strictObject(editable));

/** Changes to a graph, for people, agents, the generator and imports alike. The names in capitals are the ones that other tools use. */
export const PlanOp = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), node: PlanNode }),
  z.strictObject({ op: z.enum(['insert_between', 'INSERT_BETWEEN']), node: PlanNode, from: NodeId, to: NodeId }),
  z.strictObject({ op: z.enum(['add_sibling', 'ADD_SIBLING']), node: PlanNode, of: NodeId }),
  z.strictObject({ op: z.literal('remove'), node: NodeId }),
  z.strictObject({ op: z.literal('rewire'), node: NodeId, needs: z.array(NodeId).check(z.maxLength(200)) }),
  z.strictObject({ op: z.literal('edit'), node: NodeId, set: NodeChange }),
  z.strictObject({ op: z.literal('set'), set: PlanHeadChange }),
]);
export type PlanOp = z.infer<typeof PlanOp>;
export type PlanOps = z.infer<typeof PlanOps>;
export const PlanOps = z.array(PlanOp).check(z.minLength(1), z.maxLength(400));

export const NodeStatus = z.enum(['pending', 'ready', 'running', 'waiting', 'done', 'failed', 'skipped', 'blocked']);
export type NodeStatus = z.infer<typeof NodeStatus>;
export const PlanStatus = z.enum(['draft', 'running', 'paused', 'done', 'failed', 'cancelled']);
export type PlanStatus = z.infer<typeof PlanStatus>;

export const GateWhy = z.enum(['gate', 'verify', 'merge', 'time', 'deaths', 'start']);
export type GateWhy = z.infer<typeof GateWhy>;
export const GateOutcome = z.enum(['go', 'back', 'stop']);
export type GateOutcome = z.infer<typeof GateOutcome>;

/** Why an agent gets another message in the same attempt. */
export const ContinueWhy = z.enum(['fix', 'rebase', 'resume', 'limit', 'died', 'time']);
export type ContinueWhy = z.infer<typeof ContinueWhy>;

/** How a turn of a step's agent ended. */
export const TurnOutcome = z.enum(['ok', 'failed', 'interrupted', 'died', 'limited']);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

export const PauseReason = z.enum(['person', 'budget']);
export type PauseReason = z.infer<typeof PauseReason>;

/** What people can ask of a plan. Each is executed once, however often it is sent. */
const onPlan = { commandId: CommandId, planId: PlanId };
const onNode = { ...onPlan, node: NodeId };
export const PlanCommand = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('plan.create'),
    ...onPlan,
    head: PlanHead,
    cwd: z.string().check(z.minLength(1), z.maxLength(4096)),
    base: z.optional(z.string().check(z.maxLength(250))),
    branch: z.optional(z.string().check(z.maxLength(250))),
    nodes: z.array(PlanNode),
  }),
  z.object({ type: z.literal('plan.revise'), ...onPlan, base: z.int(), ops: PlanOps }),
  z.object({
    type: z.literal('plan.propose'),
    ...onPlan,
    base: z.int(),
    ops: PlanOps,
    why: z.string(),
    proposalId: ProposalId,
    sessionId: z.optional(SessionId),
  }),
  z.object({ type: z.literal('proposal.decide'), ...onPlan, proposalId: ProposalId, behavior: z.enum(['accept', 'reject']), words: z.optional(z.string()) }),
  z.object({ type: z.literal('plan.generate'), ...onPlan, task: z.string(), agent: z.optional(AgentId) }),
  z.object({ type: z.literal('plan.start'), ...onPlan }),
  z.object({ type: z.literal('plan.pause'), ...onPlan }),
  z.object({ type: z.literal('plan.resume'), ...onPlan }),
  z.object({ type: z.literal('plan.cancel'), ...onPlan }),
  z.object({ type: z.literal('plan.delete'), ...onPlan }),
  z.object({ type: z.literal('node.retry'), ...onNode, words: z.optional(z.string()) }),
  z.object({ type: z.literal('node.resume'), ...onNode, words: z.optional(z.string()) }),
  z.object({ type: z.literal('node.skip'), ...onNode }),
  z.object({ type: z.literal('node.note'), ...onNode, notes: z.optional(z.string()), tags: z.optional(z.array(z.string())) }),
  z.object({
    type: z.literal('gate.decide'),
    ...onNode,
    outcome: GateOutcome,
    to: z.optional(NodeId),
    words: z.optional(z.string()),
  }),
]);
export type PlanCommand = z.infer<typeof PlanCommand>;
export type PlanCommandOf<T extends PlanCommand['type']> = Extract<PlanCommand, { type: T }>;
