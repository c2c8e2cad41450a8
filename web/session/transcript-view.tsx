import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { Row } from '../items/row.tsx';
import { NewPill } from './new-pill.tsx';
import { OlderSign } from './older-sign.tsx';
import { QuoteButton } from './quote-button.tsx';
import { useAtEnd } from './use-at-end.ts';
import { useEventTarget } from './use-event-target.ts';

const NO_ROWS: readonly string[] = [];
/** About one tool line; real heights are measured. */
const GUESS_PX = 48;
/** Nearer to the top than this, older events are fetched. */
const FETCH_PX = 600;

/** The transcript on its track: only what is near the eye is drawn, and it stays at the end as long as the person does. */
export function TranscriptView({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useApp((state) => state.open.get(sessionId)?.transcript.rows ?? NO_ROWS);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => GUESS_PX,
    getItemKey: (index) => rows[index] ?? index,
    anchorTo: 'end',
    followOnAppend: true,
    overscan: 10,
    paddingStart: 40,
    paddingEnd: 20,
  });
  const { isAtEnd, unseen, onScroll } = useAtEnd(scroller, rows, virtualizer.getTotalSize());
  useEventTarget(sessionId, virtualizer, rows);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'End' && !(event.target instanceof HTMLTextAreaElement)) virtualizer.scrollToEnd();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [virtualizer]);
  const look = () => {
    onScroll();
    if ((scroller.current?.scrollTop ?? FETCH_PX) < FETCH_PX) void cockpit.loadOlder(sessionId);
  };
  return (
    <div className="transcript-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div ref={scroller} className="transcript" onScroll={look} role="log" aria-label="Transcript" aria-live="off" tabIndex={0}>
        <div className="transcript-sheet" style={{ height: virtualizer.getTotalSize() }}>
          <OlderSign sessionId={sessionId} />
          {virtualizer.getVirtualItems().map((place) => (
            <div
              key={place.key}
              ref={virtualizer.measureElement}
              data-index={place.index}
              className="row-place"
              style={{ transform: `translateY(${place.start}px)` }}
            >
              <Row sessionId={sessionId} itemKey={String(place.key)} isFirst={place.index === 0} isLast={place.index === rows.length - 1} />
            </div>
          ))}
        </div>
      </div>
      <QuoteButton sessionId={sessionId} within={scroller} />
      {!isAtEnd && <NewPill unseen={unseen} onClick={() => virtualizer.scrollToEnd()} />}
    </div>
  );
}
