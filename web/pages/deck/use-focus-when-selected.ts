import { type RefObject, useEffect, useRef } from 'react';

const FIELDS = 'input, textarea, select, [contenteditable], dialog *';

/** Focuses a row selected with the keys, but never takes the focus from a text field or a dialog. */
export function useFocusWhenSelected(takesFocus: boolean): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus && document.activeElement?.matches(FIELDS) !== true) link.current?.focus();
  }, [takesFocus]);
  return link;
}
