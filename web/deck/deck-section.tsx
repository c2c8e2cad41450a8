import type { Session } from '../../src/protocol/session.ts';
import { SessionRow } from './session-row.tsx';

interface DeckSectionProps {
  readonly name: 'waiting' | 'running' | 'recent';
  readonly title: string;
  readonly sessions: readonly Session[];
  readonly chosenId: string | undefined;
}

export function DeckSection({ name, title, sessions, chosenId }: DeckSectionProps) {
  if (sessions.length === 0) return null;
  return (
    <section className={`deck-section deck-${name}`}>
      <h2>{title}</h2>
      <ul>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} isChosen={session.id === chosenId} />
        ))}
      </ul>
    </section>
  );
}
