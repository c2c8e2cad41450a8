import type { Attempt, AttemptInput, PlanGeneration, PlanNodeState, PlanState } from '../../protocol/api/plan.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { NodeId, PlanId, PlanNode } from '../../protocol/plan.ts';
import { addSpent, NOTHING_SPENT } from './budget.ts';
import { dependentsOf } from './graph.ts';
import { applyOps, isProblem, type PlanShape } from './ops.ts';
import { withStatuses } from './ready.ts';

/** A plan before its first event. */
export const newPlan = (id: PlanId): PlanState => ({
  id,
  seq: 0,
  revision: 0,
  status: 'draft',
  head: { title: '' },
  cwd: '',
  createdAt: '',
  updatedAt: '',
  nodes: [],
  gates: [],
  gateCount: 0,
  proposals: [],
  generations: [],
  spent: NOTHING_SPENT,
  neared: [],
});

/** Folds one event of a plan's stream. Server and page use this same function. */
export function evolvePlan(state: PlanState, event: Event): PlanState {
  return withStatuses(change({ ...state, seq: event.seq, updatedAt: event.at }, event));
}

function change(state: PlanState, event: Event): PlanState {
  switch (event.type) {
    case 'plan.created':
      return created(state, event);
    case 'plan.revised':
      return revised(state, event);
    case 'plan.proposed':
      return { ...state, proposals: [...state.proposals, proposalOf(event)] };
    case 'proposal.decided':
      return {
        ...state,
        proposals: state.proposals.map((one) =>
          one.proposalId === event.proposalId ? { ...one, outcome: event.outcome, ...(event.reason !== undefined && { reason: event.reason }) } : one,
        ),
      };
    case 'plan.generating': {
      const { n, agent, sessionId, prompt, at, blobs } = event;
      const input: AttemptInput = { n: 1, why: 'start', text: prompt, ...(blobs?.prompt && { blob: blobs.prompt }) };
      return { ...state, generations: [...state.generations, { n, agent, sessionId, at, inputs: [input] }] };
    }
    case 'plan.generated':
      return { ...state, generations: state.generations.map((one) => (one.n === event.n ? generated(one, event) : one)) };
    case 'plan.started':
      return started(state, event);
    case 'plan.paused': {
      const { reason, words, at } = event;
      return { ...state, status: 'paused', paused: { reason, at, ...(words !== undefined && { words }) } };
    }
    case 'plan.resumed':
      return runningAgain(state);
    case 'plan.cancelled':
      return { ...unpaused(state), status: 'cancelled', endedAt: event.at, gates: [] };
    case 'plan.completed':
      return { ...unpaused(state), status: event.outcome, endedAt: event.at };
    case 'budget.neared':
      return { ...state, neared: [...state.neared, event.of] };
    case 'gate.opened': {
      const { node, gate, why, question, at } = event;
      const opened = { ...state, gateCount: gate, gates: [...state.gates, { gate, node, why, question, at }] };
      return withNode(opened, node, (now) => ({ ...now, status: 'waiting' }));
    }
    case 'gate.decided':
      return gateDecided(state, event);
    default:
      return changeNode(state, event);
  }
}

function changeNode(state: PlanState, event: Event): PlanState {
  switch (event.type) {
    case 'node.started':
      return nodeStarted(state, event);
    case 'node.continued':
      return continued(state, event);
    case 'node.retried':
      return reset(withoutGates(runningAgain(state), event.node), event.node, event.words);
    case 'node.skipped':
      return withNode(withoutGates(runningAgain(state), event.node), event.node, (node) => ({
        ...node,
        status: 'skipped',
        summary: `skipped by ${event.actor?.name ?? 'a person'}`,
      }));
    case 'node.spent':
      return spent(state, event);
    case 'node.reported':
      return withAttempt(state, event, (attempt) => ({
        ...attempt,
        phase: 'reported',
        summary: event.summary,
        ...(event.artifact !== undefined && { artifact: event.artifact }),
      }));
    case 'node.verified': {
      const { round, ok, sessionId, output } = event;
      return withAttempt(state, event, (attempt) => ({ ...attempt, phase: ok ? 'verified' : 'unverified', verified: { round, ok, sessionId, output } }));
    }
    case 'node.merged':
      return withAttempt(state, event, (attempt) =>
        event.commit === undefined
          ? { ...attempt, phase: 'conflict', conflicts: event.conflicts ?? [] }
          : { ...attempt, phase: 'merged', merged: event.commit },
      );
    case 'node.finished':
      return finished(state, event);
    case 'node.noted':
      return withNode(state, event.node, (node) => ({
        ...node,
        ...(event.notes !== undefined && { notes: event.notes }),
        ...(event.tags !== undefined && { tags: event.tags }),
      }));
    default:
      return state;
  }
}

function created(state: PlanState, { head, cwd, base, branch, nodes, actor, at, blobs = {} }: EventOf<'plan.created'>): PlanState {
  return {
    ...state,
    revision: 1,
    head,
    cwd,
    createdAt: at,
    ...(base !== undefined && { base }),
    ...(branch !== undefined && { branch }),
    ...(actor !== undefined && { createdBy: actor }),
    nodes: nodes.map((node, index) => fresh(node, blobs[`nodes.${index}.prompt`])),
  };
}

const fresh = (node: PlanNode, promptBlob: PlanNodeState['promptBlob']): PlanNodeState => ({
  ...node,
  status: 'pending',
  attempts: [],
  ...(promptBlob !== undefined && { promptBlob }),
});

export const shapeOf = ({ head, nodes }: PlanState): PlanShape => ({ head, nodes });

/** The event was checked against this very state before it was stored. */
function revised(state: PlanState, { ops, revision, blobs = {} }: EventOf<'plan.revised'>): PlanState {
  const shape = applyOps(shapeOf(state), ops, new Set());
  if (isProblem(shape)) return { ...state, revision };
  const known = new Map(state.nodes.map((node) => [node.id, node]));
  const longPrompts = new Map(
    ops.flatMap((op, index) => {
      const [id, field] = op.op === 'edit' ? ([op.node, 'set'] as const) : 'node' in op && typeof op.node === 'object' ? ([op.node.id, 'node'] as const) : [];
      return id === undefined || (op.op === 'edit' && op.set.prompt === undefined) ? [] : [[id, blobs[`ops.${index}.${field}.prompt`]] as const];
    }),
  );
  const nodes = shape.nodes.map((node): PlanNodeState => {
    const before = known.get(node.id);
    if (before === undefined) return fresh(node, longPrompts.get(node.id));
    const { promptBlob: _, ...rest } = before;
    const promptBlob = longPrompts.has(node.id) ? longPrompts.get(node.id) : before.promptBlob;
    return { ...rest, ...node, ...(promptBlob !== undefined && { promptBlob }) };
  });
  const isRevived = state.status === 'done' && nodes.some(({ status }) => status === 'pending');
  const next = isRevived ? runningAgain(state) : state;
  return { ...next, revision, head: shape.head, nodes, neared: shape.head.budget === state.head.budget ? state.neared : [] };
}

function proposalOf({ proposalId, base, ops, why, at, actor, sessionId }: EventOf<'plan.proposed'>): PlanState['proposals'][number] {
  return { proposalId, base, ops, why, at, by: actor?.name ?? '', ...(sessionId !== undefined && { sessionId }) };
}

function started(state: PlanState, { repo, branch, base, baseCommit, at }: EventOf<'plan.started'>): PlanState {
  const isRepo = repo !== undefined && branch !== undefined && base !== undefined && baseCommit !== undefined;
  return { ...state, status: 'running', startedAt: at, ...(isRepo && { repo: { path: repo, branch, base, baseCommit } }) };
}

function generated(generation: PlanGeneration, { outcome, problem, text = '', blobs }: EventOf<'plan.generated'>): PlanGeneration {
  const known = { ...generation, ...(problem !== undefined && { problem }) };
  if (outcome !== 'sent-back') return { ...known, outcome };
  return { ...known, inputs: [...known.inputs, { n: known.inputs.length + 1, why: 'sent-back', text, ...(blobs?.text && { blob: blobs.text }) }] };
}

function unpaused(state: PlanState): PlanState {
  const { paused: _, ...rest } = state;
  return rest;
}

/** A person revives a plan that has failed, is over or is paused by continuing with one of its steps. */
function runningAgain(state: PlanState): PlanState {
  if (state.status === 'draft' || state.status === 'cancelled') return state;
  const { endedAt: _, ...rest } = unpaused(state);
  return { ...rest, status: 'running' };
}

const withNode = (state: PlanState, id: NodeId, to: (node: PlanNodeState) => PlanNodeState): PlanState => ({
  ...state,
  nodes: state.nodes.map((node) => (node.id === id ? to(node) : node)),
});

function withAttempt(state: PlanState, { node: id, attempt: n }: { readonly node: NodeId; readonly attempt: number }, to: (attempt: Attempt) => Attempt) {
  return withNode(state, id, (node) => ({ ...node, attempts: node.attempts.map((one) => (one.n === n ? to(one) : one)) }));
}

const withoutGates = (state: PlanState, node: NodeId): PlanState => ({ ...state, gates: state.gates.filter((gate) => gate.node !== node) });

function inputOf(event: EventOf<'node.started'> | EventOf<'node.continued'>): AttemptInput {
  if (event.type === 'node.started') return { n: 1, why: 'start', text: event.prompt, ...(event.blobs?.prompt && { blob: event.blobs.prompt }) };
  return { n: event.input, why: event.why, text: event.text, ...(event.blobs?.text && { blob: event.blobs.text }) };
}

function nodeStarted(state: PlanState, event: EventOf<'node.started'>): PlanState {
  const attempt: Attempt = {
    n: event.attempt,
    sessionId: event.sessionId,
    startedAt: event.at,
    phase: 'running',
    inputs: [inputOf(event)],
    turnSeq: 0,
    spent: NOTHING_SPENT,
    deaths: 0,
    fixes: 0,
    rebases: 0,
    moreMinutes: 0,
  };
  return withNode(state, event.node, ({ reason: _reason, ...node }) => ({ ...node, status: 'running', attempts: [...node.attempts, attempt] }));
}

function continued(state: PlanState, event: EventOf<'node.continued'>): PlanState {
  const { why } = event;
  const byPerson = why === 'resume' || why === 'time';
  const next = byPerson ? runningAgain(withoutGates(state, event.node)) : state;
  const running = withNode(next, event.node, ({ reason: _reason, ...node }) => ({ ...node, status: 'running' }));
  return withAttempt(running, event, ({ until: _until, ...attempt }) => ({
    ...attempt,
    phase: 'running',
    inputs: [...attempt.inputs, inputOf(event)],
    fixes: attempt.fixes + (why === 'fix' ? 1 : 0),
    rebases: attempt.rebases + (why === 'rebase' ? 1 : 0),
    ...(byPerson && { deaths: 0, moreMinutes: attempt.moreMinutes + MORE_MINUTES }),
  }));
}

/** What a person gives a step that has used its time. */
export const MORE_MINUTES = 30;

function spent(state: PlanState, event: EventOf<'node.spent'>): PlanState {
  const next = withAttempt(state, event, ({ until: _, ...attempt }) => ({
    ...attempt,
    spent: addSpent(attempt.spent, event),
    ...(event.sessionId === attempt.sessionId && {
      turnSeq: event.turnSeq,
      last: event.outcome,
      deaths: attempt.deaths + (event.outcome === 'died' ? 1 : 0),
      ...(event.until !== undefined && { until: event.until }),
    }),
  }));
  return { ...next, spent: addSpent(next.spent, event) };
}

function finished(state: PlanState, event: EventOf<'node.finished'>): PlanState {
  const over = withAttempt(withoutGates(state, event.node), event, (attempt) => ({ ...attempt, phase: 'over' }));
  return withNode(over, event.node, (node) => {
    if (event.outcome === 'failed') return { ...node, status: 'failed', reason: event.reason };
    const summary = node.attempts.at(-1)?.summary ?? node.summary ?? event.reason;
    const { words: _, reason: _reason, ...rest } = node;
    return { ...rest, status: 'done', summary };
  });
}

/** The step gets another attempt; the ones before stay. */
function reset(state: PlanState, id: NodeId, words?: string): PlanState {
  return withNode(state, id, ({ reason: _, words: _words, ...node }) => ({ ...node, status: 'pending', ...(words !== undefined && { words }) }));
}

function gateDecided(state: PlanState, { node, gate, outcome, to = node, words }: EventOf<'gate.decided'>): PlanState {
  const open = state.gates.find((one) => one.gate === gate);
  const closed = { ...state, gates: state.gates.filter((one) => one.gate !== gate) };
  if (outcome === 'stop') return closed;
  if (outcome === 'back') {
    const again = [...dependentsOf(state.nodes, to)];
    const back = reset(closed, to, words);
    return again.reduce((next, id) => reset(withoutGates(next, id), id), back);
  }
  const gone = withNode(closed, node, (now) => ({
    ...now,
    status: now.kind === 'gate' ? 'waiting' : 'running',
    ...(words !== undefined && { summary: words }),
  }));
  if (open?.why === 'start') return withNode(gone, node, (now) => ({ ...now, status: 'running' }));
  const attempt = gone.nodes.find(({ id }) => id === node)?.attempts.at(-1);
  if (attempt === undefined || (open?.why !== 'verify' && open?.why !== 'merge')) return gone;
  return withAttempt(gone, { node, attempt: attempt.n }, (now) => ({ ...now, phase: 'verified' }));
}
