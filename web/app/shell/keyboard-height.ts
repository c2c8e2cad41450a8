interface Viewport {
  readonly height: number;
  readonly offsetTop: number;
  readonly scale: number;
}

/** The browser's own bars are lower than this; no keyboard is. */
const MIN_KEYBOARD_PX = 100;

/**
 * How much of the page an on-screen keyboard covers. Most browsers shrink the page for it (as the page asks them to); iOS lays it over the page
 * and reports only how much is still visible. Zooming in also makes less visible, without a keyboard.
 */
export function keyboardHeight(pageHeight: number, { height, offsetTop, scale }: Viewport): number {
  if (Math.abs(scale - 1) > 0.01) return 0;
  const covered = Math.round(pageHeight - height - offsetTop);
  return covered < MIN_KEYBOARD_PX ? 0 : covered;
}

/** Keeps the page above the keyboard, so that the composer is never under it. */
export function keepAboveKeyboard(): void {
  const viewport = window.visualViewport;
  if (viewport === null) return;
  const update = () => {
    const room = keyboardHeight(window.innerHeight, viewport);
    document.documentElement.style.setProperty('--keyboard', `${room}px`);
    // iOS moves the page up to show the field; once the page fits, that would hide its header.
    if (room > 0) window.scrollTo(0, 0);
  };
  viewport.addEventListener('resize', update);
  viewport.addEventListener('scroll', update);
}
