import type { Event } from '../../protocol/event.ts';
import type { Item } from '../transcript/item.ts';
import { openTranscript, type Transcript } from '../transcript/transcript.ts';

/** A segment ends with a turn after `events` events if nothing is open. Otherwise it is tried again after as many more, and it never exceeds `eventsAtMost`. */
const SEGMENT = { events: 500, eventsAtMost: 5000 } as const;

/** A document is written in segments, so that memory use does not grow with the session. */
export class Segments {
  #events: Event[] = [];
  #nextTry: number = SEGMENT.events;

  /** The segment that ends with this event, if one does. */
  add(event: Event): Transcript | undefined {
    this.#events.push(event);
    const isLong = this.#events.length >= SEGMENT.eventsAtMost;
    // Inherited events stay in one segment with the boundary after them.
    const mayEnd = event.type === 'turn.completed' && event.inherited !== true;
    if (!isLong && (this.#events.length < this.#nextTry || !mayEnd)) return undefined;
    const transcript = this.rest();
    if (isLong || isSettled(transcript)) return this.#cut(transcript);
    this.#nextTry = this.#events.length + SEGMENT.events;
    return undefined;
  }

  /** Everything since the last segment. */
  rest(): Transcript {
    return openTranscript(this.#events);
  }

  #cut(transcript: Transcript): Transcript {
    this.#events = [...carriedOver(transcript)];
    this.#nextTry = this.#events.length + SEGMENT.events;
    return transcript;
  }
}

const isSettled = (transcript: Transcript): boolean => ![...transcript.items.values()].some(isOpen);

function isOpen(item: Item): boolean {
  if (item.kind === 'user') return !item.taken;
  if (item.kind === 'tool') return item.completed === undefined;
  return item.kind === 'permission' && item.resolved === undefined;
}

/** What the next segment needs: messages that are still queued and appear later. A queue has at most a few hundred. */
function carriedOver(transcript: Transcript): readonly Event[] {
  return transcript.events.filter((event) => {
    if (event.type !== 'input.accepted' && event.type !== 'input.edited' && event.type !== 'input.moved') return false;
    return transcript.inputs.get(event.commandId)?.state === 'queued';
  });
}
