import type { Event } from '../../protocol/event.ts';
import type { Item } from '../transcript/item.ts';
import { openTranscript, type Transcript } from '../transcript/transcript.ts';

/** A document is written in segments, so that a session of any length needs the memory of one. */
const SEGMENT = { events: 500, eventsAtMost: 5000 } as const;

/** The segment's transcript when it can end here: after a turn, with nothing open; or anyhow when it has grown too long. */
export function closedSegment(events: readonly Event[]): Transcript | undefined {
  const isLong = events.length >= SEGMENT.eventsAtMost;
  if (!isLong && (events.length < SEGMENT.events || events.at(-1)?.type !== 'turn.completed')) return undefined;
  const transcript = openTranscript(events);
  return isLong || isSettled(transcript) ? transcript : undefined;
}

function isSettled(transcript: Transcript): boolean {
  const isOnItsWay = [...transcript.inputs.values()].some((input) => input.state === 'delivered');
  return !isOnItsWay && ![...transcript.items.values()].some(isOpen);
}

function isOpen(item: Item): boolean {
  if (item.kind === 'tool') return item.completed === undefined;
  return item.kind === 'permission' && item.resolved === undefined;
}

/** What the next segment must know: messages that were sent and are still to be told. */
export function carriedOver(transcript: Transcript): readonly Event[] {
  return transcript.events.filter((event) => {
    if (event.type !== 'input.accepted' && event.type !== 'input.edited' && event.type !== 'input.moved') return false;
    return transcript.inputs.get(event.commandId)?.state === 'queued';
  });
}
