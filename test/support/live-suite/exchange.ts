import type { Event, EventOf, EventType } from '../../../src/protocol/event.ts';
import { api } from '../client.ts';
import type { LiveBench } from './bench.ts';
import type { Ability, LiveAgent } from './live-agent.ts';

/** One message and what came of it: the events from it on. */
export interface Exchange {
  readonly id: string;
  readonly commandId: string;
  events(): Promise<readonly Event[]>;
  event<T extends EventType>(type: T, fits?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>;
}

/** Where a scenario plays. */
export interface Stage<Bench extends LiveBench = LiveBench> {
  readonly agent: LiveAgent;
  readonly bench: Bench;
  readonly can: Readonly<Record<Ability, boolean>>;
  /** The server says of the agent what was seen of it. */
  expectClaimed(ability: Ability): Promise<void>;
  /** Sends a message in a session that rests: the one of the scenario before, because some agents take five seconds to start. */
  say(prompt: string): Promise<Exchange>;
}

export type Scenario<Bench extends LiveBench = LiveBench> = (title: string, play: (stage: Stage<Bench>) => Promise<void>) => void;

/** Sends a message and looks from there on. */
export async function sayIn(bench: LiveBench, id: string, prompt: string): Promise<Exchange> {
  const since = (await bench.session(id)).lastSeq;
  const commandId = await bench.send(id, prompt);
  return {
    id,
    commandId,
    events: () => bench.events(id, since),
    event: (type, fits) => bench.event(id, type, fits, since),
  };
}

/** The end of the turn that this message began. */
export const answered = ({ event, commandId }: Exchange): Promise<EventOf<'turn.completed'>> => event('turn.completed', (done) => done.commandId === commandId);

export const order = (bench: LiveBench, id: string, verb: 'interrupt' | 'sleep' | 'stop') => api(bench.server, 'POST', `/api/sessions/${id}/${verb}`, {});

/** What the model was told when it was asked this. */
export async function heardWith(bench: LiveBench, prompt: string): Promise<string> {
  const bodies = (await bench.model.requests()).map(({ body }) => JSON.stringify(body));
  return bodies.findLast((body) => body.includes(prompt)) ?? '';
}
