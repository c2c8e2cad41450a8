import type { Event, EventOf, EventType } from '../../../src/protocol/event.ts';
import { api } from '../client.ts';
import type { Ability, LiveAgent } from './live-agent.ts';
import type { LiveSetup } from './live-setup.ts';

/** One message and the events that followed it. */
export interface Exchange {
  readonly id: string;
  readonly commandId: string;
  events(): Promise<readonly Event[]>;
  event<T extends EventType>(type: T, matches?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>;
}

/** What a scenario works with. */
export interface ScenarioContext<Setup extends LiveSetup = LiveSetup> {
  readonly agent: LiveAgent;
  readonly setup: Setup;
  readonly can: Readonly<Record<Ability, boolean>>;
  /** Checks that the server reports what was seen of the agent. */
  expectClaimed(ability: Ability): Promise<void>;
  /** Sends a message in an idle session: the one from the previous scenario if possible, because some agents take five seconds to start. */
  say(prompt: string): Promise<Exchange>;
}

export type Scenario<Setup extends LiveSetup = LiveSetup> = (title: string, run: (context: ScenarioContext<Setup>) => Promise<void>) => void;

/** Sends a message and follows the events from there. */
export async function sendAndFollow(setup: LiveSetup, id: string, prompt: string): Promise<Exchange> {
  const since = (await setup.session(id)).lastSeq;
  const commandId = await setup.send(id, prompt);
  return {
    id,
    commandId,
    events: () => setup.events(id, since),
    event: (type, matches) => setup.event(id, type, matches, since),
  };
}

/** The end of the turn that this message started. */
export const answered = ({ event, commandId }: Exchange): Promise<EventOf<'turn.completed'>> => event('turn.completed', (done) => done.commandId === commandId);

export const order = (setup: LiveSetup, id: string, verb: 'interrupt' | 'sleep' | 'stop') => api(setup.server, 'POST', `/api/sessions/${id}/${verb}`, {});

/** The request that the model got for this prompt. */
export async function modelRequestWith(setup: LiveSetup, prompt: string): Promise<string> {
  const bodies = (await setup.model.requests()).map(({ body }) => JSON.stringify(body));
  return bodies.findLast((body) => body.includes(prompt)) ?? '';
}
