import type { Actor } from '../../protocol/actor.ts';
import type { Refusal, WorkspaceCommand, WorkspaceCommandOf } from '../../protocol/command.ts';
import type { Event, EventBody, EventOf } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Rule, RuleId } from '../../protocol/rule.ts';
import { type BackgroundTask, taskOf } from '../background-task.ts';

/** What belongs to no session: the active rules in order of creation, and the conversations of deleted private sessions. */
export interface WorkspaceState {
  readonly seq: number;
  readonly rules: readonly Rule[];
  readonly closed: readonly Closed[];
  /** Work that an event asked for and that is not done yet. */
  readonly tasks: readonly BackgroundTask[];
  /** Every review that was requested. */
  readonly reviews: Readonly<Record<string, KnownReview>>;
}

export interface KnownReview {
  readonly to: readonly SessionId[];
  /** Set once every recipient has accepted or refused it. */
  readonly refused?: EventOf<'background.ended'>['refused'];
}

export interface Closed {
  readonly ownerId: string;
  readonly agentSessionIds: readonly string[];
}

/** Every request is checked against every rule, so there is a limit. Nobody reaches it by hand. */
const RULES_MAX = 5_000;

export const emptyWorkspace: WorkspaceState = { seq: 0, rules: [], closed: [], tasks: [], reviews: {} };

export function evolveWorkspace(state: WorkspaceState, event: Event): WorkspaceState {
  const next = { ...state, seq: event.seq };
  if (event.type === 'rule.created') return { ...next, rules: [...state.rules, event.rule] };
  if (event.type === 'conversations.closed') return { ...next, closed: [...state.closed, { ownerId: event.ownerId, agentSessionIds: event.agentSessionIds }] };
  if (event.type === 'review.requested') return { ...next, tasks: [...state.tasks, taskOf(event)], reviews: requested(state.reviews, event) };
  if (event.type === 'background.ended') return ended(state, event);
  if (event.type !== 'rule.revoked') return next;
  return { ...next, rules: state.rules.filter((rule) => rule.id !== event.ruleId) };
}

const requested = (reviews: WorkspaceState['reviews'], { reviewId, to }: EventOf<'review.requested'>): WorkspaceState['reviews'] => ({
  ...reviews,
  [reviewId]: { to: to.map(({ sessionId }) => sessionId) },
});

function ended(state: WorkspaceState, { seq, taskId, refused }: EventOf<'background.ended'>): WorkspaceState {
  const task = state.tasks.find((open) => open.taskId === taskId);
  const known = task && state.reviews[task.event.reviewId];
  const tasks = state.tasks.filter((open) => open !== task);
  return {
    ...state,
    seq,
    tasks,
    ...(task !== undefined && known !== undefined && { reviews: { ...state.reviews, [task.event.reviewId]: { ...known, refused } } }),
  };
}

export interface WorkspaceContext {
  readonly at: string;
  readonly actor: Actor;
}

/** What a command to the workspace leads to: events, or a refusal. */
export function decideWorkspace(state: WorkspaceState, command: WorkspaceCommand, now: WorkspaceContext): readonly EventBody[] | Refusal {
  const { actor } = now;
  switch (command.type) {
    case 'rule.create':
      return create(state, command, now);
    case 'rule.revoke':
      return unknown(state, command.ruleId) ?? [{ type: 'rule.revoked', actor, ruleId: command.ruleId, reason: command.reason ?? `by ${actor.name}` }];
    case 'token.add':
      return [{ type: 'token.added', actor, name: command.name, role: command.role }];
    case 'token.revoke':
      return [{ type: 'token.revoked', actor, name: command.name }];
    case 'review.request':
      return [{ type: 'review.requested', actor, reviewId: command.reviewId, to: [...command.to] }];
    case 'act.refuse':
      return [{ type: 'act.refused', actor, act: command.act, role: command.role, ...(command.target !== undefined && { target: command.target }) }];
  }
}

/** A rule that replaces another starts at the moment the other ends: both or neither are never active. */
function create(state: WorkspaceState, command: WorkspaceCommandOf<'rule.create'>, { at, actor }: WorkspaceContext): readonly EventBody[] | Refusal {
  const { ruleId, replaces, fromRequest } = command;
  if (has(state, ruleId)) return { refused: 'conflict', message: `Rule ${ruleId} already exists.` };
  const noSuch = replaces === undefined ? undefined : unknown(state, replaces);
  if (noSuch !== undefined) return noSuch;
  if (state.rules.length >= RULES_MAX) return { refused: 'conflict', message: `The limit of ${RULES_MAX} rules is reached. Revoke some first.` };
  const rule: Rule = {
    ...command.rule,
    id: ruleId,
    createdAt: at,
    createdBy: actor,
    ...(fromRequest !== undefined && { fromRequest }),
    ...(replaces !== undefined && { replaces }),
  };
  const created: EventBody = { type: 'rule.created', actor, rule };
  return replaces === undefined ? [created] : [created, { type: 'rule.revoked', actor, ruleId: replaces, reason: `replaced by ${ruleId}` }];
}

const has = (state: WorkspaceState, ruleId: RuleId): boolean => state.rules.some((rule) => rule.id === ruleId);

const unknown = (state: WorkspaceState, ruleId: RuleId): Refusal | undefined =>
  has(state, ruleId) ? undefined : { refused: 'not-found', message: `There is no active rule ${ruleId}.` };

/** Rules that end with a session: its id can be reused, and nobody allowed the new session anything. */
export const rulesOfSession = (state: WorkspaceState, sessionId: SessionId): readonly Rule[] =>
  state.rules.filter(({ scope }) => scope.kind === 'session' && scope.sessionId === sessionId);
