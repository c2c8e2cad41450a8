import { useList } from '../../parts/session-list/use-session-list.ts';
import { NO_FILTER, searchOf } from '../../store/session-list/filter.ts';

/** Nothing fits, or there is nothing yet: what to do about it differs. */
export function ListEmpty({ onClear }: { readonly onClear: () => void }) {
  const isNarrowed = useList((state) => Object.keys(searchOf({ ...state.filter, group: NO_FILTER.group })).length > 0);
  if (!isNarrowed) return <p className="list-empty">There are no sessions yet. Those of other programs appear here by themselves.</p>;
  return (
    <p className="list-empty">
      No session fits.{' '}
      <button type="button" className="text-button" onClick={onClear}>
        Show all of them
      </button>
    </p>
  );
}
