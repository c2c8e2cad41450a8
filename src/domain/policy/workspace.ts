import type { Actor } from '../../protocol/actor.ts';
import type { ProjectScripts } from '../../protocol/api/worktree.ts';
import type { Refusal, WorkspaceCommand, WorkspaceCommandOf } from '../../protocol/command.ts';
import type { Event, EventBody, EventOf } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Rule, RuleId, RuleScope } from '../../protocol/rule.ts';
import { type BackgroundTask, taskOf } from '../background-task.ts';
import { decideOutside, evolveOutside, NOTHING_OUTSIDE, type Outside } from './outside.ts';
import type { ResetPreference } from './reset-preference.ts';

/** What belongs to no session: the active rules in order of creation, and the conversations of deleted private sessions. */
export interface WorkspaceState {
  readonly seq: number;
  readonly rules: readonly Rule[];
  readonly closed: readonly Closed[];
  /** Work that an event asked for and that is not done yet. */
  readonly tasks: readonly BackgroundTask[];
  /** Every review that was requested. */
  readonly reviews: Readonly<Record<string, KnownReview>>;
  /** Which sessions continue by themselves when a usage limit resets. */
  readonly atReset: readonly ResetPreference[];
  /** By repository: the hashes of scripts that an owner accepted, and the owner's own scripts. */
  readonly projects: Readonly<Record<string, ProjectTrust>>;
  readonly outside: Outside;
}

export interface KnownReview {
  readonly to: readonly SessionId[];
  /** Set once every recipient has accepted or refused it. */
  readonly refused?: EventOf<'background.ended'>['refused'];
}

export interface ProjectTrust {
  readonly trusted: readonly string[];
  readonly scripts?: ProjectScripts;
}

export interface Closed {
  readonly ownerId: string;
  readonly agentSessionIds: readonly string[];
}

/** Every request is checked against every rule, so there is a limit. Nobody reaches it by hand. */
const RULES_MAX = 5_000;

export const emptyWorkspace: WorkspaceState = { seq: 0, rules: [], closed: [], tasks: [], reviews: {}, atReset: [], projects: {}, outside: NOTHING_OUTSIDE };

/** A project's scripts change now and then; older texts are asked about again. */
const TRUSTED_KEPT = 50;

export const projectOf = ({ projects }: WorkspaceState, repo: string): ProjectTrust =>
  (Object.hasOwn(projects, repo) ? projects[repo] : undefined) ?? { trusted: [] };

function withProject(state: WorkspaceState, repo: string, change: (project: ProjectTrust) => ProjectTrust): WorkspaceState {
  return { ...state, projects: { ...state.projects, [repo]: change(projectOf(state, repo)) } };
}

export function evolveWorkspace(state: WorkspaceState, event: Event): WorkspaceState {
  const next = { ...state, seq: event.seq, outside: evolveOutside(state.outside, event) };
  if (event.type === 'rule.created') return { ...next, rules: [...state.rules, event.rule] };
  if (event.type === 'conversations.closed') return { ...next, closed: [...state.closed, { ownerId: event.ownerId, agentSessionIds: event.agentSessionIds }] };
  if (event.type === 'review.requested') return { ...next, tasks: [...state.tasks, taskOf(event)], reviews: requested(state.reviews, event) };
  if (event.type === 'background.ended') return ended(state, event);
  if (event.type === 'continuation.preferred') return { ...next, atReset: preferred(state.atReset, event) };
  if (event.type === 'scripts.trusted')
    return withProject(next, event.repo, ({ trusted, ...rest }) => ({ ...rest, trusted: [...new Set([...trusted, event.sha256])].slice(-TRUSTED_KEPT) }));
  if (event.type === 'scripts.set') {
    const { scripts } = event;
    return withProject(next, event.repo, ({ trusted }) => (Object.keys(scripts).length === 0 ? { trusted } : { trusted, scripts }));
  }
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

function preferred(preferences: readonly ResetPreference[], { scope, choice }: EventOf<'continuation.preferred'>): readonly ResetPreference[] {
  const others = preferences.filter((other) => keyOf(other.scope) !== keyOf(scope));
  return choice === 'unset' ? others : [...others, { scope, choice }];
}

const keyOf = (scope: RuleScope): string => (scope.kind === 'session' ? scope.sessionId : scope.kind === 'project' ? scope.folder : '');

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
    case 'continuation.prefer':
      return [{ type: 'continuation.preferred', actor, scope: command.scope, choice: command.choice }];
    case 'token.add':
      return [{ type: 'token.added', actor, name: command.name, role: command.role }];
    case 'token.revoke':
      return [{ type: 'token.revoked', actor, name: command.name }];
    case 'review.request':
      return [{ type: 'review.requested', actor, reviewId: command.reviewId, to: [...command.to] }];
    case 'scripts.trust':
      return [{ type: 'scripts.trusted', actor, repo: command.repo, sha256: command.sha256, scripts: command.scripts }];
    case 'scripts.set':
      return [{ type: 'scripts.set', actor, repo: command.repo, scripts: command.scripts }];
    case 'webhook.add':
    case 'webhook.remove':
    case 'share.create':
    case 'share.revoke':
      return decideOutside(state.outside, command, now);
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
