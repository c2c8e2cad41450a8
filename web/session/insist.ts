import type { Virtualizer } from '@tanstack/react-virtual';

type Sheet = Virtualizer<HTMLDivElement, Element>;

/** Heights are measured, and corrected, for some pictures after a sheet was first drawn; each correction may move it. */
const PICTURES = 12;

/** Brings a row to the middle, and again as long as the sheet is still settling. A sheet that is gone meanwhile is left alone. */
export function insist(sheet: Sheet, key: string, left = PICTURES): void {
  // What is older may have come on top since: its number is not its own.
  const index = indexOf(sheet, key);
  if (sheet.scrollElement !== null && index >= 0 && !isSeen(sheet, index)) sheet.scrollToIndex(index, { align: 'center' });
  if (left > 0) requestAnimationFrame(() => insist(sheet, key, left - 1));
}

function indexOf({ options: { count, getItemKey } }: Sheet, key: string): number {
  for (let index = 0; index < count; index++) if (getItemKey(index) === key) return index;
  return -1;
}

function isSeen({ scrollElement, getVirtualItems }: Sheet, index: number): boolean {
  const place = getVirtualItems().find((item) => item.index === index);
  if (place === undefined || scrollElement === null) return false;
  return place.start >= scrollElement.scrollTop && place.start < scrollElement.scrollTop + scrollElement.clientHeight;
}
