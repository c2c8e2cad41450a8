import type { EventOf } from '../../protocol/event.ts';
import { type Draft, put, toolKey } from './draft.ts';
import type { PermissionItem } from './item.ts';

/** A request and its answer are one item, standing where the agent stopped to ask. */
export function foldPermission(draft: Draft, event: EventOf<'permission.requested' | 'permission.resolved'>): void {
  const key = `permission:${event.requestId}`;
  const known = draft.items.get(key);
  const base = known?.kind === 'permission' ? known : ({ kind: 'permission', key, seq: event.seq, at: event.at, requestId: event.requestId } as const);
  const item: PermissionItem = event.type === 'permission.requested' ? { ...base, requested: event } : { ...base, resolved: event };
  put(draft, item);
  holdTool(draft, item);
}

/** The call that is asked about does not run until the answer is there. */
function holdTool(draft: Draft, { requested, resolved, requestId }: PermissionItem): void {
  const tool = requested?.toolUseId === undefined ? undefined : draft.items.get(toolKey(requested.toolUseId));
  if (tool?.kind !== 'tool') return;
  const { waitsFor: _, ...going } = tool;
  draft.items.set(tool.key, resolved === undefined ? { ...going, waitsFor: requestId } : going);
}
