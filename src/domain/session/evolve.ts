import type { Event, EventOf, EventType } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { evolveAnnotations, NO_ANNOTATIONS } from '../annotation/state.ts';
import { type FinishEvent, finished } from '../finish/finish-state.ts';
import { type Handlers, handlerOf } from '../handle-event.ts';
import * as terminal from '../permission/terminal-state.ts';
import { isLent } from '../queue/lease.ts';
import * as queue from '../queue/queue.ts';
import { scriptEnded, scriptStarted } from '../script/scripts.ts';
import { isFailedTurn, turnOutcome } from '../transcript/outcomes.ts';
import * as worktree from '../worktree/evolve.ts';
import { isTrustRequest } from '../worktree/trust-request.ts';
import { cutOffAtExit, cutOffBy, withoutCutOff } from './cut-off.ts';
import * as asks from './evolve-asks.ts';
import { lastLineOf, liveLineOf } from './last-line.ts';
import type { OpenPermission, SessionState } from './state.ts';

/** How many closed requests the state keeps: enough for every late answer, small enough for a snapshot. */
const KEPT = 50;

/** A killed agent forgets what it had not written yet: the last turn, rarely the one before. */
const REMEMBERED = 3;

/** Every /clear adds a conversation. Nobody reaches this limit; it bounds the snapshot. */
const CONVERSATIONS_MAX = 1000;

/** The state after one more event. The only way state changes. */
export function evolve(state: SessionState, event: Event): SessionState {
  const next = event.inherited ? inherited(state, event) : event.elsewhere ? elsewhere(state, event) : apply(state, event);
  const isLive = event.inherited !== true && event.elsewhere !== true;
  const lastLine = (isLive ? liveLineOf(state, next, event) : lastLineOf(event)) ?? next.lastLine;
  return { ...next, seq: event.seq, updatedAt: usedAt(state, event), lastLine };
}

/** Starring a session or adding a note does not count as using it, so it keeps its place in lists. A session that was only adopted keeps the time of its record. */
function usedAt({ updatedAt }: SessionState, event: Event): string {
  if (NOT_A_USE.has(event.type) || event.type.startsWith('checkpoint.')) return updatedAt;
  if (event.type === 'session.created' && event.base !== undefined) return updatedAt;
  // External events can be older than the last known one.
  return event.elsewhere && event.at < updatedAt ? updatedAt : event.at;
}

const NOT_A_USE: ReadonlySet<EventType> = new Set([
  'meta.changed',
  'item.marked',
  'session.status',
  'annotation.made',
  'annotation.edited',
  'annotation.withdrawn',
  'annotation.settled',
]);

export const fold = (state: SessionState, events: readonly Event[]): SessionState => events.reduce(evolve, state);

/** Inherited events are shown, and change nothing but the session's name. */
function inherited(state: SessionState, event: Event): SessionState {
  if (event.type !== 'user.message' || event.origin === 'agent' || state.meta.firstPrompt !== null) return state;
  return { ...state, meta: { ...state.meta, firstPrompt: event.text.slice(0, 200) } };
}

/** External events are not turns, tools or requests of ours: they only fill the agent's context, and are merged up to their line. */
function elsewhere(state: SessionState, event: Event): SessionState {
  const named = { ...terminal.working(inherited(state, event), event), merged: mergedUpTo(state.merged, event) };
  if (event.type === 'usage.reported' || event.type === 'context.compacted') return apply(named, event);
  return named;
}

/** Every subagent adds a file, so there is a limit for the snapshot. Older files are finished, and reading one again finds only known lines. */
const FILES = 100;

function mergedUpTo(merged: SessionState['merged'], { src }: Event): SessionState['merged'] {
  if (src?.file === undefined) return merged;
  const { [src.file]: before = 0, ...others } = merged;
  return Object.fromEntries([...Object.entries(others), [src.file, Math.max(before, src.byte)] as const].slice(-FILES));
}

const apply = (state: SessionState, event: Event): SessionState => annotated(withoutEmptyPause(handlerOf(CHANGES, event)(state, event)), event);

function annotated(state: SessionState, event: Event): SessionState {
  const before = state.annotations ?? NO_ANNOTATIONS;
  const annotations = evolveAnnotations(before, event, state.born?.cwd ?? '/');
  return annotations === before ? state : { ...state, annotations };
}

/** A pause ends with the last message it held back, or the next one would be stuck without a reason. */
function withoutEmptyPause(state: SessionState): SessionState {
  return state.paused === undefined || queue.hasWaiting(state.queue) ? state : resumed(state);
}

function resumed({ paused: _, ...state }: SessionState): SessionState {
  return state;
}

const unchanged = (state: SessionState): SessionState => state;

/** What each event changes. */
const CHANGES: Handlers<EventType, [SessionState], SessionState> = {
  'session.created': created,
  'session.deleted': (state) => ({ ...state, deleted: true }),
  'session.status': (state, event) => ({
    ...finishedByFailing(state, event),
    status: { status: event.status, cause: event.cause, seq: event.causeSeq ?? event.seq, at: event.at },
  }),
  'session.started': started,
  'capabilities.told': (state, event) => ({ ...state, can: { ...state.can, ...event.can } }),
  'run.opened': opened,
  'run.ready': (state, event) => (state.run.phase === 'opened' ? { ...state, run: { phase: 'ready', run: event.run } } : state),
  'run.ending': (state, event) => ({ ...state, run: { phase: 'ending', run: event.run, reason: event.reason } }),
  'session.exited': (state, event) => ({
    // A person ended it: what failed before is settled.
    ...(event.reason === 'stop' || event.reason === 'stuck' ? cleared(cutOffAtExit(state, event)) : cutOffAtExit(state, event)),
    run: { phase: 'none' },
    tasks: [],
    bypasses: false,
    interrupt: null,
    deaths: deathsAfter(state.deaths, event.reason),
  }),
  'input.accepted': accepted,
  'input.edited': (state, event) => ({ ...state, queue: queue.edit(state.queue, event.commandId, event.text, event.blobs?.text ?? null) }),
  'input.moved': (state, event) => ({ ...state, queue: queue.move(state.queue, event.commandId, event.before) }),
  'input.steered': (state, event) => ({ ...state, run: wantedAgain(state.run, event.commandId), queue: queue.steer(state.queue, event.commandId) }),
  'input.cancelled': (state, event) => settled({ ...state, queue: queue.without(state.queue, event.commandId) }),
  'input.delivered': (state, event) => ({ ...state, queue: queue.deliver(state.queue, event.commandId, event.run, event.at) }),
  'input.returned': (state, event) => settled({ ...state, queue: queue.requeue(state.queue, event.commandId) }),
  'input.consumed': consumed,
  'context.forgotten': (state, event) => ({ ...state, remembered: state.remembered.filter((commandId) => commandId !== event.commandId) }),
  'turn.started': (state, event) => ({
    ...withoutCutOff(state),
    turn: { phase: 'running', turnId: event.turnId, commandId: event.commandId ?? null, interruptedBy: null },
  }),
  'usage.reported': (state, event) => ({
    ...state,
    contextTokens: event.contextTokens ?? state.contextTokens,
    contextWindow: event.contextWindow ?? state.contextWindow,
  }),
  'interrupt.requested': interrupting,
  'turn.completed': completed,
  'tool.started': (state, event) => ({
    ...state,
    openTools: [...state.openTools, { toolUseId: event.toolUseId, parentToolUseId: event.parentToolUseId ?? null }],
    toolSeq: event.seq,
  }),
  'tool.completed': (state, event) => ({
    ...state,
    openTools: state.openTools.filter((tool) => tool.toolUseId !== event.toolUseId),
    answeredAsks: asks.received(state, event),
  }),
  'permission.requested': (state, event) => ({ ...state, permissions: [...state.permissions, openPermission(event)] }),
  'permission.resolved': resolved,
  'model.changed': (state, event) => ({ ...state, model: event.model }),
  // Whatever changed it, the next process continues in this mode, so an approved plan is not requested again.
  'mode.changed': (state, event) => ({ ...state, permissionMode: event.mode, wished: { ...state.wished, mode: event.mode } }),
  'thinking.changed': (state, event) => ({ ...state, thinking: event.thinking }),
  'setting.requested': (state, event) => ({ ...state, wished: { ...state.wished, [event.setting]: event.value } }),
  'setting.refused': (state, event) => ({ ...state, wished: withoutRefused(state.wished, event) }),
  'limit.reported': (state, event) => ({ ...state, limit: event.status === 'allowed' ? null : limitOf(event) }),
  'driver.found': (state, event) => ({ ...state, driver: driverOf(event) }),
  'takeover.requested': (state, event) => ({ ...state, driver: state.driver?.pid === event.pid ? { ...state.driver, isLeaving: true } : state.driver }),
  'driver.gone': (state) => ({ ...terminal.ended(state), driver: null }),
  'continuation.scheduled': (state, { commandId, resumesAt, text, resetsAt }) => ({
    ...state,
    continuation: { commandId, resumesAt, text, ...(resetsAt !== undefined && { resetsAt }) },
  }),
  'continuation.ended': (state) => ({
    ...state,
    continuation: null,
    ...(state.continuation?.resetsAt !== undefined && { lastReset: state.continuation.resetsAt }),
  }),
  'queue.paused': (state, event) => ({ ...state, queue: queue.hold(state.queue), paused: { at: event.at, by: event.actor?.name ?? null } }),
  'queue.resumed': resumed,
  'handover.ready': (state, event) => ({
    ...state,
    origin: null,
    handover: { how: event.how, text: event.text },
    agentSessionId: null,
    hasHistory: false,
    remembered: [],
  }),
  'meta.changed': (state, event) => ({ ...state, meta: changedMeta(state.meta, event) }),
  'title.reported': (state, event) => ({ ...state, meta: reportedTitle(state.meta, event) }),
  'context.compacted': (state, event) => ({ ...state, contextTokens: event.postTokens ?? state.contextTokens }),
  'task.updated': (state, event) => ({ ...state, tasks: tasksAfter(state.tasks, event) }),
  'checkpoint.made': madeCheckpoint,
  'checkpoint.skipped': skippedCheckpoint,
  'checkpoint.enabled': ({ noCheckpoints: _, ...state }) => state,
  'revert.requested': (state, event) => ({ ...state, reverting: revertingOf(event) }),
  'revert.done': ({ reverting: _, ...state }) => state,
  'checkpoint.removed': unchanged,
  'act.refused': unchanged,
  'user.message': unchanged,
  'assistant.text': unchanged,
  'assistant.thinking': unchanged,
  'item.marked': (state, event) => (event.tags === undefined ? state : { ...state, itemTags: { ...state.itemTags, [event.item]: event.tags } }),
  // What annotations and reviews change is in domain/annotation/state.ts.
  'annotation.made': unchanged,
  'annotation.edited': unchanged,
  'annotation.withdrawn': unchanged,
  'annotation.sent': unchanged,
  'annotation.settled': unchanged,
  'annotation.answered': unchanged,
  'review.sent': unchanged,
  'review.ended': unchanged,
  'review.requested': unchanged,
  'background.ended': unchanged,
  'rewind.requested': unchanged,
  'files.rewound': unchanged,
  'rule.created': unchanged,
  'rule.revoked': unchanged,
  'continuation.preferred': unchanged,
  'token.added': unchanged,
  'token.revoked': unchanged,
  'conversations.closed': unchanged,
  'suggestion.offered': unchanged,
  'hook.ran': unchanged,
  'retry.reported': unchanged,
  'vcs.reported': unchanged,
  'notice.shown': unchanged,
  'output.lost': unchanged,
  'tool.asked': asks.asked,
  'tool.answered': asks.answered,
  'agent.refused': unchanged,
  'hook.asked': terminal.asked,
  'hook.answered': unchanged,
  'hook.reported': terminal.reported,
  'command.output': unchanged,
  'command.ended': (state, { code, signal, durationMs, tail }) => ({ ...state, command: { code, signal, durationMs, tail } }),
  'script.started': (state, event) => worktree.attempted(scriptStarted(state, event), event.scriptId),
  'script.ended': scriptEnded,
  'git.noted': finishing,
  'git.trusted': finishing,
  'git.started': finishing,
  'git.acted': finishing,
  'pr.linked': finishing,
  'pr.updated': finishing,
  'pr.dismissed': finishing,
  'worktree.requested': worktree.requested,
  'worktree.prepared': worktree.prepared,
  'worktree.made': worktree.made,
  'worktree.failed': worktree.failed,
  'worktree.retried': worktree.retried,
  'worktree.merged': unchanged,
  'worktree.removing': worktree.removing,
  'worktree.archived': worktree.removed,
  'worktree.removed': worktree.removed,
  'scripts.trusted': unchanged,
  'scripts.set': unchanged,
  'webhook.added': unchanged,
  'webhook.removed': unchanged,
  'share.created': unchanged,
  'share.revoked': unchanged,
  'plan.created': unchanged,
  'plan.revised': unchanged,
  'plan.proposed': unchanged,
  'proposal.decided': unchanged,
  'plan.generating': unchanged,
  'plan.generated': unchanged,
  'plan.started': unchanged,
  'plan.paused': unchanged,
  'plan.resumed': unchanged,
  'plan.cancelled': unchanged,
  'plan.completed': unchanged,
  'budget.neared': unchanged,
  'node.started': unchanged,
  'node.continued': unchanged,
  'node.retried': unchanged,
  'node.skipped': unchanged,
  'node.spent': unchanged,
  'node.reported': unchanged,
  'node.verified': unchanged,
  'node.merged': unchanged,
  'node.finished': unchanged,
  'node.noted': unchanged,
  'gate.opened': unchanged,
  'gate.decided': unchanged,
  unrecognised: unchanged,
};

function finishing(state: SessionState, event: FinishEvent): SessionState {
  return { ...state, finish: finished(state.finish, event) };
}

/** A run that never started says nothing about the agent. */
function deathsAfter(deaths: number, reason: string): number {
  if (reason === 'never-began') return deaths;
  return reason === 'died' ? deaths + 1 : 0;
}

function created(state: SessionState, event: EventOf<'session.created'>): SessionState {
  const { agent, cwd, node, owner, options, at } = event;
  return {
    ...state,
    base: event.base ?? 0,
    born: {
      agent,
      cwd,
      node,
      owner,
      options,
      at,
      parent: event.parent ?? null,
      ...(event.actor !== undefined && { ownerId: event.actor.id }),
      ...(event.startedBy !== undefined && { ownerId: event.startedBy.ownerId, startedBy: event.startedBy.sessionId }),
    },
    meta: { ...state.meta, title: event.title ?? null },
    model: options.model ?? null,
    permissionMode: options.permissionMode ?? null,
    thinking: options.thinking ?? null,
    origin: event.origin ?? null,
    minds: event.origin?.kind === 'resume' ? [{ id: event.origin.agentSessionId }] : [],
  };
}

function opened(state: SessionState, event: EventOf<'run.opened'>): SessionState {
  return {
    ...state,
    run: { phase: 'opened', run: event.run },
    agentSessionId: event.agentSessionId ?? state.agentSessionId,
    minds: withConversation(state, event.agentSessionId),
    bypasses: (state.wished.mode ?? state.born?.options.permissionMode) === 'bypassPermissions',
  };
}

function withConversation({ minds, origin }: SessionState, id: string | undefined): SessionState['minds'] {
  if (id === undefined || minds.some((conversation) => conversation.id === id)) return minds;
  const conversation = origin?.kind === 'handover' ? { id, copyOf: origin.agentSessionId } : { id };
  return [...minds, conversation].slice(-CONVERSATIONS_MAX);
}

function interrupting(state: SessionState, event: EventOf<'interrupt.requested'>): SessionState {
  // Asking again does not give the agent more time.
  const interrupt = state.interrupt ?? { commandId: event.commandId, at: event.at };
  return { ...state, interrupt, turn: state.turn.phase === 'running' ? { ...state.turn, interruptedBy: interrupt.commandId } : state.turn };
}

/** The agent has a message of this session: from now on the conversation belongs to the session. */
function consumed(state: SessionState, event: EventOf<'input.consumed'>): SessionState {
  // A program that polls for messages has it now: to this session, the conversation still belongs to another program.
  if (isLent(queue.find(state.queue, event.commandId))) return { ...terminal.ended(state), queue: queue.without(state.queue, event.commandId) };
  const asksForSummary = state.origin?.kind === 'handover';
  return {
    ...state,
    hasHistory: true,
    origin: asksForSummary ? state.origin : null,
    handover: null,
    queue: queue.consume(state.queue, event.commandId),
    remembered: nowRemembered(state, event.commandId),
  };
}

const LIVE: ReadonlySet<string> = new Set(['pending', 'queued', 'running']);

function tasksAfter(tasks: SessionState['tasks'], { taskId, toolUseId, kind, status, title }: EventOf<'task.updated'>): SessionState['tasks'] {
  const known = tasks.find((task) => task.taskId === taskId);
  const others = tasks.filter((task) => task !== known);
  const shown = title ?? known?.title;
  return LIVE.has(status)
    ? [...others, { taskId, kind, toolUseId: toolUseId ?? known?.toolUseId ?? null, ...(shown !== undefined && { title: shown }) }]
    : others;
}

/** Without a message in flight and a turn, there is nothing left to interrupt. */
function settled(state: SessionState): SessionState {
  return state.turn.phase === 'idle' && queue.inFlight(state.queue) === undefined ? { ...state, interrupt: null } : state;
}

function withoutRefused(wished: SessionState['wished'], { setting, value }: EventOf<'setting.refused'>): SessionState['wished'] {
  const { [setting]: requested, ...others } = wished;
  return requested === value ? others : wished;
}

const limitOf = ({ status, kind, resetsAt }: EventOf<'limit.reported'>): SessionState['limit'] => ({
  status,
  kind,
  ...(resetsAt !== undefined && { resetsAt }),
});

const driverOf = ({ pid, since, what }: EventOf<'driver.found'>): SessionState['driver'] => ({
  pid,
  ...(since !== undefined && { since }),
  ...(what !== undefined && { what }),
});

function started(state: SessionState, event: EventOf<'session.started'>): SessionState {
  const isSameConversation = state.agentSessionId === event.agentSessionId;
  return {
    ...state,
    agentSessionId: event.agentSessionId,
    minds: withConversation(state, event.agentSessionId),
    remembered: isSameConversation ? state.remembered : [],
    model: event.model ?? state.model,
    permissionMode: event.permissionMode ?? state.permissionMode,
    thinking: event.thinking ?? state.thinking,
  };
}

function accepted(state: SessionState, event: EventOf<'input.accepted'>): SessionState {
  const { commandId, text, mode } = event;
  const input = {
    commandId,
    text,
    mode,
    blob: event.blobs?.text ?? null,
    images: event.images ?? [],
    context: event.context ?? [],
    at: event.at,
    by: event.actor?.name ?? null,
    ...(event.actor?.kind === 'agent' && { isFromAgent: true as const }),
    stage: { at: 'accepted' },
  } as const;
  const firstPrompt = state.meta.firstPrompt ?? (event.actor?.kind === 'system' ? null : text.slice(0, 200));
  // A new message resumes a queue that was paused because the agent kept crashing.
  return {
    ...cleared(withoutCutOff(state)),
    deaths: 0,
    run: wantedAgain(state.run, commandId),
    queue: [...state.queue, input],
    meta: { ...state.meta, firstPrompt },
  };
}

/** A new message clears the last failure. */
function cleared({ turnFailed: _, ...state }: SessionState): SessionState {
  return state;
}

/** A message sent while the process is ending needs the next process. */
const wantedAgain = (run: SessionState['run'], commandId: CommandId): SessionState['run'] =>
  run.phase === 'ending' ? { ...run, since: [...(run.since ?? []), commandId] } : run;

function completed(state: SessionState, event: EventOf<'turn.completed'>): SessionState {
  const done = state.turn.phase === 'running' ? state.turn.commandId : null;
  return {
    ...cleared(cutOffBy(state, event)),
    ...(isFailedTurn(event) && { turnFailed: true }),
    ...(turnOutcome(event) !== 'interrupted' && { finished: { seq: event.seq, at: event.at } }),
    turn: { phase: 'idle' },
    interrupt: null,
    // Messages that joined the turn end with it.
    queue: queue.without(state.queue, done).filter((input) => input.stage.at !== 'consumed'),
    afterDue: { seq: event.seq, turnId: event.turnId, ...(event.commandId !== undefined && { commandId: event.commandId }) },
    limit: event.isError || state.limit?.status !== 'rejected' ? state.limit : null,
    deaths: event.stopReason === 'agent_exited' ? state.deaths : 0,
    costUsd: event.costUsd === undefined ? state.costUsd : (state.costUsd ?? 0) + event.costUsd,
    contextTokens: event.contextTokens ?? state.contextTokens,
    contextWindow: event.contextWindow ?? state.contextWindow,
  };
}

/** A session that fails outside a turn, as when its agent doesn't start, is something to see too. */
const finishedByFailing = (state: SessionState, { status, seq, at }: EventOf<'session.status'>): SessionState =>
  status === 'failed' && state.status.status !== 'failed' ? { ...state, finished: { seq, at } } : state;

function madeCheckpoint({ noCheckpoints: _, ...state }: SessionState, event: EventOf<'checkpoint.made'>): SessionState {
  return event.when === 'after' && event.turnId === state.afterDue?.turnId ? withoutDue(state) : state;
}

function skippedCheckpoint(state: SessionState, event: EventOf<'checkpoint.skipped'>): SessionState {
  return { ...withoutDue(state), noCheckpoints: event.reason };
}

const revertingOf = ({ commandId, checkpointId, paths, force }: EventOf<'revert.requested'>): NonNullable<SessionState['reverting']> => ({
  commandId,
  checkpointId,
  ...(paths !== undefined && { paths }),
  ...(force !== undefined && { force }),
});

const withoutDue = ({ afterDue: _, ...state }: SessionState): SessionState => state;

function openPermission(event: EventOf<'permission.requested'>): OpenPermission {
  const { requestId, seq, at, agentRequestId, toolUseId, tool, input, title, suggestions, kind, subagent, subagentTitle, subject } = event;
  const asked = {
    agentRequestId,
    tool,
    input,
    kind,
    ...(toolUseId !== undefined && { toolUseId }),
    ...(title !== undefined && { title }),
    ...(suggestions !== undefined && { suggestions }),
    ...(subagent !== undefined && { subagent }),
    ...(subagentTitle !== undefined && { subagentTitle }),
    ...(subject !== undefined && { subject }),
  };
  return { requestId, seq, at, asked };
}

/** An accepted script stays accepted for this session, as long as its text and its files stay the same. */
function trustedWith({ permissions, trusted = [] }: SessionState, { requestId, outcome }: EventOf<'permission.resolved'>): Pick<SessionState, 'trusted'> {
  const hash = outcome === 'allowed' && isTrustRequest(requestId) ? permissions.find((open) => open.requestId === requestId)?.asked.agentRequestId : undefined;
  return hash === undefined ? {} : { trusted: [...new Set([...trusted, hash])].slice(-KEPT) };
}

function resolved(state: SessionState, event: EventOf<'permission.resolved'>): SessionState {
  const nobody = event.outcome === 'cancelled' || event.outcome === 'lapsed';
  const closed = { requestId: event.requestId, outcome: event.outcome, by: event.actor?.name ?? 'the agent', reason: nobody ? (event.message ?? null) : null };
  return {
    ...state,
    wished: event.mode === undefined ? state.wished : { ...state.wished, mode: event.mode },
    asks: asks.approved(state, event),
    ...terminal.resolved(state, event),
    permissions: state.permissions.filter((open) => open.requestId !== event.requestId),
    ...trustedWith(state, event),
    closedPermissions: [...state.closedPermissions, closed].slice(-KEPT),
  };
}

function changedMeta(meta: SessionState['meta'], event: EventOf<'meta.changed'>): SessionState['meta'] {
  return {
    ...meta,
    title: event.title ?? meta.title,
    tags: event.tags ?? meta.tags,
    star: event.star ?? meta.star,
    note: event.note === undefined ? meta.note : event.note,
    archived: event.archived ?? meta.archived,
    closed: event.closed ?? meta.closed,
    ...(event.giveComments !== undefined && { giveComments: event.giveComments }),
  };
}

/** An agent repeats its title at every start; only a new one replaces what a person chose here since. */
function reportedTitle(meta: SessionState['meta'], { title, named }: EventOf<'title.reported'>): SessionState['meta'] {
  if (title === meta.reportedTitle) return meta;
  return { ...meta, reportedTitle: title, ...(named && { title }) };
}

/** A slash command such as `/compact` leaves nothing for the agent to remember. */
function nowRemembered({ remembered, queue: inputs }: SessionState, commandId: CommandId): readonly CommandId[] {
  const isSlashCommand = queue.find(inputs, commandId)?.text.startsWith('/') ?? false;
  return isSlashCommand || remembered.includes(commandId) ? remembered : [...remembered, commandId].slice(-REMEMBERED);
}
