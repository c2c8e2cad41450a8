import { useState } from 'react';
import { useIsHeard } from '../actions/actions-context.ts';
import { useApp } from '../app/cockpit-context.ts';
import type { Chosen } from './approval-card.tsx';
import { firstWaiting, keyedCard, shownCards } from './session-cards.ts';
import { useFocusedRequest } from './use-focused-request.ts';

/** Whether keys mean this card of a session: the one that a hand chose; without a choice the first, unless it slid into the place of another. */
export function useSessionKeys(sessionId: string, requestId: string): Chosen | undefined {
  const isFirst = useApp((state) => firstWaiting(state, sessionId) === requestId);
  const isKeyed = useApp((state) => keyedCard(state, sessionId) === requestId);
  const isHeard = useIsHeard();
  const focused = useFocusedRequest();
  const isOtherChosen = useApp((state) => focused !== undefined && focused !== requestId && shownCards(state, sessionId).includes(focused));
  // That the one before was answered here is forgotten after a while; this one keeps its keys.
  const [hasHad, setHasHad] = useState(isKeyed);
  if (isKeyed && !hasHad) setHasHad(true);
  if (focused === requestId) return 'by-hand';
  return isHeard && isFirst && hasHad && !isOtherChosen ? 'by-itself' : undefined;
}
