import { type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Status } from '../../../src/protocol/session.ts';
import { useActions } from '../../base/actions/actions-context.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { type AppState, shownIn } from '../../store/state/app-state.ts';
import { usePlace } from '../address/use-event-address.ts';
import { CalmContext } from '../items/messages/idle-context.ts';
import { Row } from '../items/row.tsx';
import { NewPill } from './new-pill.tsx';
import { NewerSign } from './newer-sign.tsx';
import { OlderSign } from './older-sign.tsx';
import { QuoteButton } from './quote-button.tsx';
import { rowsNear } from './rows-near.ts';
import { useAtEnd } from './use-at-end.ts';
import { type Target, useEventTarget, useTargetShown } from './use-event-target.ts';
import { GUESS_PX, useCalm, useFirstPicture } from './use-first-paint.ts';
import { useNoLateScroll } from './use-no-late-scroll.ts';
import { useLeaving } from './use-reading-position.ts';
import { WorkingSign } from './working-sign.tsx';

const NO_ROWS: readonly string[] = [];
const WORKING: ReadonlySet<Status | undefined> = new Set(['starting', 'busy']);
/** Nearer to an end of the window than this, what lies beyond it is fetched. */
const FETCH_PX = 600;
/** Beyond the screen, on either side. */
const ROWS_AHEAD = 4;
/** So near to the end one is at it. No distance is below nothing. */
const AT_END_PX = 1;
const NOWHERE_PX = -1;
/** Only a sheet this much longer than the screen lets go of its beginning: it must not be fetched again at once. */
const SPARE_PX = 8 * FETCH_PX;

/** The transcript of a session, at its end or wherever its address leads. */
export function TranscriptView({ sessionId }: { readonly sessionId: string }) {
  const target = useEventTarget(sessionId);
  const jumps = useApp((state) => state.open.get(sessionId)?.jumps ?? 0);
  return <Sheet key={jumps} sessionId={sessionId} target={target} />;
}

interface SheetProps {
  readonly sessionId: string;
  readonly target: RefObject<Target | undefined>;
}

/** The transcript on its track: only what is near the eye is drawn, and it stays at the end as long as the person does. */
function Sheet({ sessionId, target }: SheetProps) {
  const cockpit = useCockpit();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useApp((state) => shownIn(state, sessionId)?.rows ?? NO_ROWS);
  const isAway = useApp((state) => state.open.get(sessionId)?.away !== undefined);
  const isWorking = useApp((state) => WORKING.has(state.sessions.get(sessionId)?.status));
  const newer = useApp((state) => newerThanShown(state, sessionId));
  const isCalm = useCalm(rows.length > 0);
  const startsAtEnd = !isAway && target.current?.isShown !== false;
  const drawn = useRef<{ readonly measurementsCache: readonly VirtualItem[] }>(undefined);
  const virtualizer = useVirtualizer({
    count: rows.length,
    ...useFirstPicture(startsAtEnd, rows.length),
    getScrollElement: () => scroller.current,
    estimateSize: () => GUESS_PX,
    // The same function for the same rows: else every place is reckoned again at every scroll.
    getItemKey: useCallback((index: number) => rows[index] ?? index, [rows]),
    anchorTo: 'end',
    followOnAppend: !isAway,
    // The end of a window is no end to stay at: who stands there reads on, also when the window has just met the end of the session.
    scrollEndThreshold: isAway ? NOWHERE_PX : AT_END_PX,
    overscan: isCalm ? ROWS_AHEAD : 0,
    rangeExtractor: useCallback((range: Range) => rowsNear(range, (index) => drawn.current?.measurementsCache[index]?.size ?? GUESS_PX), []),
    paddingStart: 40,
    paddingEnd: isAway ? 48 : isWorking ? 40 : 20,
  });
  drawn.current = virtualizer;
  useNoLateScroll(virtualizer, rows);
  const { isAtEnd, unseen, onScroll, onHand } = useAtEnd(scroller, rows, virtualizer.getTotalSize(), isAway, startsAtEnd);
  const lit = useTargetShown(sessionId, target, virtualizer);
  useLeaving(sessionId, isAtEnd, scroller, virtualizer);
  const place = usePlace();
  const toEnd = () => {
    place(0);
    if (isAway) cockpit.lookAtEnd(sessionId);
    else virtualizer.scrollToEnd();
  };
  const begins = useApp((state) => shownIn(state, sessionId)?.firstSeq ?? 0) <= 1;
  const toBegin = () => {
    if (place(1)) return;
    if (begins) virtualizer.scrollToOffset(0);
    else void cockpit.lookAt(sessionId, 1);
  };
  useActions({ 'session.end': toEnd, 'session.begin': toBegin });
  const size = virtualizer.getTotalSize();
  // What does not fill the screen cannot be scrolled, and nobody could ask for what came before it.
  useEffect(() => {
    // As it was last measured: to ask the element would lay out the page at every word.
    const height = virtualizer.scrollRect?.height ?? 0;
    if (!begins && height > 0 && rows.length > 0 && size <= height) void cockpit.loadOlder(sessionId);
  }, [cockpit, sessionId, virtualizer, begins, rows, size]);
  useEffect(() => {
    const height = virtualizer.scrollRect?.height ?? 0;
    if (isAtEnd && rows.length > 0 && height > 0 && size > height + SPARE_PX) cockpit.letGo(sessionId);
  }, [cockpit, sessionId, virtualizer, isAtEnd, rows, size]);
  const look = () => {
    onScroll();
    const area = scroller.current;
    if (area === null) return;
    if (area.scrollTop < FETCH_PX) void cockpit.loadOlder(sessionId);
    if (isAway && area.scrollHeight - area.clientHeight - area.scrollTop < FETCH_PX) void cockpit.loadNewer(sessionId);
  };
  return (
    <div className="transcript-frame">
      <div
        ref={scroller}
        className={isAway ? 'transcript away' : 'transcript'}
        onScroll={look}
        onWheel={onHand}
        onTouchMove={onHand}
        onKeyDown={onHand}
        role="log"
        aria-label="Transcript"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div className="transcript-sheet" style={{ height: virtualizer.getTotalSize() }}>
          <OlderSign sessionId={sessionId} />
          <CalmContext value={isCalm}>
            {virtualizer.getVirtualItems().map((place) => (
              <div
                key={place.key}
                ref={virtualizer.measureElement}
                data-index={place.index}
                className={place.key === lit ? 'row-place lit' : 'row-place'}
                style={{ transform: `translateY(${place.start}px)` }}
              >
                <Row sessionId={sessionId} itemKey={String(place.key)} isFirst={place.index === 0} isLast={place.index === rows.length - 1} />
              </div>
            ))}
          </CalmContext>
          {isAway && <NewerSign sessionId={sessionId} />}
          {!isAway && isWorking && <WorkingSign sessionId={sessionId} />}
        </div>
      </div>
      <QuoteButton sessionId={sessionId} within={scroller} />
      {!isAtEnd && <NewPill unseen={isAway ? 0 : unseen} newer={newer} onClick={toEnd} />}
    </div>
  );
}

/** How many events lie between the window and the end. */
function newerThanShown(state: AppState, sessionId: string): number {
  const opened = state.open.get(sessionId);
  if (opened?.away === undefined || opened.away.branch !== undefined) return 0;
  return Math.max(0, opened.transcript.lastSeq - opened.away.transcript.lastSeq);
}
