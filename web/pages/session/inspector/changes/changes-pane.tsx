import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useSides } from '../inspector-context.ts';
import { useSideSearch } from '../use-inspector-search.ts';
import { useLastWork } from '../use-last-work.ts';
import './changes.css';
import { openTreeReview, type Review } from '../review-store.ts';
import { ChangesBar } from './changes-bar.tsx';
import { ChangesEmpty } from './changes-empty.tsx';
import { ReviewView } from './review-view.tsx';

/** Everything a session changed, as one review: as its tools told it, or as git sees the folder. */
export default function ChangesPane() {
  const { tools } = useSides();
  const [{ from }] = useSideSearch();
  return from === 'tree' ? <TreeChanges /> : <Reviewed review={tools} />;
}

function TreeChanges() {
  const { api, sessionId } = useSides();
  const [{ base }] = useSideSearch();
  const review = useMemo(() => openTreeReview(api, base === 'start' ? 'start' : 'head'), [api, base]);
  const work = useLastWork(sessionId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the agent did something, the folder is looked at again
  useEffect(() => void review.refresh(), [review, work]);
  return <Reviewed review={review} />;
}

function Reviewed({ review }: { readonly review: Review }) {
  const { sessionId } = useSides();
  const state = useStore(review.store);
  const cwd = useApp((app) => app.sessions.get(sessionId)?.cwd ?? '');
  return (
    <section className="changes" aria-label="Changes">
      <ChangesBar state={state} />
      <div role="alert">{state.problem !== undefined && <p className="form-problem">{state.problem}</p>}</div>
      {state.files === undefined && state.problem === undefined && <p className="side-words">Looking…</p>}
      {state.files !== undefined &&
        (state.files.length === 0 ? <ChangesEmpty tree={state.tree} /> : <ReviewView review={review} files={state.files} cwd={cwd} />)}
    </section>
  );
}
