import { useApp } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';
import { describeMoment } from './describe-moment.ts';
import type { PanelMoment } from './move-cursor.ts';

interface MomentTipProps {
  readonly target: PanelMoment;
  /** Where it points, in the diagram. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Closer to the right edge than this, it opens to the left, so that it stays inside the diagram. */
const WIDEST = 340;

/** How far it extends to the right of its block. */
const BEFORE = 40;

/** Describes a block. Screen readers get the same from the live region. */
export function MomentTip({ target, x, y, width }: MomentTipProps) {
  const now = useApp(panelNow);
  const waits = useApp((state) => state.panel.tracks.get(target.sessionId)?.waits);
  const { head, facts } = describeMoment(target.moment, now, waits);
  return (
    <div
      className="moment-tip"
      aria-hidden="true"
      style={{ top: y + 16, ...(x > width - WIDEST ? { right: Math.max(0, Math.min(width - x - BEFORE, width - WIDEST)) } : { left: Math.max(0, x) }) }}
    >
      <span className={target.moment.kind === 'call' || target.moment.kind === 'wait' ? 'tip-head mono' : 'tip-head'}>{head}</span>
      <span className="tip-facts">{facts}</span>
    </div>
  );
}
