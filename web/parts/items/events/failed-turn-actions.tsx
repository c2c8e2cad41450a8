import { CONTINUE_TEXT } from '../../../../src/domain/session/cut-off.ts';
import { turnOutcome } from '../../../../src/domain/transcript/outcomes.ts';
import type { EventOf } from '../../../../src/protocol/event.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { shownIn } from '../../../store/state/app-state.ts';

interface FailedTurnActionsProps {
  readonly sessionId: string;
  readonly turn: EventOf<'turn.completed'>;
}

/** What a person can do about the last turn when it failed. Once the session has moved on, there is nothing left to do. */
export function FailedTurnActions({ sessionId, turn }: FailedTurnActionsProps) {
  const { seq, commandId } = turn;
  const cockpit = useCockpit();
  const message = useApp((state) => (commandId === undefined ? undefined : shownIn(state, sessionId)?.inputs.get(commandId)));
  const isOver = useApp((state) => (state.open.get(sessionId)?.transcript.movedOnAt ?? 0) > seq);
  // Pictures and a text that is only partly here can't be sent again from here.
  const text = message?.whole === undefined && message?.imageCount === 0 && message.context.length === 0 ? message.text : undefined;
  const isCrash = turnOutcome(turn) === 'crashed';
  if (isOver) return null;
  return (
    <div className="after-death">
      <div className="after-death-ways">
        {(isCrash || text === undefined) && (
          <button type="button" className="button" onClick={() => void cockpit.sendInput(sessionId, isCrash ? CONTINUE_TEXT : TRY_AGAIN)}>
            {isCrash ? 'Continue' : 'Try again'}
          </button>
        )}
        {text !== undefined && (
          <button type="button" className="button" onClick={() => void cockpit.sendInput(sessionId, text)}>
            {isCrash ? 'Send message again' : 'Try again'}
          </button>
        )}
      </div>
    </div>
  );
}

const TRY_AGAIN = 'That failed. Please try again.';
