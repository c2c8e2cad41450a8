import { ArrowUp } from 'lucide-react';
import { useEffect } from 'react';
import { countText } from '../../base/words/words.ts';
import { useLibrary, useList } from '../../parts/session-list/use-session-list.ts';

interface MovedPillProps {
  /** A hand is on the list, or somebody reads further down. */
  readonly isHeld: boolean;
  readonly onShow: () => void;
}

/** Sessions that changed wait to be moved until nobody could press the wrong row, or until they are asked for. */
export function MovedPill({ isHeld, onShow }: MovedPillProps) {
  const library = useLibrary();
  const moved = useList((state) => state.moved.size);
  useEffect(() => {
    if (moved > 0 && !isHeld) library.settle();
  }, [library, moved, isHeld]);
  if (moved === 0 || !isHeld) return null;
  const show = () => {
    library.settle();
    onShow();
  };
  return (
    <button type="button" className="new-pill moved-pill" onClick={show}>
      <ArrowUp size={14} aria-hidden="true" />
      {countText(moved, 'session')} changed
    </button>
  );
}
