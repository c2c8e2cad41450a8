import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { KnownLines } from '../../domain/session/known-lines.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { EngineContext } from '../engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** So many events are looked at before others get their turn: some milliseconds. */
const SLICE = 200;
/** Sessions whose lines are remembered: those that other programs go on with now. Any other one is read again when it comes to that. */
const REMEMBERED = 8;

interface Gathered {
  readonly lines: KnownLines;
  /** How far the journal of each session that has the conversation was looked at. */
  readonly upTo: Map<SessionId, number>;
}

/** What sessions show of records, gathered from their journals when it is asked for, and then kept up. */
export class KnownLinesCache {
  private readonly gathered = new Map<string, Gathered>();

  /** Whoever goes on without waiting knows all that is in the journal at that moment. */
  async of(session: SessionActor, agentSessionId: string): Promise<KnownLines> {
    const gathered = this.begin(session, agentSessionId);
    for (const one of sharing(session.context, session, agentSessionId)) await catchUp(session.context, one, gathered);
    for (const { commandId } of session.state.queue) gathered.lines.addInput(session.adapter.inputId(commandId));
    return gathered.lines;
  }

  private begin(session: SessionActor, agentSessionId: string): Gathered {
    const name = `${session.state.id} ${agentSessionId}`;
    const known = this.gathered.get(name) ?? { lines: new KnownLines(session.state.base === 0 ? session.state.born?.at : undefined), upTo: new Map() };
    this.gathered.delete(name);
    this.gathered.set(name, known);
    for (const oldest of [...this.gathered.keys()].slice(0, -REMEMBERED)) this.gathered.delete(oldest);
    return known;
  }
}

/** A conversation may be gone on with in several sessions, from different messages: what one of them has done is no other program's doing. */
const sharing = (context: EngineContext, session: SessionActor, agentSessionId: string): readonly SessionActor[] => [
  ...[...context.sessions.values()].filter((one) => one !== session && one.state.minds.some((conversation) => conversation.id === agentSessionId)),
  session,
];

async function catchUp({ deps: { journal } }: EngineContext, { state }: SessionActor, { lines, upTo }: Gathered): Promise<void> {
  for (;;) {
    const events = journal.after(state.id, upTo.get(state.id) ?? 0, SLICE);
    for (const event of events) lines.add(event);
    const last = events.at(-1)?.seq;
    if (last !== undefined) upTo.set(state.id, last);
    if (events.length < SLICE) return;
    await yieldToEventLoop();
  }
}
