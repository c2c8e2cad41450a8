import { setImmediate as othersTurn } from 'node:timers/promises';
import { KnownLines } from '../../domain/session/known-lines.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { World } from '../engine-context.ts';
import type { SessionBox } from '../loop/session-actor.ts';

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
export class LinesOfSessions {
  private readonly gathered = new Map<string, Gathered>();

  /** Whoever goes on without waiting knows all that is in the journal at that moment. */
  async of(box: SessionBox, agentSessionId: string): Promise<KnownLines> {
    const gathered = this.begin(box, agentSessionId);
    for (const one of sharing(box.world, box, agentSessionId)) await catchUp(box.world, one, gathered);
    for (const { commandId } of box.state.queue) gathered.lines.addInput(box.adapter.inputId(commandId));
    return gathered.lines;
  }

  private begin(box: SessionBox, agentSessionId: string): Gathered {
    const name = `${box.state.id} ${agentSessionId}`;
    const known = this.gathered.get(name) ?? { lines: new KnownLines(box.state.base === 0 ? box.state.born?.at : undefined), upTo: new Map() };
    this.gathered.delete(name);
    this.gathered.set(name, known);
    for (const oldest of [...this.gathered.keys()].slice(0, -REMEMBERED)) this.gathered.delete(oldest);
    return known;
  }
}

/** A conversation may be gone on with in several sessions, from different messages: what one of them has done is no other program's doing. */
const sharing = (world: World, box: SessionBox, agentSessionId: string): readonly SessionBox[] => [
  ...[...world.boxes.values()].filter((one) => one !== box && one.state.minds.some((mind) => mind.id === agentSessionId)),
  box,
];

async function catchUp({ deps: { journal } }: World, { state }: SessionBox, { lines, upTo }: Gathered): Promise<void> {
  for (;;) {
    const events = journal.after(state.id, upTo.get(state.id) ?? 0, SLICE);
    for (const event of events) lines.add(event);
    const last = events.at(-1)?.seq;
    if (last !== undefined) upTo.set(state.id, last);
    if (events.length < SLICE) return;
    await othersTurn();
  }
}
