import type { KeptObservation } from '../../protocol/observation.ts';
import { changesOf } from './file-change.ts';
import type { Change, Item } from './wire.ts';

/** The wire has the same as the record in another shape: of a new file, and of one that is gone, the text stands in the place of a diff. */
export function fileChangeTold({ id, changes = [], status }: Item): readonly KeptObservation[] {
  const stderr = status === 'declined' ? 'The person said no.' : '';
  return changesOf({ id, status, stderr, changes: Object.fromEntries(changes.map((change) => [change.path, recorded(change)])) }, {});
}

function recorded({ kind: { type }, diff }: Change): object {
  return type === 'update' ? { type, unified_diff: diff } : { type, content: diff };
}
