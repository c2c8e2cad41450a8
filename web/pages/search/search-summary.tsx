import { useStore } from 'zustand';
import { countText } from '../../base/words/words.ts';
import type { Finder, FinderState } from './finder.ts';

/** How many hits there are, as far as that is known, and whether more may come. */
export function SearchSummary({ finder }: { readonly finder: Finder }) {
  const words = useStore(finder.store, summaryText);
  const problem = useStore(finder.store, (state) => state.problem);
  const isWhole = useStore(finder.store, (state) => state.isWhole);
  return (
    <div className="search-summary">
      <p role="status">
        {words}
        {!isWhole && <span className="quiet"> · still reading, more may come</span>}
      </p>
      <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
    </div>
  );
}

export function summaryText({ phase, total, hasMore, hits }: FinderState): string {
  if (phase === 'nothing' || phase === 'failed') return '';
  if (phase === 'asking' && hits.length === 0) return 'searching…';
  if (total === 0) return 'nothing found';
  return `${hasMore ? 'at least ' : ''}${countText(total, 'hit')}`;
}
