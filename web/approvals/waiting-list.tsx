import { useNavigate } from '@tanstack/react-router';
import { useActions } from '../actions/actions-context.ts';
import { useCockpit } from '../app/cockpit-context.ts';
import { stepFrom } from './tray.ts';
import { useSteadyHand } from './use-steady-hand.ts';
import { type Tray, useTray } from './use-tray.ts';
import { WaitingCard } from './waiting-card.tsx';

/** Everything that waits, as cards that keep their place. `hasArrows`: the page has no other list to walk through. */
export function WaitingList({ hasArrows }: { readonly hasArrows: boolean }) {
  const cockpit = useCockpit();
  const tray = useTray();
  const hand = useSteadyHand(
    tray.entries.map(({ permission }) => permission.requestId),
    () => cockpit.touchWaiting(),
  );
  useWalking(tray, hasArrows);
  return (
    <ol className="waiting-list" {...hand}>
      {tray.entries.map((entry) => {
        const { requestId } = entry.permission;
        return (
          <li key={requestId} onFocusCapture={() => tray.choose(requestId)}>
            <WaitingCard
              entry={entry}
              chosen={tray.choice?.requestId === requestId ? tray.choice.chosen : undefined}
              onAnswered={() => tray.answered(requestId)}
            />
          </li>
        );
      })}
    </ol>
  );
}

function useWalking({ entries, choice, choose }: Tray, hasArrows: boolean): void {
  const navigate = useNavigate();
  const walk = (steps: 1 | -1) => () => choose(stepFrom(entries, choice?.requestId, steps));
  const open = () => {
    const found = entries.find(({ permission }) => permission.requestId === choice?.requestId)?.permission;
    if (found !== undefined) void navigate({ to: '/s/$sessionId', params: { sessionId: found.sessionId }, hash: `e${found.seq}` });
  };
  useActions(hasArrows ? { 'list.next': walk(1), 'list.previous': walk(-1), 'list.open': open } : {});
}
