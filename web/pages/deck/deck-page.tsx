import { Link } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo } from 'react';
import { isSession } from '../../../src/protocol/ids.ts';
import { useShell } from '../../base/actions/shell-context.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import { useWaitingEntries } from '../../parts/approvals/list/pending-cards.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { type DeckSections, deckSections, isWaiting } from '../../store/sessions/deck.ts';
import { DeckEmpty } from './deck-empty.tsx';
import { DeckSection } from './deck-section.tsx';
import { Panel } from './panel/panel.tsx';
import { ProjectList } from './project-list.tsx';
import { RunningRow } from './running-row.tsx';
import { SessionRow } from './session-row.tsx';
import { useDeckSelection } from './use-deck-selection.ts';
import { WaitingColumn } from './waiting-column.tsx';

const CutOffCard = lazily(() => import('./cut-off-card.tsx'));
const RecapLine = lazily(() => import('./recap-line.tsx'));
const Schedule = lazily(() => import('./schedule.tsx'));

/** The panel, pending requests, running sessions and recent ones. */
export function DeckPage() {
  const sessions = useApp((state) => state.sessions);
  const listKnown = useApp((state) => state.listKnown);
  const isConnected = useApp((state) => state.phase.name === 'open');
  const sections = useMemo(() => deckSections(sessions.values()), [sessions]);
  const entries = useWaitingEntries();
  const onCards = useMemo(() => [...new Set(entries.filter(({ left }) => left === undefined).map(({ permission }) => permission.sessionId))], [entries]);
  // A session that needs you has its card: a row would say the same again.
  const running = useMemo(() => sections.running.filter(({ id }) => !onCards.includes(id)), [sections, onCards]);
  const selection = useDeckSelection([...onCards, ...[...running, ...sections.recent].map(({ id }) => id)], entries);
  const isEmpty = sections.running.length + sections.recent.length === 0;
  const hasCutOff = useMemo(() => [...sessions.values()].some(({ cutOff }) => cutOff !== undefined), [sessions]);
  const hasSchedule = useMemo(() => [...sessions.values()].some(({ continuesAt }) => continuesAt !== undefined), [sessions]);
  // Plans ask too.
  const asking = entries.filter(({ permission, left }) => left === undefined && !isSession(permission.sessionId)).length;
  const hasRecap = useApp((state) => state.recap !== undefined);
  const { openNewSession } = useShell();
  useFresh(listKnown);
  return (
    <main className="deck" onFocusCapture={selection.onFocusCapture}>
      <header className="page-head">
        <h1>Signalbox</h1>
        <p className="page-summary">{listKnown ? summaryText(sections, asking, isConnected) : 'Loading…'}</p>
        <button type="button" className="button primary new-session" onClick={openNewSession}>
          New session <KeyHint>c</KeyHint>
        </button>
      </header>
      <div className="deck-scroll">
        {!isEmpty && <Panel />}
        <div className="deck-body">
          <div className="deck-list">
            {hasCutOff && (
              <Suspense>
                <CutOffCard />
              </Suspense>
            )}
            {hasRecap && (
              <Suspense>
                <RecapLine />
              </Suspense>
            )}
            {listKnown && isEmpty && <DeckEmpty />}
            <DeckSection
              name="running"
              title={running.some(isWaiting) ? 'Running and waiting' : 'Running'}
              sessions={running}
              selection={selection}
              Row={RunningRow}
            />
            <DeckSection name="recent" title="Recent" sessions={sections.recent} selection={selection} Row={SessionRow} />
            {!isEmpty && (
              <Link to="/sessions" className="text-button deck-all">
                All sessions, live and past
              </Link>
            )}
          </div>
          <div className="deck-side">
            <WaitingColumn entries={entries} selection={selection} />
            {hasSchedule && (
              <Suspense>
                <Schedule />
              </Suspense>
            )}
            <ProjectList />
          </div>
        </div>
      </div>
    </main>
  );
}

/** Loads what only this page shows. Waits for the session list, so that no change in between is lost. */
function useFresh(listKnown: boolean): void {
  const cockpit = useCockpit();
  useEffect(() => {
    if (!listKnown) return;
    void cockpit.loadPanel();
    void cockpit.loadProjects();
  }, [cockpit, listKnown]);
}

/** What is going on now. While offline, this is the last known state. */
function summaryText(sections: DeckSections, asking: number, isConnected: boolean): string {
  const summary = deckSummary(sections, asking);
  return isConnected ? summary : `Offline. Last known: ${summary.toLowerCase()}`;
}

function deckSummary({ running }: DeckSections, asking: number): string {
  if (running.length + asking === 0) return 'All quiet';
  const ofSessions = running.filter(isWaiting).length;
  const waiting = ofSessions + asking;
  const inLine = running.filter(({ placeInLine }) => placeInLine !== undefined).length;
  const working = running.length - ofSessions - inLine;
  const parts = working > 0 ? [`${working} running`] : [];
  if (inLine > 0) parts.push(`${inLine} in line`);
  if (waiting > 0) parts.push(`${waiting} ${waiting === 1 ? 'needs' : 'need'} you`);
  return parts.join(', ');
}
