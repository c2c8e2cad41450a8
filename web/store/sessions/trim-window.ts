import { type Todo, todosAmong } from '../../../src/domain/transcript/todos.ts';
import { queueOf, type Transcript, windowOver } from '../../../src/domain/transcript/transcript.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { QueuedInput } from '../../../src/protocol/session.ts';
import type { OpenSession } from '../state/app-state.ts';

/** A page left open all day would keep the whole day: past this many events the window drops its oldest ones. */
const FULL = 900;
/** This many stay, more than any screen shows. */
const KEPT = 600;
/** Dropping fewer is not worth folding the window again. */
const WORTH = 100;
/** Many events can share a row: with fewer rows the dropped events would be fetched again at once. */
const ROWS = 100;

/** Starts the window at a later event before which nothing is still open, so that nothing below changes. Older events can be fetched again. */
export function trimWindow(opened: OpenSession): OpenSession {
  const { transcript, away, trimFrom = 0 } = opened;
  const { events } = transcript;
  if (away !== undefined || events.length <= Math.max(FULL, trimFrom)) return opened;
  const from = settledBefore(events, events.length - KEPT, transcript.seeds);
  const later = from < WORTH ? undefined : startingAt(transcript, from);
  if (later === undefined || !showsTheSame(transcript, later)) return { ...opened, trimFrom: events.length + WORTH };
  const turnStart = events.slice(0, from).findLast(({ type }) => type === 'turn.started') ?? opened.turnStart;
  return { ...opened, older: 'idle', transcript: later, ...(turnStart !== undefined && { turnStart }) };
}

/** Messages queued when the window was opened are settled by now. */
function startingAt(transcript: Transcript, from: number): Transcript {
  const { models, commands, wishes, suggestions } = transcript;
  return { ...windowOver({ ...transcript, seeds: [] }, transcript.events.slice(from)), models, commands, wishes, suggestions };
}

/** A to-do list or a background call can reach further back than any row. */
function showsTheSame(before: Transcript, after: Transcript): boolean {
  const first = before.rows.length - after.rows.length;
  if (after.rows.length < ROWS || first < 0 || !after.rows.every((key, at) => key === before.rows[first + at])) return false;
  return textOf(todosAmong(before.items.values())) === textOf(todosAmong(after.items.values())) && textOf(queueOf(before)) === textOf(queueOf(after));
}

const textOf = (shown: readonly (Todo | object)[]): string => JSON.stringify(shown);

/** The last index up to `max` before which every call returned, every request was answered and every message was consumed. */
export function settledBefore(events: readonly Event[], max: number, seeds: readonly QueuedInput[] = []): number {
  const open = new Set<string>(seeds.flatMap(({ commandId, state }) => (state === 'consumed' ? [] : [commandId])));
  let settled = 0;
  for (const [at, event] of events.slice(0, max).entries()) {
    note(open, event);
    if (open.size === 0) settled = at + 1;
  }
  return settled;
}

/** Final states of background tasks. Anything else may still report more. */
const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'killed', 'stopped', 'cancelled']);

function note(open: Set<string>, event: Event): void {
  switch (event.type) {
    case 'tool.started':
      return void open.add(event.toolUseId);
    case 'tool.completed':
      return void open.delete(event.toolUseId);
    case 'task.updated':
      return void (OVER.has(event.status) ? open.delete(event.taskId) : open.add(event.taskId));
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
