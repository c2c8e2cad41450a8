import { elementScroll } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState } from 'react';
import { whenCalm } from '../../base/browser/when-idle.ts';

/** Between a tool line and a paragraph; real heights are measured. */
export const GUESS_PX = 64;
/** What stands above and below a transcript. */
const AROUND_PX = 140;

const guessedHeight = (): number => Math.max(GUESS_PX, window.innerHeight - AROUND_PX);

/** How a list of rows begins. Its first picture is drawn before anything can be measured: about as high as it will be, and at the end, so that no other one is thrown away. */
export function useFirstPicture(startsAtEnd: boolean, rows: number) {
  const [height] = useState(guessedHeight);
  return {
    ...(startsAtEnd && { initialRect: { width: window.innerWidth, height } }),
    initialOffset: startsAtEnd ? Math.max(0, rows * GUESS_PX - height) : 0,
    scrollToFn: useFirstToEnd(startsAtEnd),
  };
}

type ScrollTo = typeof elementScroll<HTMLDivElement>;

/** Where the first picture stands was a guess, which may lie before the end: who starts at the end is brought to the end itself, before anything is seen. */
function useFirstToEnd(startsAtEnd: boolean): ScrollTo {
  const isGuess = useRef(startsAtEnd);
  return useCallback((offset, options, virtualizer) => {
    const area = virtualizer.scrollElement;
    if (!isGuess.current || area === null) return elementScroll(offset, options, virtualizer);
    isGuess.current = false;
    // Its rows have been measured by now, but the sheet is as high as was guessed until it is drawn again.
    const sheet = area.firstElementChild;
    if (sheet instanceof HTMLElement) sheet.style.height = `${virtualizer.getTotalSize()}px`;
    area.scrollTop = area.scrollHeight;
    virtualizer.scrollOffset = area.scrollTop;
  }, []);
}

/** The first picture has only what is seen of the rows, and only what is read in them: the rest is drawn when nobody waits for it. */
export function useCalm(hasRows: boolean): boolean {
  const [isCalm, setCalm] = useState(false);
  useEffect(() => (hasRows ? whenCalm(() => setCalm(true)) : undefined), [hasRows]);
  return isCalm;
}
