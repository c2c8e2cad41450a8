import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useShell } from '../shell/shell-context.ts';
import '../styles/library.css';
import { KeyHint } from '../ui/key-hint.tsx';
import { numberText } from '../ui/words.ts';
import { type Filter, filterOf, NO_FILTER, searchOf } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { IndexLine } from './index-line.tsx';
import { ALL, totalOf } from './list-state.ts';
import { ListView } from './list-view.tsx';
import { useLibrary, useList } from './use-library.ts';

const route = getRouteApi('/sessions');

/** Every session of every agent, live and past, in one list. What it is narrowed to is in the address. */
export default function SessionsPage() {
  const library = useLibrary();
  const filter = filterOf(route.useSearch());
  const navigate = route.useNavigate();
  const { openNewSession } = useShell();
  const key = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same words are the same filter
  useEffect(() => {
    library.setFilter(filter);
    void library.loadProjects();
  }, [library, key]);
  const change = (part: Partial<Filter>) => void navigate({ search: searchOf({ ...filter, ...part }), replace: true });
  return (
    <main className="library">
      <header className="page-head">
        <h1>All sessions</h1>
        <p className="page-summary">
          <Count />
        </p>
        <button type="button" className="button primary new-session" onClick={openNewSession}>
          New session <KeyHint>c</KeyHint>
        </button>
      </header>
      <FilterBar filter={filter} onChange={change} onClear={() => change(NO_FILTER)} />
      <IndexLine />
      <ListView filterKey={key} onClear={() => change(NO_FILTER)} />
    </main>
  );
}

/** How many there are, as soon as that is known. */
function Count() {
  const total = useList((state) => (state.filter.group === '' ? totalOf(state, ALL) : state.projects?.reduce((sum, { sessions }) => sum + sessions, 0)));
  return total === undefined ? '' : numberText(total);
}
