import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, useState } from 'react';
import { useActions } from '../../base/actions/actions-context.ts';
import { useShownRequests, type WaitingEntry } from '../../parts/approvals/list/pending-cards.ts';
import type { Selection } from '../../parts/approvals/selection/selection.ts';
import { useRequestSelection } from '../../parts/approvals/selection/use-request-selection.ts';

/** The deck's single selection: a session, and the request that keys answer. Its row and its card both show it. */
export interface DeckSelection {
  readonly sessionId: string | undefined;
  readonly request: Selection | undefined;
  /** Selected with the keys, so its row takes the focus. */
  readonly isByKeyboard: boolean;
  selectRequest(entry: WaitingEntry): void;
  readonly onFocusCapture: (event: FocusEvent) => void;
}

/** `ids` are the sessions in order: those with a card, then the rows from top to bottom. Nothing is selected until the person selects it. */
export function useDeckSelection(ids: readonly string[], entries: readonly WaitingEntry[]): DeckSelection {
  const [{ sessionId: requested, isByKeyboard }, setRow] = useState<{ readonly sessionId?: string | undefined; readonly isByKeyboard: boolean }>({
    isByKeyboard: false,
  });
  const ofSession = entries.filter(({ permission }) => permission.sessionId === requested);
  const sessionId = requested !== undefined && (ids.includes(requested) || ofSession.length > 0) ? requested : undefined;
  const { selection: request, select } = useRequestSelection(useShownRequests(ofSession), true);
  const selectRow = (id: string | undefined, byKeys: boolean) => {
    setRow({ sessionId: id, isByKeyboard: byKeys });
    select(entries.find(({ permission, left }) => left === undefined && permission.sessionId === id)?.permission.requestId);
  };
  const selectRequest = ({ permission }: WaitingEntry) => {
    setRow({ sessionId: permission.sessionId, isByKeyboard: false });
    select(permission.requestId);
  };
  // The panel has its own selection: while it has the focus, nothing else is selected.
  const onFocusCapture = ({ target }: FocusEvent) => {
    if (target.closest('.panel-body') !== null) return selectRow(undefined, false);
    const row = target.closest<HTMLElement>('[data-session]')?.dataset.session;
    if (row !== undefined && row !== sessionId) selectRow(row, false);
  };
  const at = sessionId === undefined ? -1 : ids.indexOf(sessionId);
  const moveCursor = (by: 1 | -1) => () => {
    const next = ids[Math.max(0, Math.min(ids.length - 1, at + by))];
    // A card takes the selection without the focus, which must not stay on another session.
    if (document.querySelector(`.session-row [data-session="${next}"]`) === null) blurRow();
    selectRow(next, true);
  };
  const leave = () => {
    selectRow(undefined, false);
    blurRow();
  };
  const navigate = useNavigate();
  useActions({
    'list.next': moveCursor(1),
    'list.previous': moveCursor(-1),
    'list.open': sessionId === undefined ? undefined : () => void navigate({ to: '/s/$sessionId', params: { sessionId } }),
    'list.leave': sessionId === undefined ? undefined : leave,
  });
  return { sessionId, request, isByKeyboard, selectRequest, onFocusCapture };
}

const blurRow = (): void => document.querySelector<HTMLElement>('.session-row :focus, .approval:focus, .approval :focus')?.blur();
