import { CONTINUE_TEXT } from '../../../../src/domain/session/cut-off.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { shownIn } from '../../../store/state/app-state.ts';

interface CrashedTurnProps {
  readonly sessionId: string;
  /** The message the agent was working on when it crashed. */
  readonly commandId: string | undefined;
}

/** The agent crashed mid-turn. Nothing is repeated automatically; a person can continue with one click. */
export function CrashedTurn({ sessionId, commandId }: CrashedTurnProps) {
  const cockpit = useCockpit();
  const message = useApp((state) => (commandId === undefined ? undefined : shownIn(state, sessionId)?.inputs.get(commandId)));
  const text = message?.whole === undefined ? message?.text : undefined;
  return (
    <div className="after-death">
      <div className="after-death-ways">
        <button type="button" className="button" onClick={() => void cockpit.sendInput(sessionId, CONTINUE_TEXT)}>
          Continue
        </button>
        {text !== undefined && (
          <button type="button" className="button" onClick={() => void cockpit.sendInput(sessionId, text)}>
            Send message again
          </button>
        )}
      </div>
    </div>
  );
}
