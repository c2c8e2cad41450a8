import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Finder } from './finder.ts';
import { grouped } from './grouped.ts';
import { HitGroupView } from './hit-group.tsx';

interface HitListProps {
  readonly finder: Finder;
  readonly onNarrow: (name: string, value: string) => void;
}

export function HitList({ finder, onNarrow }: HitListProps) {
  const hits = useStore(finder.store, (state) => state.hits);
  const isAsking = useStore(finder.store, (state) => state.phase === 'asking');
  const hasMore = useStore(finder.store, (state) => state.cursor !== undefined);
  const groups = useMemo(() => grouped(hits), [hits]);
  return (
    <div className={isAsking ? 'hits asking' : 'hits'}>
      {groups.map((group) => (
        <HitGroupView key={group.sessionId} group={group} onNarrow={onNarrow} />
      ))}
      {hasMore && (
        <button type="button" className="button" onClick={() => void finder.more()}>
          Show more
        </button>
      )}
    </div>
  );
}
