import type { Event, EventBodyOf, EventOf, EventType } from '../../protocol/event.ts';
import type { ItemId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';

/** What a continued conversation shows of its past. Requests and process events stay with the old session. */
const SHOWN = [
  'user.message',
  'assistant.text',
  'assistant.thinking',
  'tool.started',
  'tool.completed',
  'context.compacted',
  'context.forgotten',
  'notice.shown',
  'output.lost',
  'unrecognised',
] as const satisfies readonly EventType[];
type Shown = (typeof SHOWN)[number];

export type Inherited = EventBodyOf<Shown> & { readonly at: string };

const SHOWN_TYPES: ReadonlySet<string> = new Set(SHOWN);
export const isShownType = (type: EventType): boolean => SHOWN_TYPES.has(type);
const isShown = (event: Event): event is EventOf<Shown> => SHOWN_TYPES.has(event.type);

const MESSAGES: ReadonlySet<EventType> = new Set<EventType>(['user.message', 'assistant.text', 'assistant.thinking', 'tool.started', 'tool.completed']);

/** Something that was said or done in the conversation itself. */
export const isMessage = (event: Event): boolean => MESSAGES.has(event.type);

/** The past of a session that continues after an event. What the agent won't know is not shown. */
export function inheritFrom(events: readonly Event[], { messageSeq, isCut = false }: InheritUpTo): readonly Inherited[] {
  const kept = events.filter(isShown).filter((event) => event.seq <= messageSeq || !isMessage(event));
  const bodies = closed(kept.map(detached));
  return isCut ? lastOf(bodies) : bounded(bodies);
}

interface InheritUpTo {
  readonly messageSeq: number;
  /** There are earlier events, but their number is unknown. */
  readonly isCut?: boolean;
}

function lastOf(bodies: readonly Inherited[]): readonly Inherited[] {
  const shown = bodies.slice(-LIMITS.inheritedEvents);
  if (shown[0] === undefined) return [];
  const text = 'Earlier events of this conversation are not shown here; the agent may still remember them.';
  return [{ type: 'notice.shown', level: 'info', text, at: shown[0].at }, ...shown];
}

/** A process, a turn and a command of the old session have no meaning in the new one. */
function detached(event: EventOf<Shown>): Inherited {
  const { seq: _seq, src: _src, turnId: _turn, inherited: _inherited, ...rest } = event;
  if (rest.type !== 'user.message') return rest;
  const { commandId: _command, ...message } = rest;
  return message;
}

/** Closes every call that has no result. */
export function closed(bodies: readonly Inherited[]): readonly Inherited[] {
  const done = new Set(bodies.flatMap((body) => (body.type === 'tool.completed' ? [body.toolUseId] : [])));
  const open = bodies.flatMap((body) => (body.type === 'tool.started' && !done.has(body.toolUseId) ? [body] : []));
  return [...bodies, ...open.map((tool) => closing(tool.toolUseId, tool.at))];
}

const closing = (toolUseId: string, at: string): Inherited => ({
  type: 'tool.completed',
  at,
  toolUseId,
  itemId: `${toolUseId}:result` as ItemId,
  parentItemId: toolUseId as ItemId,
  output: '',
  isError: true,
  closedBy: 'the conversation continues from before its result',
});

/** The last ones, after a notice that says how many are missing. */
export function bounded(bodies: readonly Inherited[], limit: number = LIMITS.inheritedEvents): readonly Inherited[] {
  const first = bodies[bodies.length - limit];
  if (bodies.length <= limit || first === undefined) return bodies;
  const text = `${bodies.length - limit} earlier events of this conversation are not shown here; the agent may still remember them.`;
  return [{ type: 'notice.shown', level: 'info', text, at: first.at }, ...bodies.slice(-limit)];
}
