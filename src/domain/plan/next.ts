import type { Attempt, PlanNodeState, PlanState } from '../../protocol/api/plan.ts';
import type { EventBody, EventBodyOf } from '../../protocol/event.ts';
import type { GateWhy, TurnOutcome } from '../../protocol/plan.ts';
import { CONTINUE_TEXT } from '../session/cut-off.ts';
import { exhausted, nearing } from './budget.ts';
import { continuedEvent } from './decide.ts';
import { MORE_MINUTES } from './evolve.ts';
import { fixText, rebaseText, shortSummary } from './handoff.ts';
import { type ReadyFacts, startable } from './ready.ts';

/** A turn of a step's agent that is over. */
export interface SeenTurn {
  readonly seq: number;
  readonly outcome: TurnOutcome;
  readonly usd?: number;
  /** 0 for a command: it takes no turn of an agent. */
  readonly turns: number;
  readonly ms: number;
  readonly until?: string;
}

/** What the session of an attempt shows. */
export interface SeenSession {
  /** All turns that are over, oldest first. */
  readonly turns: readonly SeenTurn[];
  /** The last message of the plan was worked on, and nothing else is going on or asked. */
  readonly isQuiet: boolean;
  /** What the agent says that it did. */
  readonly summary: string;
  readonly artifact?: string;
  /** How long the turn that is going on has been worked on. */
  readonly workingMs: number;
  /** That turn is going on, and nobody is asked anything. */
  readonly isWorking: boolean;
  /** Its agent can't be started, or its session is gone: why. */
  readonly stuck?: string;
}

export interface PlanFacts extends ReadyFacts {
  readonly seen: (attempt: Attempt) => SeenSession | undefined;
}

/** After this many deaths in one attempt, a person decides. */
const MOST_DEATHS = 3;
// biome-ignore lint/suspicious/noThenProperty: a word of the plan format, never a function.
const DEFAULT_FIX = { max: 2, then: 'gate' } as const;

/** What follows from what is known: the next events, none if the plan waits for something. Steps to start are the runner's, which knows their prompts. */
export function nextEvents(state: PlanState, facts: PlanFacts): readonly EventBody[] {
  if (state.status !== 'running' && state.status !== 'paused')
    return state.status === 'cancelled' ? state.nodes.flatMap((node) => countedTurns(node, facts)) : [];
  for (const node of state.nodes) {
    const events = node.status === 'running' ? nextOfNode(state, node, facts) : node.status === 'waiting' ? countedTurns(node, facts) : [];
    if (events.length > 0) return events;
  }
  return ofBudget(state) ?? ofGates(state, facts) ?? ofEnd(state) ?? [];
}

/** What a turn still costs after the plan was cancelled, or while a gate is open. */
function countedTurns(node: PlanNodeState, facts: PlanFacts): readonly EventBody[] {
  const attempt = node.attempts.at(-1);
  const seen = attempt === undefined ? undefined : facts.seen(attempt);
  return attempt === undefined || seen === undefined ? [] : newTurns(node, attempt, seen);
}

function nextOfNode(state: PlanState, node: PlanNodeState, facts: PlanFacts): readonly EventBody[] {
  const attempt = node.attempts.at(-1);
  if (attempt === undefined) return [];
  switch (attempt.phase) {
    case 'running':
      return observed(state, node, attempt, facts);
    case 'reported':
      return node.verify === undefined ? afterCheck(state, node, attempt) : [];
    case 'unverified':
      return afterFailedCheck(state, node, attempt);
    case 'verified':
      return afterCheck(state, node, attempt);
    case 'conflict':
      return afterConflict(state, node, attempt);
    case 'merged':
      return [finished(node, attempt, 'done', 'done')];
    case 'over':
      return [];
  }
}

function observed(state: PlanState, node: PlanNodeState, attempt: Attempt, facts: PlanFacts): readonly EventBody[] {
  const seen = facts.seen(attempt);
  if (seen === undefined) return [];
  const turns = newTurns(node, attempt, seen);
  if (turns.length > 0) return turns;
  if (seen.stuck !== undefined) return [gate(state, node, 'deaths', `${seen.stuck} Try again?`)];
  if (seen.isWorking && timeLeftMs(node, attempt, seen) <= 0)
    return [gate(state, node, 'time', `“${node.title}” has worked for ${limitMinutes(node, attempt)} minutes. Continue for ${MORE_MINUTES} more?`)];
  if (!seen.isQuiet || attempt.last === undefined) return [];
  switch (attempt.last) {
    case 'ok':
      return [
        {
          type: 'node.reported',
          node: node.id,
          attempt: attempt.n,
          summary: shortSummary(seen.summary),
          ...(seen.artifact !== undefined && { artifact: seen.artifact }),
        },
      ];
    case 'failed':
      return [finished(node, attempt, 'failed', seen.summary === '' ? 'The turn failed.' : seen.summary.slice(0, 2000))];
    case 'interrupted':
      return [finished(node, attempt, 'failed', 'It was interrupted.')];
    case 'died':
      if (attempt.deaths >= MOST_DEATHS) return [gate(state, node, 'deaths', `The agent of “${node.title}” crashed ${attempt.deaths} times. Continue?`)];
      return whileRunning(state, () => [continuedEvent(node, 'died', CONTINUE_TEXT)]);
    case 'limited':
      return attempt.until !== undefined && attempt.until > facts.at ? [] : whileRunning(state, () => [continuedEvent(node, 'limit', CONTINUE_TEXT)]);
  }
}

const TIME_LIMIT_MINUTES = 30;
const MINUTE_MS = 60_000;

const limitMinutes = ({ timeLimitMinutes = TIME_LIMIT_MINUTES }: PlanNodeState, { moreMinutes }: Attempt): number => timeLimitMinutes + moreMinutes;

/** How long an attempt may still work: waiting for people, limits and slots does not count. */
export function timeLeftMs(node: PlanNodeState, attempt: Attempt, { workingMs }: Pick<SeenSession, 'workingMs'>): number {
  if (node.timeLimitMinutes === 0 || node.kind === 'command') return Number.POSITIVE_INFINITY;
  return limitMinutes(node, attempt) * MINUTE_MS - attempt.spent.ms - workingMs;
}

const newTurns = (node: PlanNodeState, attempt: Attempt, { turns }: SeenSession): readonly EventBody[] =>
  turns
    .filter(({ seq }) => seq > attempt.turnSeq)
    .map(({ seq, ...turn }) => ({ type: 'node.spent', node: node.id, attempt: attempt.n, sessionId: attempt.sessionId, turnSeq: seq, ...turn }));

/** Agents get no message while the plan is paused. */
const whileRunning = (state: PlanState, events: () => readonly EventBody[]): readonly EventBody[] =>
  state.status === 'running' && exhausted(state).length === 0 ? events() : [];

const finished = (node: PlanNodeState, { n }: Attempt, outcome: 'done' | 'failed', reason: string): EventBodyOf<'node.finished'> => ({
  type: 'node.finished',
  node: node.id,
  attempt: n,
  outcome,
  reason,
});

const gate = (state: PlanState, node: PlanNodeState, why: GateWhy, question: string): EventBodyOf<'gate.opened'> => ({
  type: 'gate.opened',
  node: node.id,
  gate: state.gateCount + 1,
  why,
  question,
});

export const gateEvent = gate;

function afterFailedCheck(state: PlanState, node: PlanNodeState, attempt: Attempt): readonly EventBody[] {
  const { max, then } = node.fix ?? DEFAULT_FIX;
  if (attempt.fixes < max && node.kind !== 'command') return whileRunning(state, () => [continuedEvent(node, 'fix', fixText(attempt.verified?.output ?? ''))]);
  if (then === 'fail') return [finished(node, attempt, 'failed', 'Its check failed.')];
  return [gate(state, node, 'verify', `The check of “${node.title}” failed${attempt.fixes > 0 ? ` ${attempt.fixes + 1} times` : ''}. Accept it anyway?`)];
}

/** Whether the branch of a step goes into the plan's: the runner then merges it. */
export const isMerged = ({ repo }: PlanState, { worktree = 'own', merge = 'plan' }: PlanNodeState): boolean =>
  repo !== undefined && worktree === 'own' && merge === 'plan';

const afterCheck = (state: PlanState, node: PlanNodeState, attempt: Attempt): readonly EventBody[] =>
  isMerged(state, node) ? [] : [finished(node, attempt, 'done', 'done')];

function afterConflict(state: PlanState, node: PlanNodeState, attempt: Attempt): readonly EventBody[] {
  const { conflicts = [], rebases } = attempt;
  if (rebases === 0 && node.kind !== 'command')
    return whileRunning(state, () => [continuedEvent(node, 'rebase', rebaseText(state.repo?.branch ?? '', conflicts))]);
  return [
    gate(state, node, 'merge', `“${node.title}” conflicts with the plan’s branch in ${conflicts.join(', ')}. Resolve it in its worktree, then continue.`),
  ];
}

function ofBudget(state: PlanState): readonly EventBody[] | undefined {
  const near = nearing(state).map((of): EventBody => ({ type: 'budget.neared', of }));
  const [part] = state.status === 'running' ? exhausted(state) : [];
  const paused: readonly EventBody[] = part === undefined ? [] : [{ type: 'plan.paused', reason: 'budget', words: part }];
  return near.length + paused.length === 0 ? undefined : [...near, ...paused];
}

/** Gates open without an agent. */
function ofGates(state: PlanState, facts: PlanFacts): readonly EventBody[] | undefined {
  const node = startable(state, facts).find(({ kind }) => kind === 'gate');
  return node === undefined ? undefined : [gate(state, node, 'gate', node.prompt.trim() === '' ? node.title : node.prompt)];
}

function ofEnd(state: PlanState): readonly EventBody[] | undefined {
  const statuses = new Set(state.nodes.map(({ status }) => status));
  for (const open of ['running', 'waiting', 'ready', 'pending'] as const) if (statuses.has(open)) return undefined;
  if (!statuses.has('failed')) return [{ type: 'plan.completed', outcome: 'done' }];
  const failed = state.nodes.filter(({ status }) => status === 'failed').map(({ id }) => id);
  return [{ type: 'plan.completed', outcome: 'failed', reason: `${failed.join(', ')} failed` }];
}
