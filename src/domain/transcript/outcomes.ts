import type { EventOf } from '../../protocol/event.ts';
import { costText, durationText, tokensText } from '../amounts.ts';
import type { ToolItem } from './item.ts';

/** How requests and turns ended: the same words on the page, in an export and in a terminal. */

type Resolved = EventOf<'permission.resolved'>;
type Kind = EventOf<'permission.requested'>['kind'];

interface DecisionFacts {
  readonly kind: Kind;
  /** What was asked for. */
  readonly what?: string;
  /** Who reads it. */
  readonly you?: string | undefined;
}

const VERBS = {
  tool: { allowed: 'allowed', denied: 'denied' },
  question: { allowed: 'answered', denied: 'skipped' },
  plan: { allowed: 'approved', denied: 'asked for changes to' },
} as const;

/** Who decided what: "You allowed this", "The rule “tests” denied Run rm". */
export function decisionText(
  { outcome, actor }: Pick<Resolved, 'outcome'> & { readonly actor?: Resolved['actor'] | undefined },
  { kind, what, you }: DecisionFacts,
): string {
  const request = `the ${kind === 'tool' ? 'request' : kind}`;
  if (outcome === 'cancelled') return `The agent withdrew ${request}`;
  if (outcome === 'lapsed') return `Nobody answered ${request}`;
  return `${deciderOf(actor, you)} ${VERBS[kind][outcome]} ${what ?? (kind === 'tool' ? 'this' : request)}`;
}

function deciderOf(actor: Resolved['actor'], you: string | undefined): string {
  if (actor === undefined) return 'The agent';
  if (actor.kind === 'rule') return `The rule “${actor.name}”`;
  return actor.kind === 'person' && actor.id === you ? 'You' : actor.name;
}

/** How long the agent waited for it. A rule answers at once. */
export function waitedText(requestedAt: string, { at, actor }: Resolved): string {
  return actor?.kind === 'rule' ? '' : ` · waited ${durationText(Date.parse(at) - Date.parse(requestedAt))}`;
}

type Completed = EventOf<'turn.completed'>;

/** The stop reason of a turn whose agent crashed before the turn ended. In old journals also of one that was stopped: the exit after it says which. */
export const AGENT_GONE = 'agent_exited';
/** The stop reason of a turn whose agent was stopped, by a person or by Signalbox. */
export const AGENT_STOPPED = 'agent_stopped';

export type TurnOutcome = 'done' | 'failed' | 'crashed' | 'interrupted';

/** How a turn ended, for every surface. What a person interrupted or stopped did not fail. */
export function turnOutcome({ interrupted, isError, stopReason }: Pick<Completed, 'interrupted' | 'isError' | 'stopReason'>): TurnOutcome {
  if (stopReason === AGENT_GONE) return 'crashed';
  if (interrupted) return 'interrupted';
  return isError ? 'failed' : 'done';
}

export function isFailedTurn(turn: Completed): boolean {
  const outcome = turnOutcome(turn);
  return outcome === 'failed' || outcome === 'crashed';
}

const STOPS: Readonly<Record<string, string>> = {
  end_turn: 'Done',
  stop: 'Done',
  stop_sequence: 'Done',
  tool_use: 'Done',
  max_tokens: 'Stopped: maximum answer length reached',
  refusal: 'The model refused',
  max_turns: 'Stopped: maximum steps per turn reached; send a message to continue',
  max_budget_usd: 'Stopped: spending limit reached',
  max_structured_output_retries: 'Stopped: no answer in the requested format',
};

export function turnEndText(turn: Completed): string {
  const { isError, stopReason } = turn;
  const outcome = turnOutcome(turn);
  if (outcome === 'crashed') return 'The agent crashed mid-turn. Some steps may have completed; nothing was repeated.';
  if (stopReason === AGENT_STOPPED) return 'The agent was stopped mid-turn. Some steps may have completed.';
  if (outcome === 'interrupted') return 'Interrupted';
  const words = STOPS[stopReason];
  if (isError) return words ?? (SAYS_NOTHING.has(stopReason) ? 'Failed' : `Failed: ${plainCode(stopReason)}`);
  return words ?? (SAYS_NOTHING.has(stopReason) ? 'Done' : `Ended: ${plainCode(stopReason)}`);
}

/** Codes that tell a person nothing. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['error', 'unknown', '']);

const plainCode = (code: string): string => code.replaceAll('_', ' ');

/** What went wrong in a turn that failed, in one line. */
export function failureText(turn: Completed): string {
  if (turnOutcome(turn) === 'crashed') return 'The agent crashed';
  return turn.errors?.[0] ?? turn.result ?? turnEndText(turn);
}

export type CallOutcome = 'open' | 'waiting' | 'done' | 'denied' | 'stopped' | 'failed';

/** How a call ended, for every surface. A call that was denied never ran, and one that ended with its turn did not fail. */
export function callOutcome({ completed, waitsFor, denied }: Pick<ToolItem, 'completed' | 'waitsFor' | 'denied'>): CallOutcome {
  if (completed === undefined) return waitsFor === undefined ? 'open' : 'waiting';
  if (!completed.isError) return 'done';
  if (denied !== undefined) return 'denied';
  return completed.closedBy === undefined ? 'failed' : 'stopped';
}

const ERRORS: Readonly<Record<string, string>> = {
  authentication_failed: 'The agent is not signed in',
  billing_error: 'The account has a billing problem',
  rate_limit: 'Too many requests: the service limits this account right now',
  invalid_request: 'The service rejected the request',
  server_error: 'The service failed',
  overloaded: 'The service is overloaded',
  max_output_tokens: 'The answer reached the maximum length',
};

/** An agent's error code in words; undefined if the code tells nothing. */
export function errorText(code: string): string | undefined {
  if (SAYS_NOTHING.has(code)) return undefined;
  return ERRORS[code] ?? plainCode(code);
}

/** What the turn took: time without waiting for a person, cost and tokens. */
export const turnFacts = ({ costUsd, usage }: Completed, workMs: number | undefined): readonly string[] =>
  [
    workMs === undefined ? undefined : durationText(workMs),
    costUsd === undefined ? undefined : costText(costUsd),
    usage === undefined ? undefined : `${tokensText(usage.outputTokens)} tokens out`,
  ].filter((fact) => fact !== undefined);
