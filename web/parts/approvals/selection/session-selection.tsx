import { createContext, type ReactNode, useContext } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useKeysActive } from '../../../base/actions/actions-context.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import type { SelectedBy } from './selection.ts';
import { sessionRequests } from './session-cards.ts';
import { type RequestSelection, useRequestSelection } from './use-request-selection.ts';

const SelectionContext = createContext<RequestSelection>({ selection: undefined, select: () => undefined });

interface SessionSelectionProps {
  readonly sessionId: string;
  readonly children: ReactNode;
}

/** One of the requests that a session shows is selected, wherever it is on the page. */
export function SessionSelection({ sessionId, children }: SessionSelectionProps) {
  const shown = useApp(useShallow((state) => sessionRequests(state, sessionId)));
  return <SelectionContext value={useRequestSelection(shown, useKeysActive())}>{children}</SelectionContext>;
}

interface CardSelection {
  /** Unset: keys don't act on this card. Of several sessions side by side, only one has a selected card. */
  readonly chosen: SelectedBy | undefined;
  /** For the element around the card: focusing it selects it. */
  readonly onFocusCapture: () => void;
}

export function useCardSelection(requestId: string): CardSelection {
  const { selection, select } = useContext(SelectionContext);
  const areKeysActive = useKeysActive();
  return { chosen: areKeysActive && selection?.requestId === requestId ? selection.chosen : undefined, onFocusCapture: () => select(requestId) };
}
