import type { PermissionItem } from '../../../../src/domain/transcript/item.ts';
import { isAnsweredHere } from '../../../store/approvals/answers.ts';
import type { AppState } from '../../../store/state/app-state.ts';
import type { RequestPhase, ShownRequests } from './selection.ts';

/** The requests that are cards in the transcript now, in order: when these change, something has moved. */
export const shownCards = (state: AppState, sessionId: string): readonly string[] =>
  itemsOf(state, sessionId)
    .filter((item) => isCard(state, item))
    .map(({ requestId }) => requestId);

/** Every request that a session's page shows as a card: in the transcript, or below it when its row is not loaded. */
export function sessionRequests(state: AppState, sessionId: string): ShownRequests {
  const items = itemsOf(state, sessionId);
  const inTranscript = items.filter((item) => isCard(state, item)).map((item) => [item.requestId, phaseOf(state, item)] as const);
  const known = new Set<string>(items.map(({ requestId }) => requestId));
  const others = state.permissions.filter((request) => request.sessionId === sessionId && !known.has(request.requestId));
  return new Map([...others.map((request) => [request.requestId, phaseOf(state, request)] as const), ...inTranscript]);
}

function itemsOf(state: AppState, sessionId: string): readonly PermissionItem[] {
  const items = [...(state.open.get(sessionId)?.transcript.items.values() ?? [])];
  return items.filter((item) => item.kind === 'permission');
}

/** A request has a card while it is pending, and a moment longer when someone else decided it. */
function isCard(state: AppState, { requestId, requested, resolved }: PermissionItem): boolean {
  if (requested === undefined) return false;
  if (resolved === undefined) return true;
  const isListed = [...state.permissions, ...state.left.map(({ permission }) => permission)].some((each) => each.requestId === requestId);
  return isListed && !isAnsweredHere(state, requestId);
}

function phaseOf(state: AppState, { requestId, resolved }: { readonly requestId: string; readonly resolved?: unknown }): RequestPhase {
  if (isAnsweredHere(state, requestId)) return 'answered';
  return resolved === undefined ? 'waiting' : 'decided';
}
