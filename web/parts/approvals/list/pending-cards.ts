import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { WaitingPermission } from '../../../../src/protocol/http.ts';
import { isAnsweredHere } from '../../../store/approvals/answers.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import type { AppState, LingeringRequest } from '../../../store/state/app-state.ts';
import type { RequestPhase, ShownRequests } from '../selection/selection.ts';

/** One card: a pending request, or one that was just decided and keeps its position for a moment. */
export interface WaitingEntry {
  readonly permission: WaitingPermission;
  readonly left?: LingeringRequest;
}

/** The pending requests of all sessions, and those that were just decided. */
export function useWaitingEntries(): readonly WaitingEntry[] {
  const permissions = useApp((state) => state.permissions);
  const left = useApp((state) => state.left);
  return useMemo(() => waitingEntries(permissions, left), [permissions, left]);
}

export const useShownRequests = (entries: readonly WaitingEntry[]): ShownRequests =>
  useApp(useShallow((state) => new Map(entries.map((entry) => [entry.permission.requestId, phaseOf(state, entry)]))));

/** Oldest first. A card keeps its position as long as it is shown. */
export function waitingEntries(permissions: readonly WaitingPermission[], left: readonly LingeringRequest[]): readonly WaitingEntry[] {
  const entries = [...permissions.map((permission) => ({ permission })), ...left.map((each) => ({ permission: each.permission, left: each }))];
  return entries.sort((a, b) => order(a.permission, b.permission));
}

const order = (a: WaitingPermission, b: WaitingPermission): number =>
  a.at.localeCompare(b.at) || a.sessionId.localeCompare(b.sessionId) || a.seq - b.seq || a.requestId.localeCompare(b.requestId);

/** A card that someone else decided does not count as answered here, even if an answer was tried. */
const phaseOf = (state: AppState, { permission, left }: WaitingEntry): RequestPhase => {
  if (isAnsweredHere(state, permission.requestId)) return 'answered';
  return left === undefined ? 'waiting' : 'decided';
};
