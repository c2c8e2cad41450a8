import { useNavigate } from '@tanstack/react-router';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { useCapabilities } from '../common/use-capabilities.ts';

interface RemediesProps {
  readonly sessionId: string;
  readonly compactCommand: string | undefined;
  readonly onHandOver: () => void;
}

/** What helps a session whose context is full. */
export function Remedies({ sessionId, compactCommand, onHandOver }: RemediesProps) {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const can = useCapabilities(sessionId);
  const isElsewhere = useApp((state) => state.sessions.get(sessionId)?.control === 'elsewhere');
  const fork = async () => {
    const made = await cockpit.fork(sessionId);
    if (made !== undefined) await navigate({ to: '/s/$sessionId', params: { sessionId: made.id } });
  };
  return (
    <div className="remedies">
      {compactCommand !== undefined && (
        <button type="button" disabled={isElsewhere} onClick={() => void cockpit.sendInput(sessionId, compactCommand)}>
          Compact <span className="quiet">{isElsewhere ? 'another program holds it' : 'the agent shortens what it remembers'}</span>
        </button>
      )}
      {can?.fork && (
        <button type="button" onClick={() => void fork()}>
          Fork from here <span className="quiet">a copy goes on; this one stays</span>
        </button>
      )}
      <button type="button" onClick={onHandOver}>
        Hand over… <span className="quiet">to a fresh session that is told a summary</span>
      </button>
    </div>
  );
}
