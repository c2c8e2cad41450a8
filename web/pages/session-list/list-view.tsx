import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useActions } from '../../base/actions/actions-context.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import { useLibrary, useList } from '../../parts/session-list/use-session-list.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import { GroupHead } from './group-head.tsx';
import { indexOf, type Layout, type Line, layoutOf, lineAt, neighbour } from './layout.ts';
import { ListEmpty } from './list-empty.tsx';
import { ListRow } from './list-row.tsx';
import { MovedPill } from './moved-pill.tsx';
import { useHand } from './use-list-input.ts';
import { useRowLinks } from './use-row-links.ts';

/** Heights are fixed, so that a row that is not fetched yet has its place and nothing jumps when it comes. */
const ROW_PX = 56;
const HEAD_PX = 40;

interface ListViewProps {
  /** The filter of the address, which may be a moment ahead of the list. */
  readonly filterKey: string;
  readonly onClear: () => void;
}

/** The list: only what is near the eye is drawn, and only what was scrolled to is fetched. */
export function ListView({ filterKey, onClear }: ListViewProps) {
  const library = useLibrary();
  const scroller = useRef<HTMLDivElement>(null);
  const layout = useLayout();
  const isCurrent = useList((state) => JSON.stringify(state.filter) === filterKey);
  const isEmpty = useList((state) => layout.count === 0 && (state.filter.group === '' || state.projects !== undefined));
  const openRow = useRowLinks();
  const isGrouped = useList((state) => state.filter.group === 'project');
  const virtualizer = useVirtualizer({
    count: layout.count,
    getScrollElement: () => scroller.current,
    // The same functions for the same layout: else every place is reckoned again at every scroll.
    estimateSize: useCallback((index: number) => (lineAt(layout, index).kind === 'group' ? HEAD_PX : ROW_PX), [layout]),
    getItemKey: useCallback((index: number) => keyOf(lineAt(layout, index), index), [layout]),
    overscan: 3,
    initialOffset: library.scrollTop,
  });
  // Heights depend on what stands where: they are asked for again when that changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the layout that matters
  useLayoutEffect(() => virtualizer.measure(), [layout]);
  const items = virtualizer.getVirtualItems();
  // Another filter is another list, which begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the filter that matters
  useLayoutEffect(() => virtualizer.scrollToOffset(library.scrollTop), [filterKey, isCurrent]);
  useFetched(isCurrent ? layout : NOTHING, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  const { chosen, onFocusCapture } = useChosen(layout, (index) => virtualizer.scrollToIndex(index));
  const hand = useHand();
  const top = virtualizer.scrollOffset ?? 0;
  // Nothing jumps under a finger: rows change places when no hand is on them, nobody reads further down and no key has chosen one.
  const isHeld = hand.isOver || top > 0 || chosen !== undefined;
  useEffect(() => {
    library.scrollTop = top;
  }, [library, top]);
  return (
    <div className="list-frame">
      <MovedPill isHeld={isHeld} onShow={() => virtualizer.scrollToOffset(0)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={scroller} className={isGrouped ? 'list grouped' : 'list'} aria-label="Sessions" tabIndex={0} {...hand.ears}>
        {isEmpty && <ListEmpty onClear={onClear} />}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside answer to the keyboard, and their click comes here */}
        <ul className="list-sheet" onClick={openRow} onFocusCapture={onFocusCapture} style={{ height: virtualizer.getTotalSize() }}>
          {items.map((place) => (
            <li key={place.key} className="list-place" style={{ height: place.size, transform: `translateY(${place.start}px)` }}>
              <TextBoundary of={place.key} text={() => String(place.key)}>
                <LineView line={lineAt(layout, place.index)} chosen={chosen} />
              </TextBoundary>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const NOTHING: Layout = { count: 0, stretches: [] };

/** Drawn anew when something comes, goes or moves; what a row says is the row's own matter. */
function useLayout(): Layout {
  const [filter, lanes, projects, folded] = useList(useShallow((state) => [state.filter, state.lanes, state.projects, state.folded] as const));
  return useMemo(() => layoutOf({ filter, lanes, projects, folded }), [filter, lanes, projects, folded]);
}

const keyOf = (line: Line, index: number): string => {
  if (line.kind === 'session') return line.id;
  return line.kind === 'group' ? `group ${line.project.id}` : `coming ${index}`;
};

function LineView({ line, chosen }: { readonly line: Line; readonly chosen: string | undefined }) {
  switch (line.kind) {
    case 'group':
      return <GroupHead project={line.project} />;
    case 'session':
      return <ListRow id={line.id} isChosen={line.id === chosen} />;
    case 'coming':
      return <span className="row-coming" aria-hidden="true" />;
  }
}

/** What is on the screen and not there yet is fetched; it is asked again whenever a page came or the person scrolled. */
function useFetched(layout: Layout, first: number, last: number): void {
  const library = useLibrary();
  useEffect(() => {
    const wanted = new Set<string>();
    for (let at = first; at <= Math.min(last, layout.count - 1); at++) {
      const line = lineAt(layout, at);
      if (line.kind === 'coming') wanted.add(line.lane);
    }
    for (const lane of wanted) void library.load(lane);
  }, [library, layout, first, last]);
}

interface ChosenRow {
  readonly chosen: string | undefined;
  readonly onFocusCapture: (event: FocusEvent) => void;
}

/** The one row that keys act on. It stays the same one when it moves; one that is no longer in the list is not selected. */
function useChosen(layout: Layout, reveal: (index: number) => void): ChosenRow {
  const [wished, setChosen] = useState<string>();
  const chosen = wished !== undefined && indexOf(layout, wished) >= 0 ? wished : undefined;
  const navigate = useNavigate();
  const cockpit = useCockpit();
  const move = (by: 1 | -1) => {
    const next = neighbour(layout, chosen === undefined ? -1 : indexOf(layout, chosen), by);
    if (next === undefined) return;
    setChosen(next);
    reveal(indexOf(layout, next));
  };
  const star = () => {
    const session = chosen === undefined ? undefined : cockpit.library.store.getState().sessions.get(chosen);
    if (session === undefined) return;
    reveal(indexOf(layout, session.id));
    void cockpit.describe(session.id, { star: !session.star });
  };
  const leave = () => {
    setChosen(undefined);
    document.querySelector<HTMLElement>('.list-row :focus')?.blur();
  };
  useActions({
    'list.next': () => move(1),
    'list.previous': () => move(-1),
    'list.star': star,
    'list.leave': chosen === undefined ? undefined : leave,
    'list.open': chosen === undefined ? undefined : () => void navigate({ to: '/s/$sessionId', params: { sessionId: chosen } }),
  });
  // Tab can lead to another row too. A click with the mouse selects nothing: the list would stand still after every star.
  const onFocusCapture = ({ target }: FocusEvent) => {
    const row = target.closest('.list-row')?.querySelector<HTMLElement>('[data-session]')?.dataset.session;
    if (row !== undefined && target.matches(':focus-visible')) setChosen(row);
  };
  return { chosen, onFocusCapture };
}
