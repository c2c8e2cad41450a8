import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useShell } from '../../base/actions/shell-context.ts';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import { useTray } from '../../parts/approvals/list/use-waiting-cards.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { deckSections, isWaiting } from '../../store/sessions/deck.ts';
import { DeckEmpty } from './deck-empty.tsx';
import { DeckSection } from './deck-section.tsx';
import { deckSummary } from './deck-summary.ts';
import { Panel } from './panel/panel.tsx';
import { ProjectList } from './project-list.tsx';
import { RunningRow } from './running-row.tsx';
import { SessionRow } from './session-row.tsx';
import { useDeckSelection } from './use-deck-selection.ts';
import { WaitingColumn } from './waiting-column.tsx';

/** The panel, what waits for you, what runs, and the latest of what was. */
export function DeckPage() {
  const sessions = useApp((state) => state.sessions);
  const listKnown = useApp((state) => state.listKnown);
  const isConnected = useApp((state) => state.phase.name === 'open');
  const sections = useMemo(() => deckSections(sessions.values()), [sessions]);
  const inOrder = useMemo(() => [...sections.running, ...sections.recent], [sections]);
  const entries = useTray();
  const selection = useDeckSelection(
    inOrder.map(({ id }) => id),
    entries,
  );
  const { openNewSession } = useShell();
  useFresh(listKnown);
  return (
    <main className="deck" onFocusCapture={selection.onFocusCapture}>
      <header className="page-head">
        <h1>Signalbox</h1>
        <p className="page-summary">{listKnown ? `${isConnected ? '' : 'as last heard: '}${deckSummary(sections)}` : 'asking the server…'}</p>
        <button type="button" className="button primary new-session" onClick={openNewSession}>
          New session <KeyHint>c</KeyHint>
        </button>
      </header>
      <div className="deck-scroll">
        {inOrder.length > 0 && <Panel />}
        <div className="deck-body">
          <div className="deck-list">
            {listKnown && inOrder.length === 0 && <DeckEmpty />}
            <DeckSection
              name="running"
              title={sections.running.some(isWaiting) ? 'Running and waiting' : 'Running'}
              sessions={sections.running}
              selection={selection}
              Row={RunningRow}
            />
            <DeckSection name="recent" title="Recent" sessions={sections.recent} selection={selection} Row={SessionRow} />
            {inOrder.length > 0 && (
              <Link to="/sessions" className="text-button deck-all">
                All sessions, live and past
              </Link>
            )}
          </div>
          <div className="deck-side">
            <WaitingColumn entries={entries} selection={selection} />
            <ProjectList />
          </div>
        </div>
      </div>
    </main>
  );
}

/** What only this page shows is asked for when somebody looks at it; not before the list is told, so that nothing falls between the two. */
function useFresh(listKnown: boolean): void {
  const cockpit = useCockpit();
  useEffect(() => {
    if (!listKnown) return;
    void cockpit.loadPanel();
    void cockpit.loadProjects();
  }, [cockpit, listKnown]);
}
