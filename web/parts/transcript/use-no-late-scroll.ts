import { useRef } from 'react';

/**
 * The list repeats a scroll for which there was no room as soon as there is some. When rows come or go meanwhile, the place it was meant for has moved, and the
 * repeat would lead elsewhere, past rows that nobody has read: so it is forgotten together with those rows. The library has no public name for it.
 */
export function useNoLateScroll(virtualizer: object, rows: readonly string[]): void {
  const before = useRef(rows);
  if (rows[0] !== before.current[0] || rows.at(-1) !== before.current.at(-1)) (virtualizer as { _clampedAdjustment?: null })._clampedAdjustment = null;
  before.current = rows;
}
