import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RawLine } from '../../../../../src/protocol/api/raw.ts';
import { TextBoundary } from '../../../../base/ui/plain-text.tsx';
import { RawLineView } from './raw-line.tsx';
import type { RawState, RawStore } from './raw-store.ts';

const LINE_PX = 24;
/** Closer to an end than this, more is loaded. */
const FETCH_PX = 400;

interface RawListProps {
  readonly raw: RawStore;
  readonly state: RawState;
  readonly lines: readonly RawLine[];
  readonly isFollowing: boolean;
  /** A filter is active: then nothing more is loaded automatically. */
  readonly isFiltered: boolean;
  readonly onAtEnd: (isAtEnd: boolean) => void;
}

/** Virtualized lines; more are loaded at either end. */
export function RawList({ raw, state, lines, isFollowing, isFiltered, onAtEnd }: RawListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: useCallback((index: number) => lines[index]?.place ?? index, [lines]),
    anchorTo: 'end',
    followOnAppend: isFollowing,
    overscan: 20,
  });
  const size = virtualizer.getTotalSize();
  // Starts at the end, where the newest lines are.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => void virtualizer.scrollToEnd(), []);
  const loadMore = useCallback(() => {
    const area = scroller.current;
    if (area === null || isFiltered) return;
    const below = area.scrollHeight - area.clientHeight - area.scrollTop;
    onAtEnd(below < FETCH_PX);
    if (area.scrollTop < FETCH_PX && state.before !== undefined) void raw.older();
    if (state.more && below < FETCH_PX) void raw.newer();
  }, [raw, state.before, state.more, isFiltered, onAtEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that doesn't fill the screen can't be scrolled
  useEffect(loadMore, [loadMore, size]);
  const toggle = (place: number) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(place)) after.add(place);
      return after;
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroller} className="raw-list" tabIndex={0} aria-label="Lines" onScroll={loadMore}>
      <div className="raw-sheet" style={{ height: size }}>
        {virtualizer.getVirtualItems().map((place) => {
          const line = lines[place.index];
          return (
            <div
              key={place.key}
              ref={virtualizer.measureElement}
              data-index={place.index}
              className="raw-place"
              style={{ transform: `translateY(${place.start}px)` }}
            >
              {line !== undefined && (
                <TextBoundary of={line} text={() => line.text}>
                  <RawLineView line={line} isOpen={open.has(line.place)} onToggle={toggle} />
                </TextBoundary>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}
