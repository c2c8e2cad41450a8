import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { useStore } from 'zustand';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useSides } from '../inspector-context.ts';
import { useSideSearch } from '../use-inspector-search.ts';
import './raw.css';
import { useKept } from '../../../../parts/common/use-kept.ts';
import { RawBar } from './raw-bar.tsx';
import { RawList } from './raw-list.tsx';
import { openRaw } from './raw-store.ts';

const Words = z.string();

/** The very lines between Signalbox and the agent. */
export default function RawPane() {
  const { api, sessionId } = useSides();
  const [{ run, side }] = useSideSearch();
  const raw = useMemo(() => openRaw(api, { ...(run !== undefined && { run }), ...(side !== undefined && { side }) }), [api, run, side]);
  const state = useStore(raw.store);
  const [filter, setFilter] = useKept(`raw:${sessionId}`, Words, '');
  const [isFollowing, setFollowing] = useState(true);
  const atEnd = useRef(true);
  const onAtEnd = useCallback((isAtEnd: boolean) => {
    atEnd.current = isAtEnd;
  }, []);
  useEffect(() => void raw.open(), [raw]);
  // Everything the page hears of the session was a line first.
  const heard = useApp((app) => app.open.get(sessionId));
  // biome-ignore lint/correctness/useExhaustiveDependencies: something was heard
  useEffect(() => {
    // Who reads something earlier is left alone.
    if (isFollowing && atEnd.current) void raw.newer();
  }, [raw, heard, isFollowing]);
  const shown = useMemo(() => filtered(state.lines ?? [], filter), [state.lines, filter]);
  return (
    <section className="raw" aria-label="Raw lines">
      <RawBar
        state={state}
        filter={filter}
        onFilter={setFilter}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        words={filter === '' ? undefined : `${shown.length} of ${state.lines?.length ?? 0} lines that are loaded`}
      />
      <div role="alert">{state.problem !== undefined && <p className="form-problem">{state.problem}</p>}</div>
      {state.lines?.length === 0 && <p className="side-words">{emptyWords(state.source)}</p>}
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

function filtered<T extends { readonly text: string }>(lines: readonly T[], words: string): readonly T[] {
  const wanted = words.toLowerCase();
  return wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
}

const emptyWords = (source: 'run' | 'record' | undefined): string =>
  source === 'record' ? 'There is no process of this session here, and no record of its agent.' : 'Nothing was written here yet.';
