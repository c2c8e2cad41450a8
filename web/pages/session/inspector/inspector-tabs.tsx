import { Link } from '@tanstack/react-router';
import { Maximize2, Minimize2, X } from 'lucide-react';
import { useStore } from 'zustand';
import { INSPECTOR_TITLES, INSPECTOR_VIEWS, type InspectorView } from '../../../parts/address/inspector-address.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { useInspector } from './inspector-context.ts';
import { useInspectorSearch } from './use-inspector-search.ts';

interface InspectorTabsProps {
  readonly sessionId: string;
  readonly pane: InspectorView | undefined;
}

export function InspectorTabs({ sessionId, pane }: InspectorTabsProps) {
  return (
    <nav className="side-tabs" aria-label="Inspector">
      {INSPECTOR_VIEWS.map((one) => (
        <Link
          key={one}
          to={`/s/$sessionId/${one}`}
          params={{ sessionId }}
          search={(before: Readonly<Record<string, unknown>>) => (typeof before.wide === 'string' ? { wide: before.wide } : {})}
          hash
          className="side-tab"
          aria-current={one === pane ? 'page' : undefined}
        >
          {INSPECTOR_TITLES[one]}
          {one === 'changes' && <ChangedCount />}
          {one === 'review' && <DraftCount sessionId={sessionId} />}
        </Link>
      ))}
      {pane !== undefined && <InspectorButtons sessionId={sessionId} />}
    </nav>
  );
}

/** The number of changed files, once known. */
function ChangedCount() {
  const { store } = useInspector().tools;
  const count = useStore(store, (state) => state.files?.length);
  return count === undefined || count === 0 ? null : <span className="side-count"> {count}</span>;
}

/** The number of comments that have not been sent. */
function DraftCount({ sessionId }: { readonly sessionId: string }) {
  const count = useApp((state) => state.sessions.get(sessionId)?.drafts);
  return count === undefined ? null : <span className="side-count"> {count}</span>;
}

function InspectorButtons({ sessionId }: { readonly sessionId: string }) {
  const [{ wide }, change] = useInspectorSearch();
  return (
    <span className="side-buttons">
      <button
        type="button"
        className="icon-button widen"
        aria-label={wide === undefined ? 'Full width' : 'Show the transcript too'}
        onClick={() => change({ wide: wide === undefined ? '1' : '' })}
      >
        {wide === undefined ? <Maximize2 size={14} aria-hidden="true" /> : <Minimize2 size={14} aria-hidden="true" />}
      </button>
      <Link to="/s/$sessionId" params={{ sessionId }} hash className="icon-button" aria-label="Close inspector">
        <X size={16} aria-hidden="true" />
      </Link>
    </span>
  );
}
