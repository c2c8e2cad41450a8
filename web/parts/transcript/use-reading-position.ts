import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import { useCockpit } from '../../store/cockpit-context.ts';
import { shownIn } from '../../store/state/app-state.ts';
import { useIsAddressed } from '../address/addressed-context.ts';
import { type LeftPlace, leaveAt, takeLeft } from './reading-position.ts';

/** Of this load of the page; taken by the first transcript that is drawn. */
let left: LeftPlace | undefined | 'not asked' = 'not asked';

/** Where this session was being read before a reload, until the address says something else. */
export function useLeftPlace(sessionId: string, hash: string): LeftPlace | undefined {
  const isAddressed = useIsAddressed();
  if (left === 'not asked' && isAddressed) left = takeLeft();
  const own = useRef(isAddressed && left !== 'not asked' ? left : undefined);
  if (own.current?.sessionId !== sessionId || own.current.hash !== hash) own.current = undefined;
  useEffect(() => {
    left = undefined;
  }, []);
  return own.current;
}

/** Tells the next load of the page where this one was. */
export function useLeaving(sessionId: string, isAtEnd: boolean, scroller: RefObject<HTMLElement | null>, sheet: Virtualizer<HTMLDivElement, Element>): void {
  const cockpit = useCockpit();
  const isAddressed = useIsAddressed();
  useEffect(() => {
    if (!isAddressed) return;
    const leave = () => {
      const top = scroller.current?.scrollTop ?? 0;
      const place = sheet.getVirtualItems().find((item) => item.end > top);
      const seq = place === undefined ? undefined : shownIn(cockpit.store.getState(), sessionId)?.items.get(String(place.key))?.seq;
      leaveAt(isAtEnd || place === undefined || seq === undefined ? undefined : { sessionId, hash: location.hash.slice(1), seq, px: place.start - top });
    };
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [cockpit, sessionId, isAtEnd, isAddressed, scroller, sheet]);
}
