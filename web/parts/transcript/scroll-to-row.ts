import type { Virtualizer } from '@tanstack/react-virtual';

type Sheet = Virtualizer<HTMLDivElement, Element>;

/** Heights are measured, and corrected, for some pictures after a sheet was first drawn; each correction may move it. */
const PICTURES = 12;

/** Brings a row to the middle, or so far from the edge as it stood, and again as long as the sheet is still settling. A sheet that is gone meanwhile is left alone. */
export function insist(sheet: Sheet, key: string, px?: number): void {
  let left = PICTURES;
  const letGo = new AbortController();
  // A person who scrolls meanwhile has the last word.
  for (const hand of ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const) {
    sheet.scrollElement?.addEventListener(hand, () => letGo.abort(), { signal: letGo.signal, passive: true });
  }
  const again = () => {
    if (letGo.signal.aborted) return;
    // What is older may have come on top since: its number is not its own.
    const index = indexOf(sheet, key);
    if (sheet.scrollElement !== null && index >= 0) bring(sheet, index, px);
    if (left-- > 0) requestAnimationFrame(again);
    else letGo.abort();
  };
  again();
}

function bring(sheet: Sheet, index: number, px: number | undefined): void {
  const start = startOf(sheet, index);
  if (px !== undefined && start !== undefined) return sheet.scrollToOffset(start - px);
  if (!isSeen(sheet, start)) sheet.scrollToIndex(index, { align: 'center' });
}

function indexOf({ options: { count, getItemKey } }: Sheet, key: string): number {
  for (let index = 0; index < count; index++) if (getItemKey(index) === key) return index;
  return -1;
}

const startOf = (sheet: Sheet, index: number): number | undefined => sheet.getVirtualItems().find((item) => item.index === index)?.start;

function isSeen({ scrollElement }: Sheet, start: number | undefined): boolean {
  if (start === undefined || scrollElement === null) return false;
  return start >= scrollElement.scrollTop && start < scrollElement.scrollTop + scrollElement.clientHeight;
}
