import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createUsageApi } from '../../client/http/usage-api.ts';
import 'uplot/dist/uPlot.min.css';
import './usage.css';
import { DaySection } from './day-section.tsx';
import { listed, manyText } from './figures.ts';
import { RangePicker } from './range-picker.tsx';
import { Totals } from './totals.tsx';
import { openUsage, type Spending } from './usage-store.ts';
import { UsageTable } from './usage-table.tsx';
import { useUsageSearch } from './use-usage-search.ts';

/** What all agents spent: by day, by model, by project, by agent. */
export default function UsagePage() {
  const [wished, wish] = useUsageSearch();
  const [usage] = useState(() => openUsage(createUsageApi(document.baseURI), Date.now, wished.range));
  useEffect(() => usage.follow(), [usage]);
  useEffect(() => {
    if (usage.store.getState().range !== wished.range) void usage.choose(wished.range);
  }, [usage, wished.range]);
  const { range, spending, problem } = useStore(usage.store);
  return (
    <main className="usage">
      <header className="page-head">
        <h1>Usage</h1>
        <RangePicker range={wished.range} onChoose={(chosen) => wish({ range: chosen })} />
      </header>
      <div className="usage-body">
        <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
        <p className="usage-reading" role="status">
          {spending?.day.whole === false && 'Still reading past sessions: these figures will grow.'}
        </p>
        {spending !== undefined && <Spent spending={spending} range={range} unit={wished.unit} onUnit={(unit) => wish({ unit })} />}
      </div>
    </main>
  );
}

type SpentProps = { readonly spending: Spending } & Pick<Parameters<typeof DaySection>[0], 'range' | 'unit' | 'onUnit'>;

function Spent({ spending, ...chosen }: SpentProps) {
  const { day, model, project, agent } = spending;
  if (day.total.sessions === 0) return <p className="quiet">Nothing was spent in this time.</p>;
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
      The price of {listed(names)} is not known: {manyText(tokens)} tokens are counted, but their cost is not in the sum.
    </p>
  );
}
