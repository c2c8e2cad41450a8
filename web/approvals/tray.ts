import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { LeftRequest } from '../store/app-state.ts';

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

/** The next card that still waits: below, else above; none when nothing else waits. */
export function nextWaiting(tray: readonly TrayEntry[], requestId: string): string | undefined {
  const at = tray.findIndex(({ permission }) => permission.requestId === requestId);
  const isOther = ({ permission, left }: TrayEntry) => left === undefined && permission.requestId !== requestId;
  const next = tray.slice(at + 1).find(isOther) ?? tray.slice(0, Math.max(0, at)).findLast(isOther);
  return next?.permission.requestId;
}

/** The card `steps` further, stopping at the ends. */
export function stepFrom(tray: readonly TrayEntry[], requestId: string | undefined, steps: 1 | -1): string | undefined {
  const at = tray.findIndex(({ permission }) => permission.requestId === requestId);
  const to = Math.min(tray.length - 1, Math.max(0, at + steps));
  return tray[to]?.permission.requestId;
}
