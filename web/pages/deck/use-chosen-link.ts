import { type RefObject, useEffect, useRef } from 'react';

const FIELDS = 'input, textarea, select, [contenteditable], dialog *';

/** The row that the keys have come to takes the focus, but never from somebody who writes or from a dialog. */
export function useChosenLink(takesFocus: boolean): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus && document.activeElement?.matches(FIELDS) !== true) link.current?.focus();
  }, [takesFocus]);
  return link;
}
