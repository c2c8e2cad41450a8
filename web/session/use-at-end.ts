import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Within this of the end a person counts as being there. */
const NEAR_PX = 60;

interface AtEnd {
  readonly isAtEnd: boolean;
  /** Rows that came since the person left the end. */
  readonly unseen: number;
  readonly onScroll: () => void;
}

export function useAtEnd(scroller: RefObject<HTMLElement | null>, rows: readonly string[]): AtEnd {
  const [isAtEnd, setAtEnd] = useState(true);
  const [lastSeen, setLastSeen] = useState(rows.at(-1));
  const onScroll = useCallback(() => {
    const area = scroller.current;
    if (area !== null) setAtEnd(area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_PX);
  }, [scroller]);
  const newest = rows.at(-1);
  useEffect(() => {
    if (isAtEnd) setLastSeen(newest);
  }, [isAtEnd, newest]);
  const seenAt = lastSeen === undefined ? -1 : rows.lastIndexOf(lastSeen);
  return { isAtEnd, unseen: isAtEnd || seenAt < 0 ? 0 : rows.length - 1 - seenAt, onScroll };
}
