import { elementScroll } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState } from 'react';
import { whenIdle } from '../../base/browser/when-idle.ts';

/** Between a tool line and a paragraph; real heights are measured. */
export const GUESS_PX = 64;
/** The height of everything above and below a transcript. */
const AROUND_PX = 140;

const guessedHeight = (): number => Math.max(GUESS_PX, window.innerHeight - AROUND_PX);

/** How a list of rows starts. The first paint happens before anything can be measured: guess the height and start at the end, so that no paint is thrown away. */
export function useFirstPaint(startsAtEnd: boolean, rows: number) {
  const [height] = useState(guessedHeight);
  return {
    ...(startsAtEnd && { initialRect: { width: window.innerWidth, height } }),
    initialOffset: startsAtEnd ? Math.max(0, rows * GUESS_PX - height) : 0,
    scrollToFn: useScrollToEndFirst(startsAtEnd),
  };
}

type ScrollTo = typeof elementScroll<HTMLDivElement>;

/** The first paint's position was a guess, which may fall short: scroll to the real end before anything is visible. */
function useScrollToEndFirst(startsAtEnd: boolean): ScrollTo {
  const isGuess = useRef(startsAtEnd);
  return useCallback((offset, options, virtualizer) => {
    const area = virtualizer.scrollElement;
    if (!isGuess.current || area === null) return elementScroll(offset, options, virtualizer);
    isGuess.current = false;
    // The rows have been measured by now, but the list keeps its guessed height until the next render.
    const list = area.firstElementChild;
    if (list instanceof HTMLElement) list.style.height = `${virtualizer.getTotalSize()}px`;
    area.scrollTop = area.scrollHeight;
    virtualizer.scrollOffset = area.scrollTop;
  }, []);
}

/** The first paint has only the rows on screen, and only their text: everything else follows when the browser is idle. */
export function useIdle(hasRows: boolean): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => (hasRows ? whenIdle(() => setIdle(true)) : undefined), [hasRows]);
  return isIdle;
}
