import type { AuditLine } from '../../protocol/api/audit.ts';
import { type Event, type EventBody, HUMAN_EVENTS, type TypeMadeBy, WORKSPACE } from '../../protocol/event.ts';
import { isSession, type SessionId } from '../../protocol/ids.ts';
import { handlerOf } from '../handle-event.ts';
import { evolve } from '../session/evolve.ts';
import { newSessionState, type SessionState } from '../session/state.ts';
import { DECISIONS } from '../transcript/sentences.ts';

type Unplaced = EventBody & { readonly at?: string };

/** The audit lines of these events: one for each thing that somebody decided. */
export function auditOf(before: SessionState, events: readonly Unplaced[], at: string): readonly AuditLine[] {
  if (!events.some(isDecision)) return [];
  const lines: AuditLine[] = [];
  let state = before;
  for (const body of events) {
    // The compiler cannot follow a spread over the union.
    const event = { ...body, seq: state.seq + 1, at: body.at ?? at } as Event;
    lines.push(...auditLine(state, event));
    state = auditState(state, event);
  }
  return lines;
}

/** The same for events of a stream that is no session. */
export const auditOfStream = (stream: SessionId, lastSeq: number, events: readonly Unplaced[], at: string): readonly AuditLine[] =>
  auditOf({ ...newSessionState(stream), seq: lastSeq }, events, at);

/** An event's audit line, if it was a decision. */
export function auditLine(before: SessionState, event: Event): readonly AuditLine[] {
  const words = isDecision(event) ? handlerOf(DECISIONS, event)(before, event) : undefined;
  if (words === undefined || event.actor === undefined) return [];
  return [
    {
      at: event.at,
      actor: event.actor,
      action: event.type,
      ...(before.id !== WORKSPACE && { sessionId: before.id }),
      seq: event.seq,
      ...('requestId' in event && { requestId: event.requestId }),
      ...('commandId' in event && event.commandId !== undefined && { commandId: event.commandId }),
      words,
    },
  ];
}

/** The state that the next line needs. Streams that are no sessions have no such state: only their sequence numbers grow. */
export const auditState = (state: SessionState, event: Event): SessionState => (isSession(state.id) ? evolve(state, event) : { ...state, seq: event.seq });

/** People, rules and plans decide; the clock decides only that a session resumes automatically, because a person scheduled it. */
function isDecision<E extends Unplaced>(event: E): event is E & { readonly type: TypeMadeBy<'person'> } {
  if (event.inherited === true || !HUMAN_EVENTS.has(event.type)) return false;
  const kind = event.actor?.kind;
  if (kind === 'person' || kind === 'rule' || kind === 'plan') return true;
  if (kind === 'agent') return DONE_BY_AGENTS.has(event.type);
  return kind === 'system' && event.type === 'continuation.ended' && event.outcome === 'sent';
}

/** What an agent does through our tools counts as its decision; what it merely reports doesn't. */
const DONE_BY_AGENTS: ReadonlySet<EventBody['type']> = new Set(['session.created', 'input.accepted', 'tool.answered', 'agent.refused', 'plan.proposed']);
