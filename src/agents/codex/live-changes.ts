import type { KeptObservation } from '../../protocol/observation.ts';
import { patchOfDeletedFile, patchOfNewFile } from '../formats/file-patch.ts';
import { changesOf } from './records/file-change.ts';
import type { Change, Item } from './wire.ts';

/** Same data as in the record, in another shape: for a new or deleted file, the text takes the place of a diff. */
export function observeFileChange({ id, changes = [], status }: Item): readonly KeptObservation[] {
  const stderr = status === 'declined' ? 'Denied by the user.' : '';
  return changesOf({ id, status, stderr, changes: Object.fromEntries(changes.map((change) => [change.path, recorded(change)])) }, {});
}

const recorded = ({ kind: { type }, diff }: Change): object => (type === 'update' ? { type, unified_diff: diff } : { type, content: diff });

/** A change as a card shows it. */
export const shown = (change: Change) => ({
  path: change.path,
  kind: change.kind.type,
  ...(change.kind.move_path ? { movedTo: change.kind.move_path } : {}),
  ...(change.diff === '' ? {} : { patch: patchOf(change) }),
});

function patchOf({ kind: { type }, diff }: Change): string {
  if (type === 'add') return patchOfNewFile(diff);
  return type === 'delete' ? patchOfDeletedFile(diff) : diff;
}

/** How much the state keeps until the request arrives; a longer patch is in the transcript, with its call. */
const KEPT_CHARS = 7000;
const KEPT_PATHS = 40;

export const kept = (changes: readonly Change[]): readonly Change[] =>
  JSON.stringify(changes).length <= KEPT_CHARS ? changes : changes.slice(0, KEPT_PATHS).map((change) => ({ ...change, diff: '' }));
