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

/** This close to the end counts as being there, unless the user has just scrolled away from it. */
const NEAR_PX = 60;
/** For this long after a wheel, touch or key event, scrolling may still come from it: browsers scroll smoothly. */
const USER_INPUT_MS = 400;

interface AtEnd {
  readonly isAtEnd: boolean;
  /** Rows that arrived since the user left the end. */
  readonly unseen: number;
  readonly onScroll: () => void;
  /** For wheel, touch and key events. */
  readonly onUserInput: (event: UserInputEvent) => void;
  readonly stick: () => void;
}

type UserInputEvent = WheelEvent | TouchEvent | KeyboardEvent;

/** Someone at the end stays there when text grows or the window shrinks; someone reading further up is left alone. */
export function useAtEnd(scroller: RefObject<HTMLElement | null>, rows: readonly string[], totalPx: number, isAway: boolean, startsThere: boolean): AtEnd {
  const [isAtEnd, setAtEnd] = useState(startsThere);
  const [lastSeen, setLastSeen] = useState(rows.at(-1));
  const sticks = useRef(startsThere);
  const heightPx = useRef(0);
  const topPx = useRef(0);
  const userInput = useUserInput();
  const onScroll = useCallback(() => {
    const area = scroller.current;
    const isScrolledAway = area !== null && userInput.movesUp() && distanceOf(area) >= 1;
    // A scroll caused by a smaller window does not come from the user.
    const isResized = area !== null && heightPx.current > 0 && area.clientHeight !== heightPx.current;
    // Nobody leaves the end downward: a scroll that doesn't go up comes from content that grew, such as an image that loaded late.
    const isGrown = area !== null && area.scrollTop >= topPx.current;
    heightPx.current = area?.clientHeight ?? 0;
    topPx.current = area?.scrollTop ?? 0;
    if ((isResized || isGrown) && sticks.current && area !== null && !isAway) return toEndOf(area);
    sticks.current = !isAway && !isScrolledAway && (area === null || distanceOf(area) < NEAR_PX);
    setAtEnd(sticks.current);
  }, [scroller, isAway, userInput]);
  useStickToEnd(scroller, sticks, userInput.movesUp, totalPx);
  // A list too short to scroll fires no scroll event: its end is on screen, even when an address pointed at its middle.
  useEffect(() => {
    const area = scroller.current;
    if (!isAtEnd && area !== null && totalPx > 0 && area.scrollHeight <= area.clientHeight) onScroll();
  }, [scroller, isAtEnd, onScroll, totalPx]);
  /** The user wants the end, whatever they did just before. */
  const stick = useCallback(() => {
    userInput.forget();
    sticks.current = true;
    setAtEnd(true);
    if (scroller.current !== null) toEndOf(scroller.current);
  }, [scroller, userInput]);
  const newest = rows.at(-1);
  useEffect(() => {
    if (isAtEnd) setLastSeen(newest);
  }, [isAtEnd, newest]);
  const seenAt = lastSeen === undefined ? -1 : rows.lastIndexOf(lastSeen);
  return {
    isAtEnd,
    unseen: isAtEnd || seenAt < 0 ? 0 : rows.length - 1 - seenAt,
    onScroll,
    onUserInput: userInput.note,
    stick,
  };
}

/** Even a small upward scroll means the user leaves the end: growing text must not undo it with every word. */
function useUserInput() {
  const last = useRef({ upAt: Number.NEGATIVE_INFINITY, touchY: 0 });
  return useMemo(
    () => ({
      note: (event: UserInputEvent) => {
        const touchY = 'touches' in event ? (event.touches[0]?.clientY ?? 0) : last.current.touchY;
        const isUp = 'deltaY' in event ? event.deltaY < 0 : 'key' in event ? UPWARDS.has(event.key) : touchY > last.current.touchY;
        last.current = { upAt: isUp ? performance.now() : last.current.upAt, touchY };
      },
      forget: () => {
        last.current = { ...last.current, upAt: Number.NEGATIVE_INFINITY };
      },
      movesUp: (): boolean => performance.now() - last.current.upAt < USER_INPUT_MS,
    }),
    [],
  );
}

const UPWARDS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

function useStickToEnd(scroller: RefObject<HTMLElement | null>, sticks: RefObject<boolean>, isScrollingUp: () => boolean, totalPx: number): void {
  const toEnd = useCallback(() => {
    const area = scroller.current;
    if (area !== null && sticks.current && !isScrollingUp() && distanceOf(area) > 0) toEndOf(area);
  }, [scroller, sticks, isScrollingUp]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the height changes
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
