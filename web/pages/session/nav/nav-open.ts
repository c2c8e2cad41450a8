import { createStore } from 'zustand/vanilla';

const KEY = 'signalbox:session-list';

/** Narrower pages have no room for a list beside the transcript: there it is a sheet that opens over it. */
export const NARROW = '(max-width: 1099px)';

/** Whether the list is open beside the transcript: saved for this browser. */
export const navOpen = createStore(() => ({ isOpen: read() !== 'closed', isSheetOpen: false }));

export function toggleNav(): void {
  if (matchMedia(NARROW).matches) return navOpen.setState(({ isSheetOpen }) => ({ isSheetOpen: !isSheetOpen }));
  const isOpen = !navOpen.getState().isOpen;
  navOpen.setState({ isOpen });
  try {
    localStorage.setItem(KEY, isOpen ? 'open' : 'closed');
  } catch {
    // Storage is forbidden: the choice lasts until the page is closed.
  }
}

export const closeSheet = (): void => navOpen.setState({ isSheetOpen: false });

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
