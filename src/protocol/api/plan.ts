import * as z from 'zod/mini';
import { Actor } from '../actor.ts';
import { BlobRef } from '../event.ts';
import { AgentId, CommandId, SessionId } from '../ids.ts';
import {
  ContinueWhy,
  GateOutcome,
  GateWhy,
  NodeId,
  NodeStatus,
  PauseReason,
  PlanHead,
  PlanId,
  PlanNode,
  PlanOp,
  PlanOps,
  PlanStatus,
  ProposalId,
  TurnOutcome,
} from '../plan.ts';

/** `unknown`: at least one turn did not say what it cost. */
export const Spent = z.object({ usd: z.number(), turns: z.int(), ms: z.number(), unknown: z.boolean() });
export type Spent = z.infer<typeof Spent>;

/** A message to the agent of an attempt; `blob` has the full text of a long one. */
export const AttemptInput = z.object({
  n: z.int(),
  why: z.union([z.literal('start'), z.literal('sent-back'), ContinueWhy]),
  text: z.string(),
  blob: z.optional(BlobRef),
});
export type AttemptInput = z.infer<typeof AttemptInput>;

/**
 * running: its agent works, or waits for something. reported: the check is next. unverified: it failed. verified: the merge is next.
 * conflict: it could not be merged. over: nothing more happens in this attempt, unless a person resumes it.
 */
export const AttemptPhase = z.enum(['running', 'reported', 'unverified', 'verified', 'conflict', 'merged', 'over']);
export type AttemptPhase = z.infer<typeof AttemptPhase>;

export const Attempt = z.object({
  n: z.int(),
  sessionId: SessionId,
  startedAt: z.string(),
  phase: AttemptPhase,
  inputs: z.array(AttemptInput),
  /** The last turn that was counted, by its end in the session, and how it ended. */
  turnSeq: z.int(),
  last: z.optional(TurnOutcome),
  until: z.optional(z.string()),
  spent: Spent,
  deaths: z.int(),
  /** How often the agent was asked to fix what the check found, or to rebase. */
  fixes: z.int(),
  rebases: z.int(),
  /** Minutes that people added to the time limit. */
  moreMinutes: z.int(),
  summary: z.optional(z.string()),
  artifact: z.optional(z.string()),
  verified: z.optional(z.object({ round: z.int(), ok: z.boolean(), sessionId: SessionId, output: z.string() })),
  merged: z.optional(z.string()),
  conflicts: z.optional(z.array(z.string())),
});
export type Attempt = z.infer<typeof Attempt>;

/** A session that makes steps out of a task. */
export const PlanGeneration = z.object({
  n: z.int(),
  agent: z.string(),
  sessionId: SessionId,
  at: z.string(),
  inputs: z.array(AttemptInput),
  outcome: z.optional(z.enum(['proposed', 'failed'])),
  problem: z.optional(z.string()),
});
export type PlanGeneration = z.infer<typeof PlanGeneration>;

export const PlanGate = z.object({ gate: z.int(), node: NodeId, why: GateWhy, question: z.string(), at: z.string() });
export type PlanGate = z.infer<typeof PlanGate>;

export const PlanNodeState = z.object({
  ...PlanNode.shape,
  /** The full text of a long prompt. */
  promptBlob: z.optional(BlobRef),
  status: NodeStatus,
  attempts: z.array(Attempt),
  /** What steps that need this one are told. */
  summary: z.optional(z.string()),
  /** Why it failed. */
  reason: z.optional(z.string()),
  /** What a person says to the next attempt. */
  words: z.optional(z.string()),
});
export type PlanNodeState = z.infer<typeof PlanNodeState>;

export const PlanProposal = z.object({
  proposalId: ProposalId,
  base: z.int(),
  ops: z.array(PlanOp),
  why: z.string(),
  at: z.string(),
  by: z.string(),
  sessionId: z.optional(SessionId),
  outcome: z.optional(z.enum(['accepted', 'rejected', 'stale'])),
  reason: z.optional(z.string()),
});
export type PlanProposal = z.infer<typeof PlanProposal>;

/** A plan as it is now: server and page fold it from the same events (`domain/plan/evolve.ts`). */
export const PlanState = z.object({
  id: PlanId,
  seq: z.int(),
  revision: z.int(),
  status: PlanStatus,
  head: PlanHead,
  cwd: z.string(),
  base: z.optional(z.string()),
  branch: z.optional(z.string()),
  /** Set when it starts in a repository. */
  repo: z.optional(z.object({ path: z.string(), branch: z.string(), base: z.string(), baseCommit: z.string() })),
  createdAt: z.string(),
  createdBy: z.optional(Actor),
  updatedAt: z.string(),
  startedAt: z.optional(z.string()),
  endedAt: z.optional(z.string()),
  paused: z.optional(z.object({ reason: PauseReason, words: z.optional(z.string()), at: z.string() })),
  nodes: z.array(PlanNodeState),
  gates: z.array(PlanGate),
  gateCount: z.int(),
  proposals: z.array(PlanProposal),
  generations: z.array(PlanGeneration),
  spent: Spent,
  /** Budgets of which 80 % are spent. */
  neared: z.array(z.enum(['usd', 'minutes', 'turns'])),
});
export type PlanState = z.infer<typeof PlanState>;

/** A plan as lists show it. */
export const PlanSummary = z.object({
  id: PlanId,
  title: z.string(),
  status: PlanStatus,
  cwd: z.string(),
  agents: z.array(z.string()),
  nodes: z.int(),
  /** How many steps have each status. */
  counts: z.record(z.string(), z.int()),
  /** Open gates. */
  gates: z.int(),
  /** Proposals that nobody has decided. */
  proposals: z.int(),
  spent: Spent,
  budget: PlanHead.shape.budget,
  paused: z.optional(PauseReason),
  createdAt: z.string(),
  updatedAt: z.string(),
  createdBy: z.optional(z.string()),
});
export type PlanSummary = z.infer<typeof PlanSummary>;
export const PlanList = z.object({ plans: z.array(PlanSummary) });

/** What pages know of a plan that nobody has opened: enough for the list, the panel and the inbox. */
export const PlanNews = z.object({
  ...PlanSummary.shape,
  startedAt: z.optional(z.string()),
  endedAt: z.optional(z.string()),
  openGates: z.array(PlanGate),
  openProposals: z.array(z.object({ proposalId: ProposalId, why: z.string(), by: z.string(), at: z.string() })),
});
export type PlanNews = z.infer<typeof PlanNews>;
export const PlanQuery = z.strictObject({ agent: z.optional(z.string()), status: z.optional(PlanStatus), project: z.optional(z.string()) });

/** Why a step does not run, in a form for programs. */
export const WaitsFor = z.object({
  kind: z.enum(['plan', 'needs', 'parallel', 'limit', 'gate', 'agent', 'slot', 'person', 'check', 'merge']),
  words: z.string(),
  until: z.optional(z.string()),
});
export type WaitsFor = z.infer<typeof WaitsFor>;
/** A plan with what its steps wait for now. */
export const PlanAnswer = z.object({ plan: PlanState, waitsFor: z.record(z.string(), WaitsFor) });

export const PlanQueue = z.object({
  nodes: z.array(
    z.object({
      planId: PlanId,
      planTitle: z.string(),
      nodeId: NodeId,
      title: z.string(),
      position: z.int(),
      status: NodeStatus,
      waitsFor: z.optional(WaitsFor),
      since: z.string(),
    }),
  ),
  counts: z.object({ running: z.int(), ready: z.int(), waiting: z.int() }),
});
export type PlanQueue = z.infer<typeof PlanQueue>;

export const CreatePlanBody = z.strictObject({
  ...PlanHead.shape,
  commandId: z.optional(CommandId),
  id: z.optional(PlanId),
  cwd: z.string().check(z.minLength(1), z.maxLength(4096)),
  /** What the plan's branch starts from, and its name; without them the branch that is checked out, and `plan/<id>`. */
  base: z.optional(z.string().check(z.minLength(1), z.maxLength(250))),
  branch: z.optional(z.string().check(z.minLength(1), z.maxLength(250))),
  nodes: z.optional(z.array(PlanNode)),
});
export type CreatePlanBody = z.infer<typeof CreatePlanBody>;

export const PatchPlanBody = z.exactPartial(z.strictObject({ ...PlanHead.shape, commandId: CommandId }));

export const PlanDiff = z.object({
  added: z.array(PlanNode),
  removed: z.array(NodeId),
  rewired: z.array(z.object({ node: NodeId, before: z.array(NodeId), after: z.array(NodeId) })),
  edited: z.array(z.object({ node: NodeId, fields: z.array(z.string()) })),
  plan: z.array(z.string()),
});
export type PlanDiff = z.infer<typeof PlanDiff>;
/** What the new steps will probably cost, from the attempts that are over; absent if nothing is known. */
export const PlanEstimate = z.object({ usd: z.optional(z.number()), minutes: z.optional(z.number()), from: z.int() });
export type PlanEstimate = z.infer<typeof PlanEstimate>;

export const OpsBody = z.strictObject({ commandId: z.optional(CommandId), base: z.int(), ops: PlanOps, dryRun: z.optional(z.boolean()) });
export const OpsAnswer = z.object({ diff: PlanDiff, estimate: PlanEstimate, revision: z.int() });
export const ProposalList = z.object({
  proposals: z.array(z.object({ ...PlanProposal.shape, diff: z.optional(PlanDiff), estimate: z.optional(PlanEstimate), stale: z.optional(z.string()) })),
});
export const ProposalBody = z.strictObject({
  commandId: z.optional(CommandId),
  behavior: z.enum(['accept', 'reject']),
  words: z.optional(z.string().check(z.maxLength(10_000))),
});
export const GenerateBody = z.strictObject({
  commandId: z.optional(CommandId),
  task: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
  agent: z.optional(AgentId),
});
export const PlanActBody = z.strictObject({ commandId: z.optional(CommandId) });
const Words = z.optional(z.string().check(z.maxLength(100_000)));
export const NodeActBody = z.strictObject({ commandId: z.optional(CommandId), words: Words });
export const GateBody = z.strictObject({ commandId: z.optional(CommandId), outcome: GateOutcome, to: z.optional(NodeId), words: Words });
export const NodeNoteBody = z.strictObject({ commandId: z.optional(CommandId), notes: PlanNode.shape.notes, tags: PlanNode.shape.tags });

/** A plan in a file: what it is made of, without what happened to it. */
export const PlanFile = z.strictObject({
  signalboxPlan: z.literal(1),
  ...PlanHead.shape,
  base: CreatePlanBody.shape.base,
  branch: CreatePlanBody.shape.branch,
  nodes: z.array(PlanNode),
});
export type PlanFile = z.infer<typeof PlanFile>;
export const ImportPlanBody = z.strictObject({ commandId: z.optional(CommandId), id: z.optional(PlanId), cwd: CreatePlanBody.shape.cwd, file: PlanFile });
