import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useShell } from '../../base/actions/shell-context.ts';
import '../../parts/session-list/session-list.css';
import { numberText } from '../../base/text/format.ts';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import { IndexLine } from '../../parts/session-list/index-line.tsx';
import { useSessionList, useSessionListState } from '../../parts/session-list/use-session-list.ts';
import { type Filter, filterOf, NO_FILTER, searchOf } from '../../store/session-list/filter.ts';
import { ALL, totalOf } from '../../store/session-list/list-state.ts';
import { FilterBar } from './filter-bar.tsx';
import { ListView } from './list-view.tsx';

const route = getRouteApi('/sessions');

/** Every session of every agent, live and past. The address holds the filter. */
export default function SessionsPage() {
  const sessionList = useSessionList();
  const filter = filterOf(route.useSearch());
  const navigate = route.useNavigate();
  const { openNewSession } = useShell();
  const key = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal filters have the same key
  useEffect(() => {
    sessionList.setFilter(filter);
    void sessionList.loadProjects();
  }, [sessionList, key]);
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

/** The total, once known. */
function Count() {
  const total = useSessionListState((state) =>
    state.filter.group === '' ? totalOf(state, ALL) : state.projects?.reduce((sum, { sessions }) => sum + sessions, 0),
  );
  return total === undefined ? '' : numberText(total);
}
