import type { ComponentType } from 'react';
import type { Session } from '../../../src/protocol/session.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import type { DeckSelection } from './use-deck-selection.ts';

export interface RowProps {
  readonly session: Session;
  readonly isChosen: boolean;
  /** Selected with the keys. */
  readonly takesFocus: boolean;
}

interface DeckSectionProps {
  readonly name: 'running' | 'recent';
  readonly title: string;
  readonly sessions: readonly Session[];
  readonly selection: DeckSelection;
  readonly Row: ComponentType<RowProps>;
}

export function DeckSection({ name, title, sessions, selection: { sessionId, isByKeyboard }, Row }: DeckSectionProps) {
  if (sessions.length === 0) return null;
  return (
    <section className={`deck-section deck-${name}`}>
      <h2>{title}</h2>
      <ul>
        {sessions.map((session) => (
          <TextBoundary key={session.id} of={session} text={() => session.title}>
            <Row session={session} isChosen={session.id === sessionId} takesFocus={isByKeyboard && session.id === sessionId} />
          </TextBoundary>
        ))}
      </ul>
    </section>
  );
}
