import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { navOrder } from '../../../store/sessions/nav-order.ts';
import { NavRow } from './nav-row.tsx';

const ROW_PX = 34;

interface SessionNavProps {
  readonly sessionId: string;
  readonly onChoose?: () => void;
}

/** All sessions beside a transcript: lamp, title and the last minutes of each. One Tab stop; arrow keys move inside. */
export default function SessionNav({ sessionId, onChoose }: SessionNavProps) {
  const cockpit = useCockpit();
  // Deferred: typing and the transcript come first, however many sessions there are.
  const sessions = useDeferredValue(useApp((state) => state.sessions));
  const order = useMemo(() => navOrder(sessions.values()), [sessions]);
  const listKnown = useApp((state) => state.listKnown);
  const hasTracks = useApp((state) => state.panel.phase !== 'unopened');
  useEffect(() => {
    if (listKnown && !hasTracks) void cockpit.loadPanel();
  }, [cockpit, listKnown, hasTracks]);
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({ count: order.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 6 });
  const at = order.findIndex(({ id }) => id === sessionId);
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at, virtualizer]);
  return (
    <nav ref={scroller} className="session-nav" aria-label="Sessions" onKeyDown={(event) => step(event, scroller.current)}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const session = order[index];
          if (session === undefined) return null;
          const isFirstStop = session.id === sessionId || (at < 0 && index === 0);
          return (
            <li key={session.id} style={{ transform: `translateY(${start}px)`, height: ROW_PX }}>
              <NavRow session={session} isOpen={session.id === sessionId} isTabStop={isFirstStop} onChoose={onChoose} />
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Up and down move between the rows that are drawn, which is more than fits. */
function step(event: KeyboardEvent, list: HTMLElement | null): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...(list?.querySelectorAll<HTMLElement>('.nav-row') ?? [])].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
  const at = rows.findIndex((row) => row.matches(':focus'));
  if (at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}
