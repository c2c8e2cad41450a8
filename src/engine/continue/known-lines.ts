import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { KnownLines } from '../../domain/session/known-lines.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** Events per slice before other work runs: a few milliseconds. */
const SLICE = 200;
/** Sessions whose lines are cached: those that other programs are continuing now. Others are read again when needed. */
const CACHED_SESSIONS = 8;

interface Gathered {
  readonly lines: KnownLines;
  /** How far the journal of each session with this conversation was read. */
  readonly upTo: Map<SessionId, number>;
}

/** Which lines of records the sessions already show: read from their journals on demand, then kept up to date. */
export class KnownLinesCache {
  private readonly gathered = new Map<string, Gathered>();

  /** Complete when it resolves; valid until the caller awaits something else. */
  async of(session: SessionActor, agentSessionId: string): Promise<KnownLines> {
    const gathered = this.entryFor(session, agentSessionId);
    for (const one of sharing(session.context, session, agentSessionId)) await catchUp(session.context, one, gathered);
    for (const { commandId } of session.state.queue) gathered.lines.addInput(session.adapter.inputId(commandId));
    return gathered.lines;
  }

  private entryFor(session: SessionActor, agentSessionId: string): Gathered {
    const name = `${session.state.id} ${agentSessionId}`;
    const known = this.gathered.get(name) ?? { lines: new KnownLines(session.state.base === 0 ? session.state.born?.at : undefined), upTo: new Map() };
    this.gathered.delete(name);
    this.gathered.set(name, known);
    for (const oldest of [...this.gathered.keys()].slice(0, -CACHED_SESSIONS)) this.gathered.delete(oldest);
    return known;
  }
}

/** Several sessions can continue one conversation from different messages: what one of them did was not another program. */
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
