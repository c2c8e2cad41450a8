import { type MouseEvent, useLayoutEffect, useRef } from 'react';

/** A click this soon after a card moved was meant for what was there before. */
const GUARD_MS = 300;
/** How often pointer movement is reported. */
const NOTE_MS = 400;

/** Whether a card that stays has moved between these two lists. */
type Moves = (before: readonly string[], after: readonly string[]) => boolean;

/** Keeps a click from landing on a card that just moved under the pointer, and reports user input on the list. Keys are not guarded: the focus moves with its card. */
export function useClickGuard(ids: readonly string[], onUserInput: () => void, moves: Moves = hasShifted) {
  const before = useRef<readonly string[]>([]);
  const shiftedAt = useRef(Number.NEGATIVE_INFINITY);
  const notedAt = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    if (moves(before.current, ids)) shiftedAt.current = performance.now();
    before.current = ids;
  });
  const note = () => {
    const now = performance.now();
    if (now - notedAt.current < NOTE_MS) return;
    notedAt.current = now;
    onUserInput();
  };
  const onClickCapture = (event: MouseEvent) => {
    const isByKey = event.detail === 0;
    if (isByKey || performance.now() - shiftedAt.current >= GUARD_MS) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { onClickCapture, onPointerMove: note, onPointerDown: note, onKeyDown: note };
}

/** Whether a card that stays has a different position now. */
const hasShifted: Moves = (before, after) => after.some((id, at) => before.includes(id) && before[at] !== id);
