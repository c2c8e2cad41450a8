import { type PointerEvent, useEffect, useRef, useState } from 'react';

/** So long after a finger left the glass the list still stands. */
const LINGER_MS = 1500;

interface Hand {
  readonly isOver: boolean;
  readonly ears: { onPointerEnter(): void; onPointerLeave(event: PointerEvent): void };
}

/** Whether a hand is on the list: rows that changed places now would slide under it. */
export function useHand(): Hand {
  const [isOver, setOver] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ears = {
    onPointerEnter: () => {
      clearTimeout(timer.current);
      setOver(true);
    },
    onPointerLeave: (event: PointerEvent) => {
      timer.current = setTimeout(() => setOver(false), event.pointerType === 'mouse' ? 0 : LINGER_MS);
    },
  };
  return { isOver, ears };
}
