import type { Virtualizer } from '@tanstack/react-virtual';

type RowVirtualizer = Virtualizer<HTMLDivElement, Element>;

/** For some frames after the rows are first drawn, their heights are measured and corrected; each correction may move them. */
const FRAMES = 12;

/** What still scrolls to a row. */
const running = new WeakMap<RowVirtualizer, AbortController>();

/** Whoever wants to be elsewhere now doesn't want to go back to that row. */
export const stopScrollingToRow = (virtualizer: RowVirtualizer): void => running.get(virtualizer)?.abort();

/** Scrolls a row to the middle, or to its old distance from the edge, and repeats while the rows are still settling. Rows that are gone by then are left alone. */
export function scrollToRow(virtualizer: RowVirtualizer, key: string, px?: number): void {
  let left = FRAMES;
  stopScrollingToRow(virtualizer);
  const stop = new AbortController();
  running.set(virtualizer, stop);
  // A person who scrolls in the meantime has the last word.
  for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const) {
    virtualizer.scrollElement?.addEventListener(input, () => stop.abort(), { signal: stop.signal, passive: true });
  }
  const again = () => {
    if (stop.signal.aborted) return;
    // Older rows may have loaded above since then, so look its index up again.
    const index = indexOf(virtualizer, key);
    if (virtualizer.scrollElement !== null && index >= 0) scrollOnce(virtualizer, index, px);
    if (left-- > 0) requestAnimationFrame(again);
    else stop.abort();
  };
  again();
}

function scrollOnce(virtualizer: RowVirtualizer, index: number, px: number | undefined): void {
  const start = startOf(virtualizer, index);
  if (px !== undefined && start !== undefined) return virtualizer.scrollToOffset(start - px);
  if (!isOnScreen(virtualizer, start)) virtualizer.scrollToIndex(index, { align: 'center' });
}

function indexOf({ options: { count, getItemKey } }: RowVirtualizer, key: string): number {
  for (let index = 0; index < count; index++) if (getItemKey(index) === key) return index;
  return -1;
}

const startOf = (virtualizer: RowVirtualizer, index: number): number | undefined => virtualizer.getVirtualItems().find((item) => item.index === index)?.start;

function isOnScreen({ scrollElement }: RowVirtualizer, start: number | undefined): boolean {
  if (start === undefined || scrollElement === null) return false;
  return start >= scrollElement.scrollTop && start < scrollElement.scrollTop + scrollElement.clientHeight;
}
