import { type RefObject, useEffect, useRef } from 'react';

/** The row that the keys have come to takes the focus. */
export function useChosenLink(isChosen: boolean): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isChosen) link.current?.focus();
  }, [isChosen]);
  return link;
}
