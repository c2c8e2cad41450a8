import type { ResolvedRequest, ServerFrame } from '../../../src/protocol/frame.ts';
import type { WaitingPermission } from '../../../src/protocol/http.ts';
import type { AppState, LingeringRequest } from '../state/app-state.ts';

type WaitingFrame = Extract<ServerFrame, { type: 'waiting' }>;

/** How long a decided request stays visible. */
const LINGER_MS = 5000;
/** Nothing is removed this soon after user input. */
const IDLE_MS = 1500;

/** Applies the server's list of pending requests. A decided one stays visible for a moment and shows its result. */
export function withWaiting(state: AppState, { reset, added, resolved }: WaitingFrame, now: number): AppState {
  const ended: ReadonlyMap<string, ResolvedRequest> = new Map(resolved.map((each) => [each.requestId, each]));
  const named = idsOf(added);
  const stays = ({ requestId }: WaitingPermission): boolean => named.has(requestId) || (reset !== true && !ended.has(requestId));
  const kept = state.permissions.filter(stays);
  const known = idsOf(kept);
  const fresh = added.filter(({ requestId }) => !known.has(requestId));
  const left = [
    ...state.left.filter(({ permission }) => !named.has(permission.requestId)),
    ...state.permissions.filter((each) => !stays(each)).map((permission) => leftRequest(permission, ended.get(permission.requestId), now)),
  ];
  const isSame = fresh.length === 0 && kept.length === state.permissions.length;
  // The same arrays if nothing changed: most reconnections re-render nothing.
  return { ...state, permissionsKnown: true, permissions: isSame ? state.permissions : [...kept, ...fresh], left: isSame ? state.left : left };
}

const idsOf = (permissions: readonly WaitingPermission[]): ReadonlySet<string> => new Set(permissions.map(({ requestId }) => requestId));

const leftRequest = (permission: WaitingPermission, resolved: ResolvedRequest | undefined, leftAt: number): LingeringRequest => ({
  permission,
  leftAt,
  ...(resolved !== undefined && { resolved }),
});

/** Removes requests decided a while ago, unless the user is touching the list: nothing may move under a finger. */
export function tidied(state: AppState): AppState {
  if (state.left.length === 0 || state.now - state.userInputAt < IDLE_MS) return state;
  const left = state.left.filter(({ leftAt }) => state.now - leftAt < LINGER_MS);
  if (left.length === state.left.length) return state;
  const shown: ReadonlySet<string> = new Set([...state.permissions, ...left.map(({ permission }) => permission)].map(({ requestId }) => requestId));
  const onlyShown = <T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> => new Map([...map].filter(([requestId]) => shown.has(requestId)));
  return { ...state, left, answers: onlyShown(state.answers), proposals: onlyShown(state.proposals), plans: onlyShown(state.plans) };
}
