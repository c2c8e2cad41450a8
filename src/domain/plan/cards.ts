import type { PlanGate, PlanState } from '../../protocol/api/plan.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import type { AgentId, RequestId } from '../../protocol/ids.ts';
import { type PlanCommand, planStream } from '../../protocol/plan.ts';
import { budgetWords, exhausted } from './budget.ts';

const GO = 'Continue';
const BACK = 'Send back';
const STOP = 'Stop the plan';
const RAISE = 'Raise it by half';
const TIME = 'Continue for 30 minutes more';

/** What a plan asks people, as cards of the inbox: its open gates, and a budget that is used up. */
export function cardsOf(state: PlanState): readonly WaitingPermission[] {
  const gates = state.gates.map((gate) => card(state, `gate${gate.gate}`, gate.at, gate.question, optionsOf(gate)));
  const [part] = state.paused?.reason === 'budget' ? exhausted(state) : [];
  if (part === undefined || state.paused === undefined) return gates;
  const question = `The budget is used up: ${budgetWords(part, state.head, state.spent)}. Raise it?`;
  return [...gates, card(state, `budget${state.paused.at}`, state.paused.at, question, [RAISE, STOP])];
}

const optionsOf = ({ why }: PlanGate): readonly string[] => [why === 'time' ? TIME : GO, BACK, STOP];

function card({ id, head, cwd, seq }: PlanState, what: string, at: string, question: string, labels: readonly string[]): WaitingPermission {
  return {
    requestId: `plan:${id}:${what}` as RequestId,
    sessionId: planStream(id),
    sessionTitle: head.title,
    agent: 'plan' as AgentId,
    cwd,
    seq,
    at,
    tool: 'gate',
    kind: 'question',
    input: { questions: [{ question, options: labels.map((label) => ({ label })) }] },
  };
}

const GONE: Refusal = { refused: 'already-answered', message: 'This is no longer open. The plan shows what was decided.' };

/** The commands that an answer to a card means: own words send the step back. */
export function commandsOfAnswer(state: PlanState, answer: CommandOf<'permission.answer'>): readonly PlanCommand[] | Refusal {
  const open = cardsOf(state).find(({ requestId }) => requestId === answer.requestId);
  if (open === undefined) return GONE;
  const { commandId } = answer;
  const about = { commandId, planId: state.id };
  const chosen = Object.values(answer.answers ?? {}).flat()[0];
  const isStop = answer.behavior === 'deny' || chosen === STOP;
  const gate = state.gates.find((one) => answer.requestId === `plan:${state.id}:gate${one.gate}`);
  if (gate === undefined) return isStop ? [{ type: 'plan.cancel', ...about }] : raised(state, about);
  const decide = { type: 'gate.decide', ...about, node: gate.node } as const;
  if (isStop) return [{ ...decide, outcome: 'stop', ...(answer.message !== undefined && { words: answer.message }) }];
  if (chosen === undefined || chosen === GO || chosen === TIME) return [{ ...decide, outcome: 'go' }];
  const node = state.nodes.find(({ id }) => id === gate.node);
  const [before] = node?.needs ?? [];
  const to = node?.kind === 'gate' && before !== undefined ? { to: before } : {};
  return [{ ...decide, outcome: 'back', ...to, ...(chosen !== BACK && { words: chosen }) }];
}

function raised({ head: { budget = {} }, revision }: PlanState, about: Pick<PlanCommand, 'commandId' | 'planId'>): readonly PlanCommand[] {
  const { usd, minutes, turns } = budget;
  const more = {
    ...(usd !== undefined && { usd: usd * 1.5 }),
    ...(minutes !== undefined && { minutes: minutes * 1.5 }),
    ...(turns !== undefined && { turns: Math.ceil(turns * 1.5) }),
  };
  const raise: PlanCommand = { type: 'plan.revise', ...about, base: revision, ops: [{ op: 'set', set: { budget: more } }] };
  return [raise, { type: 'plan.resume', ...about, commandId: `${about.commandId}:resume` as typeof about.commandId }];
}
