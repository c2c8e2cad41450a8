import type { EventOf } from '../../protocol/event.ts';
import { type Draft, put } from './draft.ts';
import type { MarkEvent } from './item.ts';

export function foldMark(draft: Draft, event: MarkEvent): void {
  if (isNoise(event)) return;
  const key = markKey(event);
  const known = draft.items.get(key);
  if (known?.kind === 'mark') draft.items.set(key, { ...known, event });
  else put(draft, { kind: 'mark', key, seq: event.seq, at: event.at, event });
}

/** Reports that all is well stay in the journal but not in the transcript. */
function isNoise(event: MarkEvent): boolean {
  if (event.type === 'limit.reported') return event.status === 'allowed';
  if (event.type === 'files.rewound') return event.dryRun;
  // What came of it is a line of its own.
  if (event.type === 'script.started' || event.type === 'script.ended') return event.kind === 'git';
  if (event.type === 'git.acted') return event.ok && (event.act === 'stage' || event.act === 'unstage');
  return event.type === 'hook.ran' && event.outcome === 'success' && !event.output;
}

/** Successive reports of the same thing are one line, which shows the latest. */
function markKey(event: MarkEvent): string {
  if (event.type === 'task.updated') return `task:${event.taskId}`;
  if (event.type === 'retry.reported' && event.turnId !== undefined) return `retry:${event.turnId}`;
  return `mark:${event.seq}`;
}

export function foldUnrecognised(draft: Draft, event: EventOf<'unrecognised'>): void {
  const last = draft.items.get(draft.order.at(-1) ?? '');
  if (last?.kind === 'unrecognised') draft.items.set(last.key, { ...last, events: [...last.events, event] });
  else put(draft, { kind: 'unrecognised', key: `unrecognised:${event.seq}`, seq: event.seq, at: event.at, events: [event] });
}
