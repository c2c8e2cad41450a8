import type { EventOf } from '../../protocol/event.ts';
import { type Draft, put, toolKey } from './draft.ts';
import { foldMark } from './fold-mark.ts';
import type { ToolItem } from './item.ts';

export function foldToolStarted(draft: Draft, event: EventOf<'tool.started'>): void {
  put(draft, { ...toolOf(draft, event), name: event.name, started: event });
}

export function foldToolCompleted(draft: Draft, event: EventOf<'tool.completed'>): void {
  put(draft, { ...toolOf(draft, event), completed: event });
}

/** What runs in the background belongs to the call that began it; without one it is told in a line of its own. */
export function foldTask(draft: Draft, event: EventOf<'task.updated'>) {
  const tool = event.toolUseId === undefined ? undefined : draft.items.get(toolKey(event.toolUseId));
  if (tool?.kind !== 'tool') return foldMark(draft, event);
  draft.items.set(tool.key, { ...tool, task: event });
}

function toolOf(draft: Draft, event: EventOf<'tool.started' | 'tool.completed'>): ToolItem {
  const key = toolKey(event.toolUseId);
  const known = draft.items.get(key);
  if (known?.kind === 'tool') return known;
  const parent = event.parentToolUseId === undefined ? {} : { parentToolUseId: event.parentToolUseId };
  return { kind: 'tool', key, seq: event.seq, at: event.at, toolUseId: event.toolUseId, writing: false, ...parent };
}
