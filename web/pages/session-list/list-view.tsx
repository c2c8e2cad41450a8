import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type MouseEvent, type PointerEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useActions } from '../../base/actions/actions-context.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import { useSessionList, useSessionListState } from '../../parts/session-list/use-session-list.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import { GroupHead } from './group-head.tsx';
import { indexOf, type Layout, type Line, layoutOf, lineAt, neighbor } from './layout.ts';
import { ListEmpty } from './list-empty.tsx';
import { ListRow } from './list-row.tsx';
import { MovedPill } from './moved-pill.tsx';

/** Fixed heights reserve the space of rows that are not loaded yet, so that nothing jumps. */
const ROW_PX = 56;
const HEAD_PX = 40;

interface ListViewProps {
  /** The filter in the address, which may be slightly ahead of the list. */
  readonly filterKey: string;
  readonly onClear: () => void;
}

/** The virtualized list. Loads only what was scrolled to. */
export function ListView({ filterKey, onClear }: ListViewProps) {
  const sessionList = useSessionList();
  const scroller = useRef<HTMLDivElement>(null);
  const layout = useLayout();
  const isCurrent = useSessionListState((state) => JSON.stringify(state.filter) === filterKey);
  const isEmpty = useSessionListState((state) => layout.count === 0 && (state.filter.group === '' || state.projects !== undefined));
  const openRow = useRowLinks();
  const isGrouped = useSessionListState((state) => state.filter.group === 'project');
  const virtualizer = useVirtualizer({
    count: layout.count,
    getScrollElement: () => scroller.current,
    // Stable functions per layout: otherwise every position is computed again on every scroll.
    estimateSize: useCallback((index: number) => (lineAt(layout, index).kind === 'group' ? HEAD_PX : ROW_PX), [layout]),
    getItemKey: useCallback((index: number) => keyOf(lineAt(layout, index), index), [layout]),
    overscan: 3,
    initialOffset: sessionList.scrollTop,
  });
  // Heights depend on the layout: measure again when it changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the layout changes
  useLayoutEffect(() => virtualizer.measure(), [layout]);
  const items = virtualizer.getVirtualItems();
  // A new filter starts at the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the filter changes
  useLayoutEffect(() => virtualizer.scrollToOffset(sessionList.scrollTop), [filterKey, isCurrent]);
  useFetched(isCurrent ? layout : NOTHING, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  const { chosen, onFocusCapture } = useSelectedRow(layout, (index) => virtualizer.scrollToIndex(index));
  const pointer = usePointerOver();
  const top = virtualizer.scrollOffset ?? 0;
  // Nothing jumps under a finger: rows move only while no pointer is over them, the list is at its top and no row is selected.
  const isPaused = pointer.isOver || top > 0 || chosen !== undefined;
  useEffect(() => {
    sessionList.scrollTop = top;
  }, [sessionList, top]);
  return (
    <div className="list-frame">
      <MovedPill isPaused={isPaused} onShow={() => virtualizer.scrollToOffset(0)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={scroller} className={isGrouped ? 'list grouped' : 'list'} aria-label="Sessions" tabIndex={0} {...pointer.handlers}>
        {isEmpty && <ListEmpty onClear={onClear} />}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside handle the keyboard, and their clicks bubble up to here */}
        <ul className="list-sheet" onClick={openRow} onFocusCapture={onFocusCapture} style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => (
            <li key={item.key} className="list-place" style={{ height: item.size, transform: `translateY(${item.start}px)` }}>
              <TextBoundary of={item.key} text={() => String(item.key)}>
                <LineView line={lineAt(layout, item.index)} chosen={chosen} />
              </TextBoundary>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const NOTHING: Layout = { count: 0, sections: [] };

/** Changes only when rows come, go or move. Each row subscribes to its own content. */
function useLayout(): Layout {
  const [filter, lists, projects, folded] = useSessionListState(useShallow((state) => [state.filter, state.lists, state.projects, state.folded] as const));
  return useMemo(() => layoutOf({ filter, lists, projects, folded }), [filter, lists, projects, folded]);
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

/** Loads the rows on screen that are missing, again after every page and every scroll. */
function useFetched(layout: Layout, first: number, last: number): void {
  const sessionList = useSessionList();
  useEffect(() => {
    const wanted = new Set<string>();
    for (let at = first; at <= Math.min(last, layout.count - 1); at++) {
      const line = lineAt(layout, at);
      if (line.kind === 'coming') wanted.add(line.listKey);
    }
    for (const listKey of wanted) void sessionList.load(listKey);
  }, [sessionList, layout, first, last]);
}

interface SelectedRow {
  readonly chosen: string | undefined;
  readonly onFocusCapture: (event: FocusEvent) => void;
}

/** The row that keys act on. The selection follows a row that moves, and ends when the row leaves the list. */
function useSelectedRow(layout: Layout, reveal: (index: number) => void): SelectedRow {
  const [requested, setChosen] = useState<string>();
  const chosen = requested !== undefined && indexOf(layout, requested) >= 0 ? requested : undefined;
  const navigate = useNavigate();
  const cockpit = useCockpit();
  const move = (by: 1 | -1) => {
    const next = neighbor(layout, chosen === undefined ? -1 : indexOf(layout, chosen), by);
    if (next === undefined) return;
    setChosen(next);
    reveal(indexOf(layout, next));
  };
  const star = () => {
    const session = chosen === undefined ? undefined : cockpit.sessionList.store.getState().sessions.get(chosen);
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
  // Tab can select another row too. A mouse click selects nothing: otherwise the list would pause after every star.
  const onFocusCapture = ({ target }: FocusEvent) => {
    const row = target.closest('.list-row')?.querySelector<HTMLElement>('[data-session]')?.dataset.session;
    if (row !== undefined && target.matches(':focus-visible')) setChosen(row);
  };
  return { chosen, onFocusCapture };
}

/** How long the list stays paused after a finger was lifted. */
const LINGER_MS = 1500;

interface PointerOver {
  readonly isOver: boolean;
  readonly handlers: { onPointerEnter(): void; onPointerLeave(event: PointerEvent): void };
}

/** Whether a pointer is over the list: rows that move now would slide under it. */
function usePointerOver(): PointerOver {
  const [isOver, setOver] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const handlers = {
    onPointerEnter: () => {
      clearTimeout(timer.current);
      setOver(true);
    },
    onPointerLeave: (event: PointerEvent) => {
      timer.current = setTimeout(() => setOver(false), event.pointerType === 'mouse' ? 0 : LINGER_MS);
    },
  };
  return { isOver, handlers };
}

/** One listener for all rows: a router link in each would cost more than the rest of the row. */
function useRowLinks(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-session]') : null;
    const sessionId = link?.dataset.session;
    if (!isPlain || event.defaultPrevented || sessionId === undefined) return;
    event.preventDefault();
    void navigate({ to: '/s/$sessionId', params: { sessionId } });
  };
}
