import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { useStore } from 'zustand';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useInspector } from '../inspector-context.ts';
import { useInspectorSearch } from '../use-inspector-search.ts';
import './raw.css';
import { useFormDraft } from '../../../../parts/common/use-form-draft.ts';
import { RawBar } from './raw-bar.tsx';
import { RawList } from './raw-list.tsx';
import { openRaw } from './raw-store.ts';

const FilterText = z.string();

/** The raw lines between Signalbox and the agent. */
export default function RawPane() {
  const { api, sessionId } = useInspector();
  const [{ run, side }] = useInspectorSearch();
  const raw = useMemo(() => openRaw(api, { ...(run !== undefined && { run }), ...(side !== undefined && { side }) }), [api, run, side]);
  const state = useStore(raw.store);
  const [filter, setFilter] = useFormDraft(`raw:${sessionId}`, FilterText, '');
  const [isFollowing, setFollowing] = useState(true);
  const atEnd = useRef(true);
  const onAtEnd = useCallback((isAtEnd: boolean) => {
    atEnd.current = isAtEnd;
  }, []);
  useEffect(() => void raw.open(), [raw]);
  // Every event of the session was a raw line first.
  const opened = useApp((app) => app.open.get(sessionId));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the session changes
  useEffect(() => {
    // Don't load more while the person reads earlier lines.
    if (isFollowing && atEnd.current) void raw.newer();
  }, [raw, opened, isFollowing]);
  const shown = useMemo(() => filtered(state.lines ?? [], filter), [state.lines, filter]);
  return (
    <section className="raw" aria-label="Raw lines">
      <RawBar
        state={state}
        filter={filter}
        onFilter={setFilter}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        summary={filter === '' ? undefined : `${shown.length} of ${state.lines?.length ?? 0} loaded lines`}
      />
      <div role="alert">{state.problem !== undefined && <p className="form-problem">{state.problem}</p>}</div>
      {state.lines?.length === 0 && <p className="side-words">{emptyText(state.source)}</p>}
      {shown.length > 0 && (
        <RawList
          key={`${state.run} ${state.side}`}
          raw={raw}
          state={state}
          lines={shown}
          isFollowing={isFollowing}
          isFiltered={filter !== ''}
          onAtEnd={onAtEnd}
        />
      )}
    </section>
  );
}

function filtered<T extends { readonly text: string }>(lines: readonly T[], filter: string): readonly T[] {
  const wanted = filter.toLowerCase();
  return wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
}

const emptyText = (source: 'run' | 'record' | undefined): string =>
  source === 'record' ? 'This session has no process here and no session file of its agent.' : 'Nothing written yet.';
