import { useMemo, useState } from 'react';
import { useApp } from '../app/cockpit-context.ts';
import type { Chosen } from './approval-card.tsx';
import { nextWaiting, type TrayEntry, trayOf } from './tray.ts';

interface Choice {
  readonly requestId: string;
  readonly chosen: Chosen;
  /** It was answered here, and there was no other to go on to. */
  readonly isDone?: boolean;
}

export interface Tray {
  readonly entries: readonly TrayEntry[];
  readonly choice: Choice | undefined;
  choose(requestId: string | undefined): void;
  /** The hand goes on to the next card, which takes keys a moment later. */
  answered(requestId: string): void;
}

/** What waits, and which of it the keys mean. The choice stays on a card for as long as that is shown, decided or not. */
export function useTray(): Tray {
  const permissions = useApp((state) => state.permissions);
  const left = useApp((state) => state.left);
  const entries = useMemo(() => trayOf(permissions, left), [permissions, left]);
  const [wished, setWished] = useState<Choice>();
  const choice = held(entries, wished);
  // Whatever was chosen by itself is kept as if it had been wished: nothing that comes or goes may move it.
  if (choice !== wished && choice?.requestId !== wished?.requestId) setWished(choice);
  return {
    entries,
    choice,
    choose: (requestId) => requestId !== undefined && requestId !== choice?.requestId && setWished({ requestId, chosen: 'by-hand' }),
    answered: (requestId) => {
      const next = nextWaiting(entries, requestId);
      setWished(next === undefined ? { requestId, chosen: 'by-itself', isDone: true } : { requestId: next, chosen: 'after-answer' });
    },
  };
}

function held(entries: readonly TrayEntry[], wished: Choice | undefined): Choice | undefined {
  const isWaiting = ({ permission, left }: TrayEntry) => left === undefined && !(wished?.isDone === true && permission.requestId === wished.requestId);
  const first = entries.find(isWaiting) ?? entries[0];
  const isThere = entries.some(({ permission }) => permission.requestId === wished?.requestId);
  if (wished !== undefined && isThere && !(wished.isDone === true && entries.some(isWaiting))) return wished;
  return first === undefined ? undefined : { requestId: first.permission.requestId, chosen: 'by-itself' };
}
