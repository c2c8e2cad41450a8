import { type RefObject, useEffect, useRef } from 'react';

const FIELDS = 'input, textarea, select, [contenteditable]';

/** The row that the keys have come to takes the focus, but never from somebody who writes. */
export function useChosenLink(isChosen: boolean): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isChosen && document.activeElement?.matches(FIELDS) !== true) link.current?.focus();
  }, [isChosen]);
  return link;
}
