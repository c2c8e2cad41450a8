import type { EventOf } from '../../protocol/event.ts';
import { type Draft, put } from './draft.ts';

/** A request and its answer are one item, standing where the agent stopped to ask. */
export function foldPermission(draft: Draft, event: EventOf<'permission.requested' | 'permission.resolved'>): void {
  const key = `permission:${event.requestId}`;
  const known = draft.items.get(key);
  const base = known?.kind === 'permission' ? known : ({ kind: 'permission', key, seq: event.seq, at: event.at, requestId: event.requestId } as const);
  put(draft, event.type === 'permission.requested' ? { ...base, requested: event } : { ...base, resolved: event });
}
