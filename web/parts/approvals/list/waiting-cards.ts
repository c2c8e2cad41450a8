import type { WaitingPermission } from '../../../../src/protocol/http.ts';
import { isAnsweredHere } from '../../../store/approvals/answers.ts';
import type { AppState, LeftRequest } from '../../../store/state/app-state.ts';
import type { RequestPhase } from '../selection/selection.ts';

/** One card: a request that waits, or one that has just been decided and still stands in its place. */
export interface TrayEntry {
  readonly permission: WaitingPermission;
  readonly left?: LeftRequest;
}

/** Oldest first. A card keeps its place for as long as it is shown. */
export function trayOf(permissions: readonly WaitingPermission[], left: readonly LeftRequest[]): readonly TrayEntry[] {
  const entries = [...permissions.map((permission) => ({ permission })), ...left.map((each) => ({ permission: each.permission, left: each }))];
  return entries.sort((a, b) => order(a.permission, b.permission));
}

const order = (a: WaitingPermission, b: WaitingPermission): number =>
  a.at.localeCompare(b.at) || a.sessionId.localeCompare(b.sessionId) || a.seq - b.seq || a.requestId.localeCompare(b.requestId);

/** A card that was decided elsewhere is not answered here, even when an answer was tried. */
export const phaseOf = (state: AppState, { permission, left }: TrayEntry): RequestPhase => {
  if (isAnsweredHere(state, permission.requestId)) return 'answered';
  return left === undefined ? 'waiting' : 'decided';
};
