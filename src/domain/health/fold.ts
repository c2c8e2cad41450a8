import type { Cause } from '../../protocol/api/health.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import { causeFromText, causeOfExit, causeOfTurn } from './cause.ts';
import { errorsIn, withPast } from './findings.ts';
import { foldCallCompleted, foldCallStarted } from './fold-calls.ts';
import { foldCompaction, foldReportedUsage, foldUsage } from './fold-context.ts';
import { type HealthState, KEPT } from './state.ts';

/** Health after one more event. Inherited events count for the session in which they happened. */
export function foldHealth(state: HealthState, event: Event): HealthState {
  const next = event.inherited ? state : apply(state, event);
  return { ...next, seq: event.seq, lastAt: PEOPLE_EVENTS.has(event.type) ? state.lastAt : event.at };
}

/** The command's name in every agent that was seen to have one. */
export const COMPACT = 'compact';

/** What people do does not show whether the agent is alive. */
const PEOPLE_EVENTS: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'meta.changed',
  'item.marked',
  'input.accepted',
  'input.edited',
  'input.moved',
  'input.cancelled',
]);

function apply(state: HealthState, event: Event): HealthState {
  switch (event.type) {
    case 'session.created':
      return { ...state, isOurs: true, openCalls: [], waiting: [] };
    case 'session.started':
      return started(state, event);
    case 'session.status':
      return { ...state, isOver: event.status === 'ended' || event.status === 'failed' };
    case 'run.opened':
      return { ...state, isOver: false };
    case 'session.exited':
      return exited(state, event);
    case 'handover.ready':
      return { ...state, tokens: null };
    case 'turn.started':
      return { ...state, turn: { seq: event.seq, at: event.at, calls: 0 } };
    case 'turn.completed':
      return completed(state, event);
    case 'context.compacted':
      return foldCompaction(state, event);
    case 'tool.started':
      return foldCallStarted(worked(state), event);
    case 'tool.completed':
      return foldCallCompleted(state, event);
    case 'user.message':
      return prompted(state, event);
    case 'usage.reported':
      return foldReportedUsage(state, event);
    case 'assistant.text':
      return answered(counted(state, event), event);
    case 'retry.reported':
      return failedOnce(state, event, event.error);
    case 'limit.reported':
      return event.status === 'rejected' ? because(state, event, 'rate_limited') : state;
    case 'notice.shown':
      return event.level === 'error' ? because(state, event, causeFromText(event.text)) : state;
    case 'permission.requested':
      return { ...state, waiting: [...state.waiting, event.requestId].slice(-KEPT.waiting) };
    case 'permission.resolved':
      return { ...state, waiting: state.waiting.filter((requestId) => requestId !== event.requestId) };
    default:
      return state;
  }
}

/** Another conversation (after `/clear`) starts with an empty context. */
function started(state: HealthState, { agentSessionId, commands }: EventOf<'session.started'>): HealthState {
  const isSame = state.agentSessionId === null || state.agentSessionId === agentSessionId;
  const canCompact = commands.some(({ name }) => name === COMPACT);
  return { ...state, agentSessionId, canCompact, tokens: isSame ? state.tokens : null };
}

function exited(state: HealthState, event: EventOf<'session.exited'>): HealthState {
  const cause = causeOfExit(event, state.cause?.cause);
  const closed = { ...state, turn: null, openCalls: [], waiting: [] };
  return cause === state.cause?.cause ? closed : because(closed, event, cause);
}

function completed(state: HealthState, event: EventOf<'turn.completed'>): HealthState {
  const used = { ...foldUsage(state, event), turn: null };
  const cause = event.stopReason === 'agent_exited' ? undefined : causeOfTurn(event);
  if (cause === undefined) return event.isError ? used : worked({ ...used, cause: null });
  const failed = event.isError ? failedOnce(used, event, event.errors?.[0] ?? event.result ?? event.stopReason) : used;
  return because(failed, event, cause);
}

/** In another program's record, a new prompt means that no call is open anymore, even if a result is missing. */
const prompted = (state: HealthState, { parentToolUseId }: EventOf<'user.message'>): HealthState =>
  state.turn === null && parentToolUseId === undefined && state.openCalls.length > 0 ? { ...state, openCalls: [] } : state;

/** An error in place of an answer is none, and a subagent's answers are in its own context. */
function counted(state: HealthState, { messageId, error, parentToolUseId }: EventOf<'assistant.text'>): HealthState {
  if (error !== undefined || parentToolUseId !== undefined || messageId === state.lastAnswer) return state;
  return { ...state, answers: state.answers + 1, lastAnswer: messageId };
}

/** A record has no turn ends: there, an answer or the error in its place shows how it went. */
function answered(state: HealthState, event: EventOf<'assistant.text'>): HealthState {
  const { error, text, parentToolUseId } = event;
  const hasTurns = state.turn !== null || (state.isOurs && !event.elsewhere);
  if (error === undefined) return worked(hasTurns || parentToolUseId !== undefined ? state : { ...state, cause: null });
  if (hasTurns || parentToolUseId !== undefined) return state;
  return because(failedOnce(state, event, text || error), event, causeFromText(`${error}\n${text}`) ?? 'error');
}

const because = (state: HealthState, { seq }: Event, cause: Cause | undefined): HealthState =>
  cause === undefined ? state : { ...state, cause: { cause, seq } };

/** The service answered, so its streak of errors is over. */
const worked = (state: HealthState): HealthState => (state.errors === null ? state : { ...withPast(state, errorsIn(state, false)), errors: null });

function failedOnce(state: HealthState, { seq, at }: Event, words: string): HealthState {
  const { errors } = state;
  const last = words.slice(0, KEPT.words);
  return { ...state, errors: errors === null ? { count: 1, seq, at, last } : { ...errors, count: errors.count + 1, last } };
}
