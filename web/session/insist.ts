import type { Virtualizer } from '@tanstack/react-virtual';

/** Heights are measured, and corrected, for some pictures after a sheet was first drawn; each correction may move it. */
const PICTURES = 12;

/** Brings a row to the middle, and again as long as the sheet is still settling. Returns the way to let go. */
export function insist(virtualizer: Virtualizer<HTMLDivElement, Element>, index: number): () => void {
  let frame = 0;
  const bring = (left: number) => {
    if (!isSeen(virtualizer, index)) virtualizer.scrollToIndex(index, { align: 'center' });
    if (left > 0) frame = requestAnimationFrame(() => bring(left - 1));
  };
  bring(PICTURES);
  return () => cancelAnimationFrame(frame);
}

function isSeen({ scrollElement, getVirtualItems }: Virtualizer<HTMLDivElement, Element>, index: number): boolean {
  const place = getVirtualItems().find((item) => item.index === index);
  if (place === undefined || scrollElement === null) return false;
  return place.start >= scrollElement.scrollTop && place.start < scrollElement.scrollTop + scrollElement.clientHeight;
}
