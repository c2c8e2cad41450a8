import type { Event } from '../../../src/protocol/event.ts';
import { count, type Tally } from '../tally.ts';

/** Seqs have no gaps, and a settled session leaves nothing open. */
export function compareClosed(events: readonly Event[], tally: Tally): readonly string[] {
  count(tally, 'events', events.length);
  const gap = events.findIndex((event, index) => event.seq !== index + 1);
  return [
    ...(gap < 0 ? [] : [`seq ${events[gap]?.seq} is at position ${gap + 1}`]),
    ...unclosed(events, 'tool.started', 'tool.completed', 'toolUseId', tally),
    ...unclosed(events, 'permission.requested', 'permission.resolved', 'requestId', tally),
    ...unclosed(events, 'turn.started', 'turn.completed', 'turnId', tally),
    ...unclosed(events, 'run.opened', 'session.exited', 'run', tally),
    ...causesOf(events),
  ];
}

/** Each is opened once and closed once, in that order. */
function unclosed(events: readonly Event[], opening: Event['type'], closing: Event['type'], field: string, tally: Tally): readonly string[] {
  const opened = idsOf(events, opening, field);
  const closed = idsOf(events, closing, field);
  count(tally, `${opening} with its end`, opened.length);
  return [
    ...opened.filter((id, at) => opened.indexOf(id) !== at).map((id) => `${opening} ${id} exists twice`),
    ...closed.filter((id, at) => closed.indexOf(id) !== at).map((id) => `${closing} ${id} exists twice`),
    ...opened.filter((id) => !closed.includes(id)).map((id) => `${opening} ${id} was never closed`),
    ...closed.filter((id) => !opened.includes(id)).map((id) => `${closing} ${id} closes something that was never opened`),
  ];
}

const idsOf = (events: readonly Event[], type: Event['type'], field: string): readonly string[] =>
  events.filter((event) => event.type === type).map((event) => String((event as unknown as Record<string, unknown>)[field]));

/** A status that names its cause names an event that exists and is not later than the status. */
function causesOf(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type !== 'session.status' || event.causeSeq === undefined) return [];
    const cause = events[event.causeSeq - 1];
    if (cause !== undefined && cause.seq <= event.seq) return [];
    return [`status ${event.status} at ${event.seq} names ${event.causeSeq}, which does not exist`];
  });
}
