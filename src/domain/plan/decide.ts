import type { Actor } from '../../protocol/actor.ts';
import type { PlanGate, PlanNodeState, PlanState } from '../../protocol/api/plan.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { EventBody, EventBodyOf } from '../../protocol/event.ts';
import { generatorOf, type NodeId, type PlanCommand, type PlanCommandOf } from '../../protocol/plan.ts';
import { CONTINUE_TEXT } from '../session/cut-off.ts';
import { exhausted } from './budget.ts';
import { shapeOf } from './evolve.ts';
import { generatePrompt } from './generate-prompt.ts';
import { graphProblem } from './graph.ts';
import { applyOps, isProblem, type PlanShape, startedNodes } from './ops.ts';

export interface PlanDecisionContext {
  readonly actor: Actor;
  /** Where the plan's branch starts; absent outside of a repository. */
  readonly repo?: Required<Pick<EventBodyOf<'plan.started'>, 'repo' | 'branch' | 'base' | 'baseCommit'>>;
}

type Decided = readonly EventBody[] | Refusal;

const conflict = (message: string): Refusal => ({ refused: 'conflict', message });
const invalid = ({ node, message }: { readonly node?: NodeId; readonly message: string }): Refusal => ({
  refused: 'out-of-range',
  message,
  ...(node !== undefined && { details: { node } }),
});

/** What a command of a person, or of an agent that proposes something, does to a plan. */
export function decidePlan(state: PlanState, command: PlanCommand, now: PlanDecisionContext): Decided {
  const { actor } = now;
  if (command.type === 'plan.create') return create(state, command, actor);
  if (state.seq === 0) return { refused: 'not-found', message: `There is no plan ${command.planId}.` };
  switch (command.type) {
    case 'plan.revise':
      return revise(state, command, actor);
    case 'plan.propose':
      return propose(state, command, actor);
    case 'proposal.decide':
      return decideProposal(state, command, actor);
    case 'plan.generate':
      return generate(state, command, actor);
    case 'plan.start':
      return start(state, now);
    case 'plan.pause':
      return state.status === 'running' ? [{ type: 'plan.paused', reason: 'person', actor }] : conflict(`The plan is not running; it is ${state.status}.`);
    case 'plan.resume':
      return resume(state, actor);
    case 'plan.cancel':
      return isOpen(state) ? [{ type: 'plan.cancelled', actor }] : conflict(`The plan is over: ${state.status}.`);
    case 'plan.delete':
      return state.status === 'running' || state.status === 'paused' ? conflict('Cancel the plan before you delete it.') : [];
    case 'node.note':
    case 'node.retry':
    case 'node.resume':
    case 'node.skip':
      return onNode(state, command, actor);
    case 'gate.decide':
      return decideGate(state, command, actor);
  }
}

const isOpen = ({ status }: PlanState): boolean => status !== 'done' && status !== 'cancelled' && status !== 'failed';

function create(state: PlanState, { planId, head, cwd, base, branch, nodes, commandId }: PlanCommandOf<'plan.create'>, actor: Actor): Decided {
  if (state.seq > 0) return conflict(`There is already a plan ${planId}.`);
  const problem = graphProblem(nodes);
  if (problem !== undefined) return invalid(problem);
  return [
    {
      type: 'plan.created',
      planId,
      head,
      cwd,
      nodes: [...nodes],
      commandId,
      actor,
      ...(base !== undefined && { base }),
      ...(branch !== undefined && { branch }),
    },
  ];
}

/** What the plan would be after these changes, wherever they were made: they are checked against the plan as it is now. */
export function revisedShape(state: PlanState, { base, ops }: Pick<PlanCommandOf<'plan.revise'>, 'base' | 'ops'>): PlanShape | Refusal {
  if (state.status === 'cancelled') return conflict('The plan was cancelled.');
  if (base > state.revision) return invalid({ message: `The plan has no revision ${base}; the newest is ${state.revision}.` });
  const shape = applyOps(shapeOf(state), ops, startedNodes(state));
  if (!isProblem(shape)) return shape;
  const refusal = invalid(shape);
  if (base === state.revision) return refusal;
  return { ...refusal, message: `This change was made on revision ${base} and no longer fits revision ${state.revision}: ${refusal.message}` };
}

function revise(state: PlanState, command: PlanCommandOf<'plan.revise'>, actor: Actor): Decided {
  const shape = revisedShape(state, command);
  return isRefusal(shape) ? shape : [{ type: 'plan.revised', revision: state.revision + 1, ops: command.ops, actor }];
}

function propose(state: PlanState, command: PlanCommandOf<'plan.propose'>, actor: Actor): Decided {
  const { proposalId, base, ops, why, sessionId } = command;
  const shape = revisedShape(state, command);
  if (isRefusal(shape)) return shape;
  if (openProposals(state).length >= MOST_PROPOSALS) return conflict(`${MOST_PROPOSALS} proposals wait for a person. Make no more until some are decided.`);
  const proposed: EventBody = { type: 'plan.proposed', proposalId, base, ops, why, actor, ...(sessionId !== undefined && { sessionId }) };
  const isFirst = state.status === 'draft' && state.nodes.length === 0 && state.generations.some((one) => one.sessionId === sessionId);
  if (!isFirst) return [proposed];
  // A person asked for it, and nothing runs before a person starts the plan.
  const asker = state.createdBy ?? actor;
  return [
    proposed,
    { type: 'proposal.decided', proposalId, outcome: 'accepted', reason: 'the first steps of a draft', actor: asker },
    { type: 'plan.revised', revision: state.revision + 1, ops, proposalId, actor: asker },
  ];
}

function generate(state: PlanState, { task, agent = state.head.defaults?.agent, planId }: PlanCommandOf<'plan.generate'>, actor: Actor): Decided {
  if (state.status === 'cancelled') return conflict('The plan was cancelled.');
  if (state.generations.some(({ outcome }) => outcome === undefined)) return conflict('An agent makes steps for this plan right now.');
  if (agent === undefined) return invalid({ message: 'Name the agent that should make the plan, or give the plan a default.' });
  const n = state.generations.length + 1;
  return [{ type: 'plan.generating', n, agent, sessionId: generatorOf(planId, n), prompt: generatePrompt(state, task), actor }];
}

/** An agent that proposes forever must not fill a person's list. */
const MOST_PROPOSALS = 20;

export const openProposals = ({ proposals }: PlanState): PlanState['proposals'] => proposals.filter(({ outcome }) => outcome === undefined);

function decideProposal(state: PlanState, { proposalId, behavior, words }: PlanCommandOf<'proposal.decide'>, actor: Actor): Decided {
  const proposal = state.proposals.find((one) => one.proposalId === proposalId);
  if (proposal === undefined) return { refused: 'not-found', message: `There is no proposal ${proposalId}.` };
  if (proposal.outcome !== undefined) return { refused: 'already-answered', message: `This proposal was already ${proposal.outcome}.` };
  const reason = words === undefined ? {} : { reason: words };
  if (behavior === 'reject') return [{ type: 'proposal.decided', proposalId, outcome: 'rejected', actor, ...reason }];
  const shape = revisedShape(state, proposal);
  if (isRefusal(shape)) return [{ type: 'proposal.decided', proposalId, outcome: 'stale', reason: shape.message, actor }];
  return [
    { type: 'proposal.decided', proposalId, outcome: 'accepted', actor, ...reason },
    { type: 'plan.revised', revision: state.revision + 1, ops: proposal.ops, proposalId, actor },
  ];
}

function start(state: PlanState, { actor, repo }: PlanDecisionContext): Decided {
  if (state.status !== 'draft')
    return conflict(state.status === 'paused' ? 'The plan is paused: resume it.' : `The plan was already started; it is ${state.status}.`);
  if (state.nodes.length === 0) return invalid({ message: 'The plan has no steps. Add some first.' });
  const work = state.nodes.find(({ kind = 'work', agent }) => kind === 'work' && agent === undefined && state.head.defaults?.agent === undefined);
  if (work !== undefined) return invalid({ node: work.id, message: `The step "${work.id}" has no agent, and the plan has no default.` });
  const own = repo === undefined ? state.nodes.find(({ worktree }) => worktree === 'own') : undefined;
  if (own !== undefined) return invalid({ node: own.id, message: `The step "${own.id}" wants its own worktree, but ${state.cwd} is in no git repository.` });
  return [{ type: 'plan.started', actor, ...repo }];
}

function resume(state: PlanState, actor: Actor): Decided {
  if (state.status !== 'paused') return conflict(`The plan is not paused; it is ${state.status}.`);
  const [part] = exhausted(state);
  return part === undefined ? [{ type: 'plan.resumed', actor }] : conflict(`The budget (${part}) is used up. Raise it first.`);
}

type NodeCommand = PlanCommandOf<'node.note' | 'node.retry' | 'node.resume' | 'node.skip'>;

function onNode(state: PlanState, command: NodeCommand, actor: Actor): Decided {
  const node = state.nodes.find(({ id }) => id === command.node);
  if (node === undefined) return { refused: 'not-found', message: `There is no step ${command.node} in this plan.` };
  if (command.type === 'node.note') {
    const { notes, tags } = command;
    return [{ type: 'node.noted', node: node.id, actor, ...(notes !== undefined && { notes }), ...(tags !== undefined && { tags }) }];
  }
  if (state.status === 'draft' || state.status === 'cancelled') return conflict(`The plan is not running; it is ${state.status}.`);
  if (command.type === 'node.skip') return isSkippable(node) ? [{ type: 'node.skipped', node: node.id, actor }] : conflict(stateOf(node));
  if (command.type === 'node.retry') return retry(node, command, actor);
  return resumeNode(node, command, actor);
}

const stateOf = ({ id, status }: PlanNodeState): string =>
  status === 'running' ? `The step "${id}" is running. Interrupt its agent first.` : `The step "${id}" is ${status}.`;

const isSkippable = ({ status }: PlanNodeState): boolean => status !== 'done' && status !== 'skipped' && status !== 'running';

function retry(node: PlanNodeState, { words }: PlanCommandOf<'node.retry'>, actor: Actor): Decided {
  if ((node.status !== 'failed' && node.status !== 'waiting') || node.kind === 'gate') return conflict(stateOf(node));
  return [{ type: 'node.retried', node: node.id, actor, ...(words !== undefined && { words }) }];
}

function resumeNode(node: PlanNodeState, { words }: PlanCommandOf<'node.resume'>, actor: Actor): Decided {
  const attempt = node.attempts.at(-1);
  if (attempt === undefined || (node.kind !== undefined && node.kind !== 'work'))
    return conflict(`The step "${node.id}" has no session that could be resumed.`);
  if (node.status !== 'failed' && node.status !== 'waiting') return conflict(stateOf(node));
  return [continuedEvent(node, 'resume', words ?? CONTINUE_TEXT, actor)];
}

export function continuedEvent(node: PlanNodeState, why: EventBodyOf<'node.continued'>['why'], text: string, actor?: Actor): EventBodyOf<'node.continued'> {
  const attempt = node.attempts.at(-1);
  const input = (attempt?.inputs.at(-1)?.n ?? 0) + 1;
  return { type: 'node.continued', node: node.id, attempt: attempt?.n ?? 0, input, why, text, ...(actor !== undefined && { actor }) };
}

function decideGate(state: PlanState, { node: id, outcome, to, words }: PlanCommandOf<'gate.decide'>, actor: Actor): Decided {
  const gate = state.gates.find((one) => one.node === id);
  const node = state.nodes.find((one) => one.id === id);
  if (node === undefined) return { refused: 'not-found', message: `There is no step ${id} in this plan.` };
  if (gate === undefined) return { refused: 'already-answered', message: `Nothing waits for an answer at the step "${id}".` };
  const said = words === undefined ? {} : { words };
  const decided: EventBody = { type: 'gate.decided', node: id, gate: gate.gate, outcome, actor, ...said, ...(to !== undefined && { to }) };
  if (outcome === 'stop') return [decided, { type: 'plan.cancelled', actor }];
  if (outcome === 'back') return back(state, node, to ?? id, decided);
  return [decided, ...afterGo(node, gate, words, actor)];
}

function back(state: PlanState, node: PlanNodeState, to: NodeId, decided: EventBody): Decided {
  const target = state.nodes.find(({ id }) => id === to);
  if (target === undefined) return { refused: 'not-found', message: `There is no step ${to} in this plan.` };
  if (target.kind === 'gate') return invalid({ node: to, message: `The step "${to}" is a gate. Send back to a step that an agent or a command does.` });
  if (target.status === 'running') return conflict(stateOf(target));
  return target.attempts.length > 0 || target.id === node.id ? [decided] : conflict(`The step "${to}" has not been done yet.`);
}

function afterGo(node: PlanNodeState, { why }: PlanGate, words: string | undefined, actor: Actor): readonly EventBody[] {
  if (why === 'gate') return [{ type: 'node.finished', node: node.id, attempt: 0, outcome: 'done', reason: words ?? `approved by ${actor.name}` }];
  if (why === 'time') return [continuedEvent(node, 'time', words ?? CONTINUE_TEXT, actor)];
  if (why === 'deaths') return [continuedEvent(node, 'resume', words ?? CONTINUE_TEXT, actor)];
  return [];
}
