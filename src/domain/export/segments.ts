import type { Event } from '../../protocol/event.ts';
import type { Item } from '../transcript/item.ts';
import { openTranscript, type Transcript } from '../transcript/transcript.ts';

/** A segment ends with a turn after so many events, when nothing is open; with anything open it is tried again so much later, and at last ends anyhow. */
const SEGMENT = { events: 500, eventsAtMost: 5000 } as const;

/** A document is written in segments, so that a session of any length needs the memory of one. */
export class Segments {
  #events: Event[] = [];
  #nextTry: number = SEGMENT.events;

  /** The segment that ends with this event, if one does. */
  add(event: Event): Transcript | undefined {
    this.#events.push(event);
    const isLong = this.#events.length >= SEGMENT.eventsAtMost;
    // What was inherited stays in one segment with the border behind it.
    const mayEnd = event.type === 'turn.completed' && event.inherited !== true;
    if (!isLong && (this.#events.length < this.#nextTry || !mayEnd)) return undefined;
    const transcript = this.rest();
    if (isLong || isSettled(transcript)) return this.#cut(transcript);
    this.#nextTry = this.#events.length + SEGMENT.events;
    return undefined;
  }

  /** What has come since the last segment. */
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

/** What the next segment must know: messages that were sent and are still to be told. A queue has at most a few hundred. */
function carriedOver(transcript: Transcript): readonly Event[] {
  return transcript.events.filter((event) => {
    if (event.type !== 'input.accepted' && event.type !== 'input.edited' && event.type !== 'input.moved') return false;
    return transcript.inputs.get(event.commandId)?.state === 'queued';
  });
}
