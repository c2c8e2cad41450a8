import { type MouseEvent, useLayoutEffect, useRef } from 'react';

/** Presses so soon after a card went away were meant for what stood there before. */
const HOLD_MS = 300;
/** How often a moving hand is noted. */
const NOTE_MS = 400;

/** Whether something that stays has moved, when the cards were these before and are those now. */
type Moves = (before: readonly string[], after: readonly string[]) => boolean;

/** Keeps a press from landing on a card that has just slid under it, and tells when a hand is on the list. A key means what has the focus, which moves along. */
export function useSteadyHand(ids: readonly string[], onHand: () => void, moves: Moves = hasShifted) {
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
    onHand();
  };
  const onClickCapture = (event: MouseEvent) => {
    const isByKey = event.detail === 0;
    if (isByKey || performance.now() - shiftedAt.current >= HOLD_MS) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { onClickCapture, onPointerMove: note, onPointerDown: note, onKeyDown: note };
}

/** Whether a card that stays has another place now. */
const hasShifted: Moves = (before, after) => after.some((id, at) => before.includes(id) && before[at] !== id);
