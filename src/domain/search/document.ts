import type { HitKind } from '../../protocol/api/search.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import { pathsIn } from './paths.ts';

/** One text of an event that can be found. An event has at most one of each kind. */
export interface SearchDocument {
  readonly kind: HitKind;
  readonly text: string;
  readonly tool?: string;
  readonly path?: string;
  readonly isError?: boolean;
}

/** What of an event is searched. A message that waits is found when it is sent; a title belongs to its session. */
export function documentsOf(event: Event): readonly SearchDocument[] {
  return allOf(event).filter((document) => /\S/.test(document.text));
}

function allOf(event: Event): readonly SearchDocument[] {
  switch (event.type) {
    case 'user.message':
      return [{ kind: event.origin === 'agent' ? 'answer' : 'prompt', text: event.text }];
    case 'assistant.text':
      return [{ kind: 'answer', text: event.text, ...(event.error !== undefined && { isError: true }) }];
    case 'assistant.thinking':
      return [{ kind: 'thinking', text: event.text }];
    case 'tool.started':
      return [called(event)];
    case 'tool.completed':
      return completed(event);
    case 'turn.completed':
      return event.isError ? [{ kind: 'output', text: (event.errors ?? []).join('\n'), isError: true }] : [];
    case 'hook.ran':
      return [{ kind: 'output', text: event.output ?? '' }];
    case 'notice.shown':
      return [{ kind: 'output', text: event.text, ...(event.level === 'error' && { isError: true }) }];
    case 'meta.changed':
    case 'item.marked':
      return [{ kind: 'note', text: event.note ?? '' }];
    default:
      return [];
  }
}

function called(event: EventOf<'tool.started'>): SearchDocument {
  const [path] = pathsIn(event.input);
  return { kind: 'tool', text: [event.name, ...textsIn(event.input)].join('\n'), tool: event.name, ...(path !== undefined && { path }) };
}

function completed(event: EventOf<'tool.completed'>): readonly SearchDocument[] {
  const { change, output } = event;
  const failed = event.isError && { isError: true };
  const said: SearchDocument = { kind: 'output', text: output, ...(change && { path: change.path }), ...failed };
  if (change === undefined) return [said];
  return [said, { kind: 'diff', text: `${change.path}\n${change.patch}`, path: change.path, ...failed }];
}

/** Nobody nests arguments deeper; what lies below is not searched. */
const DEPTH = 8;

/** Every text among a tool's arguments, in their order. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth === DEPTH) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}
