import { useSessionListState } from '../../parts/session-list/use-session-list.ts';
import { NO_FILTER, searchOf } from '../../store/session-list/filter.ts';

/** No matches, or no sessions yet: each says what to do. */
export function ListEmpty({ onClear }: { readonly onClear: () => void }) {
  const isNarrowed = useSessionListState((state) => Object.keys(searchOf({ ...state.filter, group: NO_FILTER.group })).length > 0);
  if (!isNarrowed) return <p className="list-empty">No sessions yet. Sessions from other programs appear here automatically.</p>;
  return (
    <p className="list-empty">
      No matching sessions.{' '}
      <button type="button" className="text-button" onClick={onClear}>
        Clear filters
      </button>
    </p>
  );
}
