import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useActions } from '../actions/actions-context.ts';
import { useApp } from '../app/cockpit-context.ts';
import { useShell } from '../shell/shell-context.ts';
import { deckSections } from '../store/deck.ts';
import { KeyHint } from '../ui/key-hint.tsx';
import { DeckEmpty } from './deck-empty.tsx';
import { DeckSection } from './deck-section.tsx';
import { deckSummary } from './deck-summary.ts';
import { WaitingColumn } from './waiting-column.tsx';

/** What waits for you, what runs, and the latest of what was. */
export function DeckPage() {
  const sessions = useApp((state) => state.sessions);
  const listKnown = useApp((state) => state.listKnown);
  const isConnected = useApp((state) => state.phase.name === 'open');
  const sections = useMemo(() => deckSections(sessions.values()), [sessions]);
  const inOrder = useMemo(() => [...sections.waiting, ...sections.running, ...sections.recent], [sections]);
  const [chosen, setChosen] = useState(-1);
  const navigate = useNavigate();
  const { openNewSession } = useShell();
  const move = (by: number) => setChosen((at) => Math.max(0, Math.min(inOrder.length - 1, at + by)));
  const chosenId = inOrder[chosen]?.id;
  useActions({
    'list.next': () => move(1),
    'list.previous': () => move(-1),
    'list.open': chosenId === undefined ? undefined : () => void navigate({ to: '/s/$sessionId', params: { sessionId: chosenId } }),
  });
  return (
    <main className="deck">
      <header className="page-head">
        <h1>Signalbox</h1>
        <p className="page-summary">{listKnown ? `${isConnected ? '' : 'as last heard: '}${deckSummary(sections)}` : 'asking the server…'}</p>
        <button type="button" className="button primary new-session" onClick={openNewSession}>
          New session <KeyHint>c</KeyHint>
        </button>
      </header>
      <div className="deck-body">
        <div className="deck-list">
          {listKnown && inOrder.length === 0 && <DeckEmpty />}
          <DeckSection name="waiting" title="Waits for you" sessions={sections.waiting} chosenId={chosenId} />
          <DeckSection name="running" title="Running" sessions={sections.running} chosenId={chosenId} />
          <DeckSection name="recent" title="Recent" sessions={sections.recent} chosenId={chosenId} />
          {inOrder.length > 0 && (
            <Link to="/sessions" className="text-button deck-all">
              All sessions, live and past
            </Link>
          )}
        </div>
        <WaitingColumn />
      </div>
    </main>
  );
}
