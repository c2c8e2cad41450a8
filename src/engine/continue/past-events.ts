import { isMessage, isShownType } from '../../domain/session/inherit.ts';
import type { Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { SessionActor } from '../loop/session-actor.ts';

const PAGE = 1000;

export interface EventsUpTo {
  readonly events: readonly Event[];
  /** There are earlier ones in the agent's own record. */
  readonly isCut: boolean;
}

/** The events of an adopted session start in the agent's own record. Only its last ones are read: a continuation shows no more than that. */
export async function eventsUpTo(session: SessionActor, at: number, branch: number | undefined): Promise<EventsUpTo> {
  const { base } = session.state;
  const past = base === 0 ? NOTHING : await lastOfRecord(session, Math.min(at, base), branch);
  return { ...past, events: [...past.events, ...ownEvents(session, at)] };
}

const NOTHING: EventsUpTo = { events: [], isCut: false };

async function lastOfRecord(session: SessionActor, at: number, branch: number | undefined): Promise<EventsUpTo> {
  const { past } = session.context.deps;
  const earlier = async (before: number, limit: number) => (await past?.events(session.state.id, { before, limit, branch })) ?? [];
  let events: readonly Event[] = [];
  let first = at + 1;
  for (let shown = 0; shown < LIMITS.inheritedEvents; ) {
    const page = await earlier(first, PAGE);
    if (page[0] === undefined) return { events, isCut: false };
    events = [...page, ...events];
    first = page[0].seq;
    shown += page.filter(({ type }) => isShownType(type)).length;
  }
  return { events, isCut: (await earlier(first, 1)).length > 0 };
}

function ownEvents({ state: { id, base }, context }: SessionActor, at: number): readonly Event[] {
  const events: Event[] = [];
  for (let last = base; last < at; ) {
    const page = context.deps.journal.after(id, last, PAGE);
    events.push(...page.filter(({ seq }) => seq <= at));
    last = page.at(-1)?.seq ?? at;
  }
  return events;
}

/** Whether no message follows this event on the branch that the agent would continue. */
export async function isAtEnd(session: SessionActor, at: number): Promise<boolean> {
  const { id, base } = session.state;
  const { past, journal } = session.context.deps;
  for (let last = at; ; ) {
    const page = last < base ? ((await past?.events(id, { after: last, limit: PAGE })) ?? []).filter(({ seq }) => seq <= base) : journal.after(id, last, PAGE);
    if (page.some(isMessage)) return false;
    if (page.length === 0 && last >= base) return true;
    last = page.at(-1)?.seq ?? base;
  }
}
