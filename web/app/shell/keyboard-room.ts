interface Seen {
  readonly height: number;
  readonly offsetTop: number;
  readonly scale: number;
}

/** Bars of a browser come and go in less than this; no keyboard is as low. */
const LEAST_PX = 100;

/**
 * How much of the page a keyboard on the screen covers. Most browsers make the page smaller for it (as the page asks them to); iOS lays it over the page
 * and tells only how much of it is still seen. Somebody who zooms in sees less of it too, and has no keyboard.
 */
export function keyboardRoom(pageHeight: number, { height, offsetTop, scale }: Seen): number {
  if (Math.abs(scale - 1) > 0.01) return 0;
  const covered = Math.round(pageHeight - height - offsetTop);
  return covered < LEAST_PX ? 0 : covered;
}

/** Keeps the page above the keyboard, so that the composer is never under it. */
export function keepAboveKeyboard(): void {
  const seen = window.visualViewport;
  if (seen === null) return;
  const look = () => {
    const room = keyboardRoom(window.innerHeight, seen);
    document.documentElement.style.setProperty('--keyboard', `${room}px`);
    // iOS moves the page up to show the field; once the page fits that would hide its head.
    if (room > 0) window.scrollTo(0, 0);
  };
  seen.addEventListener('resize', look);
  seen.addEventListener('scroll', look);
}
