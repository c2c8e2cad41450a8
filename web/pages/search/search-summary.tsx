import { useStore } from 'zustand';
import { countText } from '../../base/text/format.ts';
import type { SearchState, SearchStore } from './search-store.ts';

/** The number of results, and whether more may follow. */
export function SearchSummary({ search }: { readonly search: SearchStore }) {
  const text = useStore(search.store, summaryText);
  const problem = useStore(search.store, (state) => state.problem);
  const isComplete = useStore(search.store, (state) => state.isComplete);
  return (
    <div className="search-summary">
      <p role="status">
        {text}
        {!isComplete && <span className="quiet"> · still indexing, more may follow</span>}
      </p>
      <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
    </div>
  );
}

export function summaryText({ phase, total, hasMore, hits }: SearchState): string {
  if (phase === 'nothing' || phase === 'failed') return '';
  if (phase === 'asking' && hits.length === 0) return 'Searching…';
  if (total === 0) return 'No results';
  return `${hasMore ? 'At least ' : ''}${countText(total, 'result')}`;
}
