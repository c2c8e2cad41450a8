import { useNavigate } from '@tanstack/react-router';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { useCapabilities } from '../common/use-capabilities.ts';

interface RemediesProps {
  readonly sessionId: string;
  readonly compactCommand: string | undefined;
  readonly onHandOver: () => void;
}

/** What helps when a session's context is full. */
export function Remedies({ sessionId, compactCommand, onHandOver }: RemediesProps) {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const can = useCapabilities(sessionId);
  const isOpenElsewhere = useApp((state) => state.sessions.get(sessionId)?.control === 'elsewhere');
  const fork = async () => {
    const made = await cockpit.fork(sessionId);
    if (made !== undefined) await navigate({ to: '/s/$sessionId', params: { sessionId: made.id } });
  };
  return (
    <div className="remedies">
      {compactCommand !== undefined && (
        <button type="button" disabled={isOpenElsewhere} onClick={() => void cockpit.sendInput(sessionId, compactCommand)}>
          Compact <span className="quiet">{isOpenElsewhere ? 'open in another program' : 'the agent summarizes its context'}</span>
        </button>
      )}
      {can?.fork && (
        <button type="button" onClick={() => void fork()}>
          Fork from here <span className="quiet">continue in a copy, keep this one</span>
        </button>
      )}
      <button type="button" onClick={onHandOver}>
        New session with summary… <span className="quiet">starts with an empty context</span>
      </button>
    </div>
  );
}
