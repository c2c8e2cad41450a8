import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createUsageApi } from '../../client/http/usage-api.ts';
import 'uplot/dist/uPlot.min.css';
import './usage.css';
import { DaySection } from './day-section.tsx';
import { joinNames, shortNumber } from './number-text.ts';
import { RangePicker } from './range-picker.tsx';
import { Totals } from './totals.tsx';
import { openUsage, type Spending } from './usage-store.ts';
import { UsageTable } from './usage-table.tsx';
import { useUsageSearch } from './use-usage-search.ts';

/** Cost and tokens of all agents by day, model, project and agent. */
export default function UsagePage() {
  const [search, setSearch] = useUsageSearch();
  const [usage] = useState(() => openUsage(createUsageApi(document.baseURI), Date.now, search.range));
  useEffect(() => usage.follow(), [usage]);
  useEffect(() => {
    if (usage.store.getState().range !== search.range) void usage.choose(search.range);
  }, [usage, search.range]);
  const { range, spending, problem } = useStore(usage.store);
  return (
    <main className="usage">
      <header className="page-head">
        <h1>Usage</h1>
        <RangePicker range={search.range} onChoose={(chosen) => setSearch({ range: chosen })} />
      </header>
      <div className="usage-body">
        <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
        <p className="usage-reading" role="status">
          {spending?.day.whole === false && 'Still importing past sessions; these numbers will grow.'}
        </p>
        {spending !== undefined && <UsageReport spending={spending} range={range} unit={search.unit} onUnit={(unit) => setSearch({ unit })} />}
      </div>
    </main>
  );
}

type UsageReportProps = { readonly spending: Spending } & Pick<Parameters<typeof DaySection>[0], 'range' | 'unit' | 'onUnit'>;

function UsageReport({ spending, ...chosen }: UsageReportProps) {
  const { day, model, project, agent } = spending;
  if (day.total.sessions === 0) return <p className="quiet">No usage in this period</p>;
  return (
    <>
      <Totals total={day.total} />
      <Unpriced names={day.unpriced} tokens={day.total.unpricedTokens} />
      <DaySection rows={day.rows} hasCost={day.total.costUsd > 0} {...chosen} />
      <div className="usage-tables">
        <UsageTable title="By model" what="Model" list={model} />
        <UsageTable title="By project" what="Project" list={project} />
        <UsageTable title="By agent" what="Agent" list={agent} />
      </div>
    </>
  );
}

function Unpriced({ names, tokens }: { readonly names: readonly string[]; readonly tokens: number }) {
  if (names.length === 0) return null;
  return (
    <p className="usage-unpriced">
      No price known for {joinNames(names)}: {shortNumber(tokens)} tokens are counted, but their cost is not included.
    </p>
  );
}
