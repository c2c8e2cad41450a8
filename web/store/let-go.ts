import { windowOver } from '../../src/domain/transcript/transcript.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { OpenSession } from './app-state.ts';

/** Who stays at the end for a day would hold the whole day: past so many events the window lets go of its oldest ones. */
const FULL = 900;
/** So many stay, more than any screen shows. */
const KEPT = 600;
/** For fewer the window is not folded anew. */
const WORTH = 100;

/** The window at the end, begun later: at a place before which nothing is open any more, so that nothing changes below it. Older events can be fetched again. */
export function letGo(opened: OpenSession): OpenSession {
  const { transcript, away } = opened;
  if (away !== undefined || transcript.events.length <= FULL) return opened;
  const from = settledBefore(transcript.events, transcript.events.length - KEPT);
  if (from < WORTH) return opened;
  const { models, commands, wishes, suggestions } = transcript;
  return { ...opened, older: 'idle', transcript: { ...windowOver(transcript, transcript.events.slice(from)), models, commands, wishes, suggestions } };
}

/** The last place up to `most` before which every call has returned, every request has its answer and every message was taken. */
export function settledBefore(events: readonly Event[], most: number): number {
  const open = new Set<string>();
  let settled = 0;
  for (const [at, event] of events.slice(0, most).entries()) {
    note(open, event);
    if (open.size === 0) settled = at + 1;
  }
  return settled;
}

function note(open: Set<string>, event: Event): void {
  switch (event.type) {
    case 'tool.started':
      return void open.add(event.toolUseId);
    case 'tool.completed':
      return void open.delete(event.toolUseId);
    case 'permission.requested':
      return void open.add(event.requestId);
    case 'permission.resolved':
      return void open.delete(event.requestId);
    case 'input.accepted':
    case 'input.returned':
      return void open.add(event.commandId);
    case 'input.consumed':
    case 'input.cancelled':
      return void open.delete(event.commandId);
    default:
      return undefined;
  }
}
