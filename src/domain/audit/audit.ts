import type { AuditLine } from '../../protocol/api/audit.ts';
import { type Event, type EventBody, HOUSE, HUMAN_EVENTS } from '../../protocol/event.ts';
import { evolve } from '../session/evolve.ts';
import { type SessionState, unborn } from '../session/state.ts';
import { auditWords } from './words.ts';

type Unplaced = EventBody & { readonly at?: string };

/** What the audit keeps of a decision: one line for each thing that somebody decided. */
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

/** The same for what belongs to no session. */
export const auditOfHouse = (lastSeq: number, events: readonly Unplaced[], at: string): readonly AuditLine[] =>
  auditOf({ ...unborn(HOUSE), seq: lastSeq }, events, at);

/** The line that an event leaves in the audit, when it was a decision. */
export function auditLine(before: SessionState, event: Event): readonly AuditLine[] {
  const words = isDecision(event) ? auditWords(before, event) : undefined;
  if (words === undefined || event.actor === undefined) return [];
  return [
    {
      at: event.at,
      actor: event.actor,
      action: event.type,
      ...(before.id !== HOUSE && { sessionId: before.id }),
      seq: event.seq,
      ...('requestId' in event && { requestId: event.requestId }),
      ...('commandId' in event && event.commandId !== undefined && { commandId: event.commandId }),
      words,
    },
  ];
}

/** What the next line is told from. The house has no state of a session: only its numbers go on. */
export const auditState = (state: SessionState, event: Event): SessionState => (state.id === HOUSE ? { ...state, seq: event.seq } : evolve(state, event));

/** People, rules and plans decide; time decides only that a session goes on by itself, because a person wished it. */
function isDecision(event: Unplaced): boolean {
  if (event.inherited === true || !HUMAN_EVENTS.has(event.type)) return false;
  const kind = event.actor?.kind;
  if (kind === 'person' || kind === 'rule' || kind === 'plan') return true;
  return kind === 'system' && event.type === 'continuation.ended' && event.outcome === 'sent';
}
