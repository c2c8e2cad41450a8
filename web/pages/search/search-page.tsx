import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Choice } from '../../base/ui/filter-choice.tsx';
import { createApi } from '../../client/http/api.ts';
import { IndexLine } from '../../parts/session-list/index-line.tsx';
import { useLibrary, useList } from '../../parts/session-list/use-session-list.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import '../../parts/session-list/session-list.css';
import './search.css';
import { addressOf, questionOf, type Wanted, wantedOf, withOperator } from '../../parts/address/search-address.ts';
import { openFinder } from './finder.ts';
import { HitList } from './hit-list.tsx';
import { KINDS } from './kinds.ts';
import { SearchField } from './search-field.tsx';
import { SearchHelp } from './search-help.tsx';
import { SearchSummary } from './search-summary.tsx';

const route = getRouteApi('/search');

/** Over everything that any agent and any person ever said here. What is searched for is in the address. */
export default function SearchPage() {
  const [finder] = useState(() => openFinder(createApi(document.baseURI)));
  const wanted = wantedOf(route.useSearch());
  const navigate = route.useNavigate();
  const key = JSON.stringify(questionOf(wanted));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same words are the same question
  useEffect(() => void finder.ask(questionOf(wanted)), [finder, key]);
  useEffect(() => () => finder.close(), [finder]);
  const change = (part: Partial<Wanted>) => void navigate({ search: addressOf({ ...wanted, ...part }), replace: true });
  const narrow = (name: string, value: string) => change({ q: withOperator(wanted.q, name, value) });
  const phase = useStore(finder.store, (state) => state.phase);
  return (
    <main className="search-page">
      <header className="page-head">
        <h1>Search</h1>
        <SearchField value={wanted.q} onChange={(q) => change({ q })} />
      </header>
      <Filters wanted={wanted} onChange={change} />
      <div className="search-body">
        <IndexLine />
        <SearchSummary finder={finder} />
        {phase === 'nothing' ? <SearchHelp onUse={(term) => change({ q: `${wanted.q} ${term}`.trim() })} /> : <HitList finder={finder} onNarrow={narrow} />}
      </div>
    </main>
  );
}

function Filters({ wanted, onChange }: { readonly wanted: Wanted; readonly onChange: (part: Partial<Wanted>) => void }) {
  const library = useLibrary();
  const cockpit = useCockpit();
  const agents = useApp((state) => state.agents) ?? [];
  const projects = useList((state) => state.projects) ?? [];
  const session = useApp((state) => state.sessions.get(wanted.session)?.title);
  useEffect(() => void library.loadProjects(), [library]);
  useEffect(() => void (agents.length === 0 && cockpit.loadAgents()), [agents.length, cockpit]);
  return (
    <search className="filter-bar">
      <Choice
        label="Agent"
        any="any agent"
        value={wanted.agent}
        options={agents.map(({ id, title }) => [id, title])}
        onChange={(agent) => onChange({ agent })}
      />
      <Choice
        label="Project"
        any="any project"
        value={wanted.project}
        options={projects.map(({ id, title }) => [id, title])}
        onChange={(project) => onChange({ project })}
      />
      <Choice label="Kind" any="anything" value={wanted.kind} options={KINDS} onChange={(kind) => onChange({ kind })} />
      {wanted.session !== '' && (
        <button type="button" className="filter-toggle" aria-pressed="true" onClick={() => onChange({ session: '' })}>
          only in {session ?? 'one session'} ×
        </button>
      )}
    </search>
  );
}
