import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLibrary } from './use-library.ts';

/** So long after a finger left the glass the list still stands. */
const LINGER_MS = 1500;

interface HeldStill {
  readonly isHeld: boolean;
  readonly hand: { onPointerEnter(): void; onPointerLeave(event: PointerEvent): void };
}

/** Rows change places only when no hand is on them, nobody reads further down and no key has chosen one: nothing jumps under a finger. */
export function useHeldStill(scroller: RefObject<HTMLElement | null>, isChosen: boolean): HeldStill {
  const library = useLibrary();
  const [isOver, setOver] = useState(false);
  const [isDown, setDown] = useState(library.scrollTop > 0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const area = scroller.current;
    if (area === null) return;
    const look = () => {
      library.scrollTop = area.scrollTop;
      setDown(area.scrollTop > 0);
    };
    area.addEventListener('scroll', look, { passive: true });
    return () => area.removeEventListener('scroll', look);
  }, [library, scroller]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const hand = {
    onPointerEnter: () => {
      clearTimeout(timer.current);
      setOver(true);
    },
    onPointerLeave: (event: PointerEvent) => {
      timer.current = setTimeout(() => setOver(false), event.pointerType === 'mouse' ? 0 : LINGER_MS);
    },
  };
  return { isHeld: isOver || isDown || isChosen, hand };
}
