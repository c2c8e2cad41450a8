import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { SessionTimeline } from '../../../../../src/protocol/api/timeline.ts';
import { momentText } from '../../../../base/text/format.ts';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { JumpLink } from '../jump-link.tsx';
import { type Moment, momentsOf } from './moments.ts';

const ROW_PX = 46;

interface MomentListProps {
  readonly timeline: SessionTimeline;
  readonly onHighlight: (seq: number | undefined) => void;
}

/** The events of the axis as a list of links. */
export function MomentList({ timeline, onHighlight }: MomentListProps) {
  const moments = useMemo(() => momentsOf(timeline), [timeline]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ count: moments.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 12 });
  const startMs = Date.parse(timeline.from);
  if (moments.length === 0) return <p className="side-words">No activity in this session yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroller} className="moments" tabIndex={0} aria-label="Events in order">
      <ol className="moments-sheet" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const moment = moments[item.index];
          if (moment === undefined) return null;
          return (
            <li
              key={moment.key}
              className="moment-place"
              aria-setsize={moments.length}
              aria-posinset={item.index + 1}
              style={{ height: ROW_PX, transform: `translateY(${item.start}px)` }}
              onPointerEnter={() => onHighlight(moment.seq)}
              onPointerLeave={() => onHighlight(undefined)}
              onFocus={() => onHighlight(moment.seq)}
              onBlur={() => onHighlight(undefined)}
            >
              <MomentLine moment={moment} at={new Date(startMs + moment.atMs).toISOString()} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function MomentLine({ moment, at }: { readonly moment: Moment; readonly at: string }) {
  return (
    <JumpLink seq={moment.seq} className={`moment moment-${moment.kind}${moment.state === undefined ? '' : ` ${moment.state}`}`}>
      <span className="moment-time">{momentText(at)}</span>
      <span className="moment-sign" aria-hidden="true" />
      <span className="moment-words">
        <span className="moment-title">
          <VisibleLine text={moment.title} />
        </span>
        <span className="quiet">{moment.facts}</span>
      </span>
    </JumpLink>
  );
}
