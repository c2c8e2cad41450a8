import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { shownIn } from '../../../store/state/app-state.ts';

interface AfterDeathProps {
  readonly sessionId: string;
  /** The message that the agent worked on when it ended. */
  readonly commandId: string | undefined;
}

const GO_ON = 'You were interrupted in the middle of this. Look at what is done already, then go on.';

/** The agent ended in mid-turn. Nothing is run again by itself; a person can do it with one click. */
export function AfterDeath({ sessionId, commandId }: AfterDeathProps) {
  const cockpit = useCockpit();
  const message = useApp((state) => (commandId === undefined ? undefined : shownIn(state, sessionId)?.inputs.get(commandId)));
  const text = message?.whole === undefined ? message?.text : undefined;
  return (
    <div className="after-death">
      <p>The agent ended in the middle of this turn. Part of it may be done; nothing was run again.</p>
      <div className="after-death-ways">
        <button type="button" className="button" onClick={() => void cockpit.sendInput(sessionId, GO_ON)}>
          Let it go on
        </button>
        {text !== undefined && (
          <button type="button" className="button" onClick={() => void cockpit.sendInput(sessionId, text)}>
            Send the message again
          </button>
        )}
      </div>
    </div>
  );
}
