import { ArrowUp } from 'lucide-react';
import { useEffect } from 'react';
import { countText } from '../../base/text/format.ts';
import { useSessionList, useSessionListState } from '../../parts/session-list/use-session-list.ts';

interface MovedPillProps {
  /** Rows must not move now. */
  readonly isPaused: boolean;
  readonly onShow: () => void;
}

/** Changed sessions move to the top once nobody could click the wrong row, or when the person asks. */
export function MovedPill({ isPaused, onShow }: MovedPillProps) {
  const sessionList = useSessionList();
  const moved = useSessionListState((state) => state.moved.size);
  useEffect(() => {
    if (moved > 0 && !isPaused) sessionList.settle();
  }, [sessionList, moved, isPaused]);
  if (moved === 0 || !isPaused) return null;
  const show = () => {
    sessionList.settle();
    onShow();
  };
  return (
    <button type="button" className="new-pill moved-pill" onClick={show}>
      <ArrowUp size={14} aria-hidden="true" />
      {countText(moved, 'session')} changed
    </button>
  );
}
