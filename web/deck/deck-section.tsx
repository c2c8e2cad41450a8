import type { ComponentType } from 'react';
import type { Session } from '../../src/protocol/session.ts';

export interface RowProps {
  readonly session: Session;
  readonly isChosen: boolean;
}

interface DeckSectionProps {
  readonly name: 'running' | 'recent';
  readonly title: string;
  readonly sessions: readonly Session[];
  readonly chosenId: string | undefined;
  readonly Row: ComponentType<RowProps>;
}

export function DeckSection({ name, title, sessions, chosenId, Row }: DeckSectionProps) {
  if (sessions.length === 0) return null;
  return (
    <section className={`deck-section deck-${name}`}>
      <h2>{title}</h2>
      <ul>
        {sessions.map((session) => (
          <Row key={session.id} session={session} isChosen={session.id === chosenId} />
        ))}
      </ul>
    </section>
  );
}
