import type { EventOf } from '../../protocol/event.ts';
import { costText, durationText, tokensText } from '../amounts.ts';

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

/** The stop reason of a turn whose agent exited before the turn ended; the next line says whether it crashed or was stopped. */
export const AGENT_GONE = 'agent_exited';

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

export function turnEndText({ interrupted, isError, stopReason }: Completed): string {
  if (stopReason === AGENT_GONE) return 'The agent exited mid-turn. Some steps may have completed; nothing was repeated.';
  if (interrupted) return 'Interrupted';
  const words = STOPS[stopReason];
  if (isError) return words ?? (stopReason === 'error' ? 'Failed' : `Failed: ${stopReason}`);
  return words ?? `Ended: ${stopReason}`;
}

/** What the turn took: time, cost and tokens. */
export const turnFacts = ({ durationMs, costUsd, usage }: Completed): readonly string[] =>
  [
    durationMs === undefined ? undefined : durationText(durationMs),
    costUsd === undefined ? undefined : costText(costUsd),
    usage === undefined ? undefined : `${tokensText(usage.outputTokens)} tokens out`,
  ].filter((fact) => fact !== undefined);
