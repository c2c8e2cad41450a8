import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useInspector } from '../inspector-context.ts';
import { useInspectorSearch } from '../use-inspector-search.ts';
import { useLastFileEvent } from '../use-last-file-event.ts';
import './changes.css';
import { openTreeReview, type Review } from '../review-store.ts';
import { ChangesBar } from './changes-bar.tsx';
import { ChangesEmpty } from './changes-empty.tsx';
import { ReviewView } from './review-view.tsx';
import { TurnsView } from './turns-view.tsx';

/** Everything a session changed: as its tools reported it, turn by turn with what commands did, or as git sees it. */
export default function ChangesPane() {
  const { tools } = useInspector();
  const [{ from }] = useInspectorSearch();
  if (from === 'turns') return <TurnChanges />;
  return from === 'tree' ? <TreeChanges /> : <Reviewed review={tools} />;
}

function TurnChanges() {
  return (
    <section className="changes" aria-label="Changes">
      <ChangesBar state={{ files: undefined }} />
      <TurnsView />
    </section>
  );
}

function TreeChanges() {
  const { api, sessionId } = useInspector();
  const [{ base }] = useInspectorSearch();
  const review = useMemo(() => openTreeReview(api, base === 'start' ? 'start' : 'head'), [api, base]);
  const work = useLastFileEvent(sessionId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads after the agent changed files
  useEffect(() => void review.refresh(), [review, work]);
  return <Reviewed review={review} />;
}

function Reviewed({ review }: { readonly review: Review }) {
  const { sessionId } = useInspector();
  const state = useStore(review.store);
  const cwd = useApp((app) => app.sessions.get(sessionId)?.cwd ?? '');
  return (
    <section className="changes" aria-label="Changes">
      <ChangesBar state={state} />
      <div role="alert">{state.problem !== undefined && <p className="form-problem">{state.problem}</p>}</div>
      {state.files === undefined && state.problem === undefined && <p className="side-words">Loading…</p>}
      {state.files !== undefined &&
        (state.files.length === 0 ? <ChangesEmpty tree={state.tree} /> : <ReviewView review={review} files={state.files} cwd={cwd} />)}
    </section>
  );
}
