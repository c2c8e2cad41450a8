import { useApp } from '../app/cockpit-context.ts';
import { momentWords } from './moment-words.ts';
import type { Place } from './walk.ts';

interface MomentTipProps {
  readonly place: Place;
  /** Where it points to, in the plan. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** It never leaves the plan on the right. */
const WIDEST = 340;

/** What a block is; what it says to others is said by the live region. */
export function MomentTip({ place, x, y, width }: MomentTipProps) {
  const now = useApp((state) => state.now + state.panel.aheadMs);
  const { head, facts } = momentWords(place.moment, now);
  return (
    <div className="moment-tip" aria-hidden="true" style={{ left: Math.max(0, Math.min(x, width - WIDEST)), top: y + 16 }}>
      <span className={place.moment.kind === 'call' || place.moment.kind === 'wait' ? 'tip-head mono' : 'tip-head'}>{head}</span>
      <span className="tip-facts">{facts}</span>
    </div>
  );
}
