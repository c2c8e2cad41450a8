import { useApp } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';
import { momentWords } from './moment-words.ts';
import type { Place } from './walk.ts';

interface MomentTipProps {
  readonly place: Place;
  /** Where it points to, in the plan. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Nearer to now than this it is written to the left, so that it never leaves the plan. */
const WIDEST = 340;

/** So much of it lies to the right of its place. */
const BEFORE = 40;

/** What a block is; what it says to others is said by the live region. */
export function MomentTip({ place, x, y, width }: MomentTipProps) {
  const now = useApp(panelNow);
  const { head, facts } = momentWords(place.moment, now);
  return (
    <div
      className="moment-tip"
      aria-hidden="true"
      style={{ top: y + 16, ...(x > width - WIDEST ? { right: Math.max(0, Math.min(width - x - BEFORE, width - WIDEST)) } : { left: Math.max(0, x) }) }}
    >
      <span className={place.moment.kind === 'call' || place.moment.kind === 'wait' ? 'tip-head mono' : 'tip-head'}>{head}</span>
      <span className="tip-facts">{facts}</span>
    </div>
  );
}
