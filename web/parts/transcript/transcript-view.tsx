import { type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Status } from '../../../src/protocol/session.ts';
import { useActions } from '../../base/actions/actions-context.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { type AppState, shownIn } from '../../store/state/app-state.ts';
import { useEventAddress } from '../address/use-event-address.ts';
import { IdleContext } from '../items/messages/idle-context.ts';
import { Row } from '../items/row.tsx';
import { NewPill } from './new-pill.tsx';
import { NewerIndicator } from './newer-indicator.tsx';
import { OlderIndicator } from './older-indicator.tsx';
import { rowsNear } from './rows-near.ts';
import { stopScrollingToRow } from './scroll-to-row.ts';
import { useAtEnd } from './use-at-end.ts';
import { type Target, useEventTarget, useTargetShown } from './use-event-target.ts';
import { GUESS_PX, useFirstPaint, useIdle } from './use-first-paint.ts';
import { useMarkSeen } from './use-mark-seen.ts';
import { useSavePosition } from './use-reading-position.ts';
import { WorkingIndicator } from './working-indicator.tsx';

const NO_ROWS: readonly string[] = [];
const WORKING: ReadonlySet<Status | undefined> = new Set(['starting', 'busy']);
/** Closer than this to either end of the window, the page fetches what comes next. */
const FETCH_PX = 600;
/** Beyond the screen, on either side. */
const ROWS_AHEAD = 4;
/** This close counts as the end; no distance is below zero. */
const AT_END_PX = 1;
const NOWHERE_PX = -1;
/** Only a list this much longer than the screen drops its oldest rows, so that they aren't fetched again right away. */
const SPARE_PX = 8 * FETCH_PX;

/** A session's transcript, at its end or wherever the address points. */
export function TranscriptView({ sessionId }: { readonly sessionId: string }) {
  const target = useEventTarget(sessionId);
  const jumps = useApp((state) => state.open.get(sessionId)?.jumps ?? 0);
  return <RowList key={jumps} sessionId={sessionId} target={target} />;
}

interface RowListProps {
  readonly sessionId: string;
  readonly target: RefObject<Target | undefined>;
}

/** The rows of a transcript. Only those near the screen are rendered, and the list stays at the end while the user is there. */
function RowList({ sessionId, target }: RowListProps) {
  const cockpit = useCockpit();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useApp((state) => shownIn(state, sessionId)?.rows ?? NO_ROWS);
  const isAway = useApp((state) => state.open.get(sessionId)?.away !== undefined);
  const isWorking = useApp((state) => WORKING.has(state.sessions.get(sessionId)?.status));
  const newer = useApp((state) => newerThanShown(state, sessionId));
  const isIdle = useIdle(rows.length > 0);
  const startsAtEnd = !isAway && target.current?.isShown !== false;
  const drawn = useRef<{ readonly measurementsCache: readonly VirtualItem[] }>(undefined);
  const virtualizer = useVirtualizer({
    count: rows.length,
    ...useFirstPaint(startsAtEnd, rows.length),
    getScrollElement: () => scroller.current,
    estimateSize: () => GUESS_PX,
    // The same function for the same rows; otherwise every position is computed again on every scroll.
    getItemKey: useCallback((index: number) => rows[index] ?? index, [rows]),
    anchorTo: 'end',
    followOnAppend: !isAway,
    // Don't stick to the end of a window: the user is reading on, even when the window has just reached the end of the session.
    scrollEndThreshold: isAway ? NOWHERE_PX : AT_END_PX,
    overscan: isIdle ? ROWS_AHEAD : 0,
    rangeExtractor: useCallback((range: Range) => rowsNear(range, (index) => drawn.current?.measurementsCache[index]?.size ?? GUESS_PX), []),
    paddingStart: 40,
    paddingEnd: isAway ? 48 : isWorking ? 40 : 20,
  });
  drawn.current = virtualizer;
  useDropLateScroll(virtualizer, rows);
  const { isAtEnd, unseen, onScroll, onUserInput, stick } = useAtEnd(scroller, rows, virtualizer.getTotalSize(), isAway, startsAtEnd);
  const lit = useTargetShown(sessionId, target, virtualizer);
  useMarkSeen(sessionId, isAtEnd && !isAway && rows.length > 0);
  useSavePosition(sessionId, isAtEnd, scroller, virtualizer);
  const setEventAddress = useEventAddress();
  const toEnd = () => {
    setEventAddress(0);
    if (isAway) return cockpit.showEnd(sessionId);
    stopScrollingToRow(virtualizer);
    stick();
    virtualizer.scrollToEnd();
  };
  useAfterSending(sessionId, toEnd);
  const hasStart = useApp((state) => shownIn(state, sessionId)?.firstSeq ?? 0) <= 1;
  const toStart = () => {
    if (setEventAddress(1)) return;
    if (hasStart) virtualizer.scrollToOffset(0);
    else void cockpit.showEvent(sessionId, 1);
  };
  useActions({ 'session.end': toEnd, 'session.begin': toStart });
  const size = virtualizer.getTotalSize();
  // A list that doesn't fill the screen can't be scrolled, so no scroll would load what came before.
  useEffect(() => {
    // The last measured height: asking the element would force a layout with every word.
    const height = virtualizer.scrollRect?.height ?? 0;
    if (!hasStart && height > 0 && rows.length > 0 && size <= height) void cockpit.loadOlder(sessionId);
  }, [cockpit, sessionId, virtualizer, hasStart, rows, size]);
  useEffect(() => {
    const height = virtualizer.scrollRect?.height ?? 0;
    if (isAtEnd && rows.length > 0 && height > 0 && size > height + SPARE_PX) cockpit.trimWindow(sessionId);
  }, [cockpit, sessionId, virtualizer, isAtEnd, rows, size]);
  const onScrolled = () => {
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
        onScroll={onScrolled}
        onWheel={onUserInput}
        onTouchMove={onUserInput}
        onKeyDown={onUserInput}
        role="log"
        aria-label="Transcript"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div className="transcript-sheet" style={{ height: virtualizer.getTotalSize() }}>
          <OlderIndicator sessionId={sessionId} />
          <IdleContext value={isIdle}>
            {virtualizer.getVirtualItems().map((row) => (
              <div
                key={row.key}
                ref={virtualizer.measureElement}
                data-index={row.index}
                className={row.key === lit ? 'row-place lit' : 'row-place'}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <Row sessionId={sessionId} itemKey={String(row.key)} isFirst={row.index === 0} isLast={row.index === rows.length - 1} />
              </div>
            ))}
          </IdleContext>
          {isAway && <NewerIndicator sessionId={sessionId} />}
          {!isAway && isWorking && <WorkingIndicator sessionId={sessionId} />}
        </div>
      </div>
      {!isAtEnd && <NewPill unseen={isAway ? 0 : unseen} newer={newer} onClick={toEnd} />}
    </div>
  );
}

/** Runs after the person sent a message that will appear at the end. */
function useAfterSending(sessionId: string, run: () => void): void {
  const sent = useApp((state) => state.open.get(sessionId)?.sent ?? 0);
  const before = useRef(sent);
  useEffect(() => {
    if (before.current === sent) return;
    before.current = sent;
    run();
  });
}

/** The number of events between the window and the end. */
function newerThanShown(state: AppState, sessionId: string): number {
  const opened = state.open.get(sessionId);
  if (opened?.away === undefined || opened.away.branch !== undefined) return 0;
  return Math.max(0, opened.transcript.lastSeq - opened.away.transcript.lastSeq);
}

/**
 * The virtualizer repeats a scroll that had no room as soon as there is some. When rows were added or removed in between, its target has moved and the repeat
 * would skip rows that nobody has read, so drop it together with those rows. The library has no public API for this.
 */
function useDropLateScroll(virtualizer: object, rows: readonly string[]): void {
  const before = useRef(rows);
  if (rows[0] !== before.current[0] || rows.at(-1) !== before.current.at(-1)) (virtualizer as { _clampedAdjustment?: null })._clampedAdjustment = null;
  before.current = rows;
}
