import { Link } from '@tanstack/react-router';
import { Maximize2, Minimize2, X } from 'lucide-react';
import { useStore } from 'zustand';
import { SIDE_TITLES, SIDES, type Side } from '../../../parts/address/inspector-address.ts';
import { useSides } from './inspector-context.ts';
import { useSideSearch } from './use-inspector-search.ts';

interface SideTabsProps {
  readonly sessionId: string;
  readonly side: Side | undefined;
}

export function SideTabs({ sessionId, side }: SideTabsProps) {
  return (
    <nav className="side-tabs" aria-label="Beside the transcript">
      {SIDES.map((one) => (
        <Link
          key={one}
          to={`/s/$sessionId/${one}`}
          params={{ sessionId }}
          search={(before: Readonly<Record<string, unknown>>) => (typeof before.wide === 'string' ? { wide: before.wide } : {})}
          hash
          className="side-tab"
          aria-current={one === side ? 'page' : undefined}
        >
          {SIDE_TITLES[one]}
          {one === 'changes' && <ChangedCount />}
        </Link>
      ))}
      {side !== undefined && <SideButtons sessionId={sessionId} />}
    </nav>
  );
}

/** How many files, as soon as that is known. */
function ChangedCount() {
  const { store } = useSides().tools;
  const count = useStore(store, (state) => state.files?.length);
  return count === undefined || count === 0 ? null : <span className="side-count"> {count}</span>;
}

function SideButtons({ sessionId }: { readonly sessionId: string }) {
  const [{ wide }, change] = useSideSearch();
  return (
    <span className="side-buttons">
      <button
        type="button"
        className="icon-button widen"
        aria-label={wide === undefined ? 'Give it the whole page' : 'Show the transcript beside it'}
        onClick={() => change({ wide: wide === undefined ? '1' : '' })}
      >
        {wide === undefined ? <Maximize2 size={14} aria-hidden="true" /> : <Minimize2 size={14} aria-hidden="true" />}
      </button>
      <Link to="/s/$sessionId" params={{ sessionId }} hash className="icon-button" aria-label="Close, back to the transcript">
        <X size={16} aria-hidden="true" />
      </Link>
    </span>
  );
}
