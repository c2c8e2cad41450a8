import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, CornerUpRight, File, Folder } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { sizeText } from '../../../../base/text/format.ts';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { useInspector } from '../inspector-context.ts';
import type { FolderState } from './folder-store.ts';
import { type TreeRow, treeRows } from './tree-rows.ts';

const ROW_PX = 28;

interface FolderTreeProps {
  readonly state: FolderState;
  readonly onToggle: (path: string) => void;
  readonly onChoose: (path: string) => void;
}

/** The folder tree, virtualized. Folders load when they are opened. */
export function FolderTree({ state, onToggle, onChoose }: FolderTreeProps) {
  const rows = useMemo(() => treeRows(state), [state]);
  const marked = useMarked();
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const virtualizer = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 10 });
  const act = (row: TreeRow | undefined) => {
    if (row?.kind !== 'entry') return;
    if (row.entry.kind === 'folder') onToggle(row.path);
    if (row.entry.kind === 'file') onChoose(row.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    const next = stepped(event.key, at, rows, row);
    if (next === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (next === 'act' || next === undefined) return act(row);
    setAt(next);
    virtualizer.scrollToIndex(next);
  };
  return (
    <div
      ref={scroller}
      className="folder-tree"
      role="tree"
      aria-label="Working folder"
      aria-activedescendant={rows.length === 0 ? undefined : `tree-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="tree-sheet" role="none" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const name = `tree-row${item.index === at ? ' at' : ''}${row.kind === 'entry' && row.path === state.shown?.file?.path ? ' shown' : ''}`;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active row
            <div
              key={item.key}
              id={`tree-${item.index}`}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-expanded={row.kind === 'entry' && row.entry.kind === 'folder' ? row.isOpen : undefined}
              aria-selected={item.index === at}
              className={name}
              style={{ height: ROW_PX, transform: `translateY(${item.start}px)`, paddingLeft: 12 + row.depth * 16 }}
              onClick={() => {
                setAt(item.index);
                act(row);
              }}
            >
              <TreeLine row={row} isMarked={row.kind === 'entry' && marked.has(row.path)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Arrow keys as in every tree: right opens, left closes or goes to the parent. */
function stepped(key: string, at: number, rows: readonly TreeRow[], row: TreeRow | undefined): number | 'act' | undefined {
  const isFolder = row?.kind === 'entry' && row.entry.kind === 'folder';
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return Math.min(rows.length - 1, at + 1);
    case 'ArrowUp':
    case 'k':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      return isFolder && !row.isOpen ? 'act' : Math.min(rows.length - 1, at + 1);
    case 'ArrowLeft':
      return isFolder && row.isOpen ? 'act' : Math.max(0, parentOf(rows, at));
    default:
      return undefined;
  }
}

function parentOf(rows: readonly TreeRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  return rows.findLastIndex((row, index) => index < at && row.depth < depth);
}

/** Files that the session changed, and their parent folders. */
function useMarked(): ReadonlySet<string> {
  const files = useStore(useInspector().tools.store, (state) => state.files);
  return useMemo(() => {
    const marked = new Set<string>();
    for (const { path } of files ?? []) for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) marked.add(path.slice(0, at));
    return marked;
  }, [files]);
}

function TreeLine({ row, isMarked }: { readonly row: TreeRow; readonly isMarked: boolean }) {
  if (row.kind === 'message') return <span className="quiet">{row.text}</span>;
  const { entry } = row;
  return (
    <>
      <TreeIcon row={row} />
      <span className="tree-name">
        <VisibleLine text={entry.name} />
      </span>
      {isMarked && <span className="tree-mark">changed</span>}
      {entry.kind === 'link' && <span className="quiet">links outside to {entry.target}, not followed</span>}
      {entry.kind !== 'link' && entry.target !== undefined && <span className="quiet">→ {entry.target}</span>}
      {entry.kind === 'other' && <span className="quiet">special file</span>}
      {entry.bytes !== undefined && <span className="tree-size">{sizeText(entry.bytes)}</span>}
    </>
  );
}

function TreeIcon({ row: { entry, isOpen } }: { readonly row: Extract<TreeRow, { kind: 'entry' }> }) {
  const size = { size: 14, 'aria-hidden': true } as const;
  if (entry.kind === 'folder') return isOpen ? <ChevronDown {...size} /> : <ChevronRight {...size} />;
  if (entry.kind === 'link') return <CornerUpRight {...size} />;
  return entry.kind === 'file' ? <File {...size} /> : <Folder {...size} />;
}
