import type { BlobRef, EventOf, FileChange } from '../../protocol/event.ts';

/** What a call did to a file, and where the whole patch is if the event only has its head. */
export interface CallChange {
  readonly change: FileChange;
  readonly blob?: BlobRef;
}

/** A hunk of a file that is known to be new starts at its first line. */
const UNKNOWN_START = /^@@ -0,0 \+0,/;

/**
 * What a call did to a file: as its result says, or (some agents don't report the results of their subagents' calls) as its arguments say.
 * Undefined while it runs and when it failed.
 */
export function changeOfCall(started: EventOf<'tool.started'> | undefined, completed: EventOf<'tool.completed'> | undefined): CallChange | undefined {
  if (completed === undefined || completed.isError) return undefined;
  const { change } = completed;
  const intended = started?.intends;
  if (intended === undefined || (change !== undefined && change.patch !== '')) return change && withBlob(change, completed.blobs?.['change.patch']);
  const blob = started?.blobs?.['intends.patch'];
  if (change?.kind !== 'create') return withBlob(intended, blob);
  return withBlob({ ...intended, kind: 'create', patch: intended.patch.replace(UNKNOWN_START, '@@ -0,0 +1,') }, blob);
}

const withBlob = (change: FileChange, blob: BlobRef | undefined): CallChange => ({ change, ...(blob !== undefined && { blob }) });
