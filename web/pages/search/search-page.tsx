import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Choice } from '../../base/ui/filter-choice.tsx';
import { createApi } from '../../client/http/api.ts';
import { IndexLine } from '../../parts/session-list/index-line.tsx';
import { useSessionList, useSessionListState } from '../../parts/session-list/use-session-list.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import '../../parts/session-list/session-list.css';
import './search.css';
import { type SearchFilters, searchAddressOf, searchFiltersOf, searchQueryOf, withOperator } from '../../parts/address/search-address.ts';
import { KINDS } from './hit-kinds.ts';
import { HitList } from './hit-list.tsx';
import { SearchField } from './search-field.tsx';
import { SearchHelp } from './search-help.tsx';
import { openSearch } from './search-store.ts';
import { SearchSummary } from './search-summary.tsx';

const route = getRouteApi('/search');

/** Full-text search over all sessions. The address holds the query. */
export default function SearchPage() {
  const [search] = useState(() => openSearch(createApi(document.baseURI)));
  const query = searchFiltersOf(route.useSearch());
  const navigate = route.useNavigate();
  const key = JSON.stringify(searchQueryOf(query));
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal queries have the same key
  useEffect(() => void search.ask(searchQueryOf(query)), [search, key]);
  useEffect(() => () => search.close(), [search]);
  const change = (part: Partial<SearchFilters>) => void navigate({ search: searchAddressOf({ ...query, ...part }), replace: true });
  const narrow = (name: string, value: string) => change({ q: withOperator(query.q, name, value) });
  const phase = useStore(search.store, (state) => state.phase);
  return (
    <main className="search-page">
      <header className="page-head">
        <h1>Search</h1>
        <SearchField value={query.q} onChange={(q) => change({ q })} />
      </header>
      <Filters query={query} onChange={change} />
      <div className="search-body">
        <IndexLine />
        <SearchSummary search={search} />
        {phase === 'nothing' ? <SearchHelp onUse={(term) => change({ q: `${query.q} ${term}`.trim() })} /> : <HitList search={search} onNarrow={narrow} />}
      </div>
    </main>
  );
}

function Filters({ query, onChange }: { readonly query: SearchFilters; readonly onChange: (part: Partial<SearchFilters>) => void }) {
  const sessionList = useSessionList();
  const cockpit = useCockpit();
  const agents = useApp((state) => state.agents) ?? [];
  const projects = useSessionListState((state) => state.projects) ?? [];
  const session = useApp((state) => state.sessions.get(query.session)?.title);
  useEffect(() => void sessionList.loadProjects(), [sessionList]);
  useEffect(() => void (agents.length === 0 && cockpit.loadAgents()), [agents.length, cockpit]);
  return (
    <search className="filter-bar">
      <Choice
        label="Agent"
        any="Any agent"
        value={query.agent}
        options={agents.map(({ id, title }) => [id, title])}
        onChange={(agent) => onChange({ agent })}
      />
      <Choice
        label="Project"
        any="Any project"
        value={query.project}
        options={projects.map(({ id, title }) => [id, title])}
        onChange={(project) => onChange({ project })}
      />
      <Choice label="Kind" any="Any kind" value={query.kind} options={KINDS} onChange={(kind) => onChange({ kind })} />
      {query.session !== '' && (
        <button type="button" className="filter-toggle" aria-pressed="true" onClick={() => onChange({ session: '' })}>
          Only in {session ?? 'one session'} ×
        </button>
      )}
    </search>
  );
}
