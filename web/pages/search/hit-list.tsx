import { useMemo } from 'react';
import { useStore } from 'zustand';
import { groupHits } from './group-hits.ts';
import { HitGroupView } from './hit-group.tsx';
import type { SearchStore } from './search-store.ts';

interface HitListProps {
  readonly search: SearchStore;
  readonly onNarrow: (name: string, value: string) => void;
}

export function HitList({ search, onNarrow }: HitListProps) {
  const hits = useStore(search.store, (state) => state.hits);
  const isAsking = useStore(search.store, (state) => state.phase === 'asking');
  const hasMore = useStore(search.store, (state) => state.cursor !== undefined);
  const groups = useMemo(() => groupHits(hits), [hits]);
  return (
    <div className={isAsking ? 'hits asking' : 'hits'}>
      {groups.map((group) => (
        <HitGroupView key={group.sessionId} group={group} onNarrow={onNarrow} />
      ))}
      {hasMore && (
        <button type="button" className="button" onClick={() => void search.more()}>
          Show more
        </button>
      )}
    </div>
  );
}
