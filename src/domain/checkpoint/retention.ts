import type { CheckpointWhen } from '../../protocol/event.ts';
import type { CheckpointId } from '../../protocol/ids.ts';

interface Kept {
  readonly id: CheckpointId;
  readonly at: string;
  readonly when: CheckpointWhen;
}

/** What somebody reverted, discarded or removed can be brought back for this long, whatever the space. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

const ORDINARY: ReadonlySet<CheckpointWhen> = new Set(['before', 'after']);

/** Which checkpoints of a session may be deleted to make space. Of the session in use, the newer half stays. */
export function removable(checkpoints: readonly Kept[], now: number, isInUse: boolean): readonly CheckpointId[] {
  const free = checkpoints.filter(({ when, at }) => ORDINARY.has(when) || now - Date.parse(at) > KEPT_MS);
  return (isInUse ? free.slice(0, Math.floor(free.length / 2)) : free).map(({ id }) => id);
}
