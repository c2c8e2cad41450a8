import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { TextBoundary } from '../../../../base/ui/plain-text.tsx';
import { useCommentSource } from '../../../../parts/annotations/comment-context.ts';
import { moveInGutter } from '../../../../parts/annotations/gutter-keys.ts';
import { rowsIn } from '../../../../parts/annotations/line-place.ts';
import type { Review, ReviewFile } from '../review-store.ts';
import { useInspectorSearch } from '../use-inspector-search.ts';
import { FileList } from './file-list.tsx';
import { placeOfRows } from './place-of-rows.ts';
import { RowView } from './row-view.tsx';
import { nextRow, type ReviewRow, rowsOf, widestOf } from './rows.ts';

/** Fixed heights: nothing is measured, and nothing jumps. */
const HEIGHTS: Readonly<Record<ReviewRow['kind'], number>> = { file: 38, calls: 28, note: 28, wait: 28, gap: 14, hunk: 24, line: 20, pair: 20 };

interface ReviewViewProps {
  readonly review: Review;
  readonly files: readonly ReviewFile[];
  readonly cwd: string;
}

/** The file list, and below it one virtualized diff of all files. */
export function ReviewView({ review, files, cwd }: ReviewViewProps) {
  const [{ view, path }, change] = useInspectorSearch();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(files, view === 'split' ? 'split' : 'unified', folded), [files, view, folded]);
  const widest = useMemo(() => widestOf(rows), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number>();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback((index: number) => HEIGHTS[rows[index]?.kind ?? 'line'], [rows]),
    overscan: 20,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights change with the rows
  useLayoutEffect(() => virtualizer.measure(), [rows]);
  const goTo = (index: number | undefined) => {
    if (index === undefined) return;
    setAt(index);
    virtualizer.scrollToIndex(index, { align: 'start' });
    const file = fileAt(rows, index);
    if (file !== undefined && file.path !== path) change({ path: file.path });
  };
  const goToFile = (wanted: string) => goTo(rows.findIndex((row) => row.kind === 'file' && row.file.path === wanted));
  useOpenedAt(path, rows, (index) => virtualizer.scrollToIndex(index, { align: 'start' }));
  const toggle = (wanted: string) => setFolded((before) => toggled(before, wanted));
  useCommentSource(scroller, (selection) => {
    const covered = rowsIn(selection);
    return covered && placeOfRows(rows.slice(covered[0], covered[1] + 1));
  });
  const first = virtualizer.range?.startIndex ?? 0;
  const from = at !== undefined && at >= first && at <= (virtualizer.range?.endIndex ?? 0) ? at : first;
  const onKeyDown = (event: KeyboardEvent) => {
    if (moveInGutter(event)) return;
    const go = KEYS[event.key];
    if (go === undefined || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    // The same keys answer requests elsewhere; here they only move.
    event.preventDefault();
    goTo(nextRow(rows, from, go.step, go.kind));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only move; everything inside is a button or a link
    <div className="review" onKeyDown={onKeyDown}>
      <FileList files={files} cwd={cwd} current={fileAt(rows, from)?.path} onChoose={goToFile} />
      <section
        ref={scroller}
        className="review-scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Diff: j and k move between files, n and p between hunks, Enter chooses a line to comment on"
      >
        <div className="review-sheet" style={{ height: virtualizer.getTotalSize(), minWidth: `${view === 'split' ? widest * 2 : widest}ch` }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              <div
                key={item.key}
                data-index={item.index}
                className={item.index === at ? 'review-row at' : 'review-row'}
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                {row !== undefined && (
                  <TextBoundary of={row} text={() => JSON.stringify(row)}>
                    <RowView row={row} cwd={cwd} onFold={toggle} onNeed={review.need} />
                  </TextBoundary>
                )}
              </div>
            );
          })}
        </div>
      </section>
    </div>
  );
}

const KEYS: Readonly<Record<string, { readonly step: 1 | -1; readonly kind: 'file' | 'hunk' }>> = {
  j: { step: 1, kind: 'file' },
  k: { step: -1, kind: 'file' },
  n: { step: 1, kind: 'hunk' },
  p: { step: -1, kind: 'hunk' },
};

const isField = (target: EventTarget): boolean => target instanceof HTMLElement && target.matches('input, textarea, select');

function fileAt(rows: readonly ReviewRow[], index: number): ReviewFile | undefined {
  for (let at = Math.min(index, rows.length - 1); at >= 0; at--) {
    const row = rows[at];
    if (row?.kind === 'file') return row.file;
  }
  return undefined;
}

function toggled(before: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(path)) after.add(path);
  return after;
}

/** Scrolls to the file named in the address, once. */
function useOpenedAt(path: string | undefined, rows: readonly ReviewRow[], show: (index: number) => void): void {
  const wanted = useRef(path);
  useLayoutEffect(() => {
    const index = wanted.current === undefined ? -1 : rows.findIndex((row) => row.kind === 'file' && row.file.path === wanted.current);
    if (index < 0) return;
    wanted.current = undefined;
    show(index);
  });
}
