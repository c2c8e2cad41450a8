import {
  type KeyboardEvent,
  type RefObject,
  type TouchEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type WheelEvent,
} from 'react';

/** Within this of the end a person counts as being there, unless it was a hand that has just led away from it. */
const NEAR_PX = 60;
/** So long after a wheel, a finger or a key what scrolls may still be its doing: browsers move smoothly. */
const HAND_MS = 400;

interface AtEnd {
  readonly isAtEnd: boolean;
  /** Rows that came since the person left the end. */
  readonly unseen: number;
  readonly onScroll: () => void;
  /** A wheel, a finger or a key is at it. */
  readonly onHand: (event: HandEvent) => void;
}

type HandEvent = WheelEvent | TouchEvent | KeyboardEvent;

/** Who is at the end stays there, whether the text grows or the window around it shrinks; who is not, or looks at something before it, is left alone. */
export function useAtEnd(scroller: RefObject<HTMLElement | null>, rows: readonly string[], totalPx: number, isAway: boolean, startsThere: boolean): AtEnd {
  const [isAtEnd, setAtEnd] = useState(startsThere);
  const [lastSeen, setLastSeen] = useState(rows.at(-1));
  const sticks = useRef(startsThere);
  const heightPx = useRef(0);
  const hand = useHand();
  const onScroll = useCallback(() => {
    const area = scroller.current;
    const isLedAway = area !== null && hand.leadsUp() && distanceOf(area) >= 1;
    // What scrolls because the window around it became smaller was not moved by the person.
    const isResized = area !== null && heightPx.current > 0 && area.clientHeight !== heightPx.current;
    heightPx.current = area?.clientHeight ?? 0;
    if (isResized && sticks.current) return toEndOf(area);
    sticks.current = !isAway && !isLedAway && (area === null || distanceOf(area) < NEAR_PX);
    setAtEnd(sticks.current);
  }, [scroller, isAway, hand]);
  useStick(scroller, sticks, hand.leadsUp, totalPx);
  // What cannot be scrolled tells nothing of itself: its end is in sight, also when an address led to its middle.
  useEffect(() => {
    const area = scroller.current;
    if (!isAtEnd && area !== null && totalPx > 0 && area.scrollHeight <= area.clientHeight) onScroll();
  }, [scroller, isAtEnd, onScroll, totalPx]);
  const newest = rows.at(-1);
  useEffect(() => {
    if (isAtEnd) setLastSeen(newest);
  }, [isAtEnd, newest]);
  const seenAt = lastSeen === undefined ? -1 : rows.lastIndexOf(lastSeen);
  return { isAtEnd, unseen: isAtEnd || seenAt < 0 ? 0 : rows.length - 1 - seenAt, onScroll, onHand: hand.isAtIt };
}

/** However little a hand leads up, it leads away: what grows must not take that back at every word. */
function useHand() {
  const hand = useRef({ upAt: Number.NEGATIVE_INFINITY, touchY: 0 });
  return useMemo(
    () => ({
      isAtIt: (event: HandEvent) => {
        const touchY = 'touches' in event ? (event.touches[0]?.clientY ?? 0) : hand.current.touchY;
        const isUp = 'deltaY' in event ? event.deltaY < 0 : 'key' in event ? UPWARDS.has(event.key) : touchY > hand.current.touchY;
        hand.current = { upAt: isUp ? performance.now() : hand.current.upAt, touchY };
      },
      leadsUp: (): boolean => performance.now() - hand.current.upAt < HAND_MS,
    }),
    [],
  );
}

const UPWARDS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

function useStick(scroller: RefObject<HTMLElement | null>, sticks: RefObject<boolean>, isLed: () => boolean, totalPx: number): void {
  const toEnd = useCallback(() => {
    const area = scroller.current;
    if (area !== null && sticks.current && !isLed() && distanceOf(area) > 0) toEndOf(area);
  }, [scroller, sticks, isLed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of height that matters
  useLayoutEffect(toEnd, [toEnd, totalPx]);
  useEffect(() => {
    const observer = new ResizeObserver(toEnd);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller, toEnd]);
}

function toEndOf(area: HTMLElement): void {
  area.scrollTop = area.scrollHeight;
}

const distanceOf = (area: HTMLElement): number => area.scrollHeight - area.scrollTop - area.clientHeight;
