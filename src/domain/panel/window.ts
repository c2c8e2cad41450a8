import type { Track } from '../../protocol/api/panel.ts';
import { activityOf } from './activity.ts';

const MINUTE = 60_000;

/** How much time the panel can show. */
export const WINDOWS_MS = [15 * MINUTE, 60 * MINUTE, 240 * MINUTE] as const;
/** Wide enough when every session has just started. */
const JUST_STARTED = 5 * MINUTE;
export type WindowMs = (typeof WINDOWS_MS)[number] | typeof JUST_STARTED;

const WIDEST = WINDOWS_MS[2];

/** The narrowest window that shows everything running or waiting from its start; if there is nothing, the latest activity. */
export function autoWindow(tracks: Iterable<Track>, now: number): WindowMs {
  const all = [...tracks];
  if (all.length > 0 && all.every(({ bornAt }) => bornAt !== undefined && now - bornAt <= JUST_STARTED)) return JUST_STARTED;
  const ages = all.map(activityOf).map(({ what, since }) => ({ isMoving: what !== 'resting', ms: now - since }));
  // Anything that started before the widest window would widen it in vain.
  const moving = ages.filter(({ isMoving, ms }) => isMoving && ms <= WIDEST).map(({ ms }) => ms);
  const needed = moving.length > 0 ? Math.max(...moving) : Math.min(WIDEST, ...ages.map(({ ms }) => ms));
  return ages.length === 0 ? WINDOWS_MS[0] : (WINDOWS_MS.find((window) => needed <= window) ?? WIDEST);
}
