import { CornerDownLeft } from 'lucide-react';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import type { SendState } from './queue/send-state.ts';

interface SendButtonsProps {
  readonly sending: SendState;
  readonly isEmpty: boolean;
  readonly hasAttached: boolean;
  readonly onSteer: () => void;
  /** Resumes the paused queue as well. */
  readonly onResume: () => void;
}

/** The usual button, while a turn runs a second one that sends the message into it, and for a paused queue one that resumes it. */
export function SendButtons({ sending, isEmpty, hasAttached, onSteer, onResume }: SendButtonsProps) {
  return (
    <>
      <span className="send-effect">{isEmpty && hasAttached ? 'Add a message to send it' : sending.effect}</span>
      {sending.canSteer && (
        <button
          type="button"
          className="button plain steer"
          disabled={isEmpty}
          title={sending.canResume ? 'Sends just this message; the queue stays paused' : 'Sends this at once instead of queuing it'}
          onClick={onSteer}
        >
          Send now <KeyHint>ctrl ⏎</KeyHint>
        </button>
      )}
      {sending.canResume && (
        <button type="button" className="button plain" disabled={isEmpty} title="Continues with the queue; this message comes last" onClick={onResume}>
          Resume and send
        </button>
      )}
      <button type="submit" className="button primary send" disabled={isEmpty}>
        {sending.button} <CornerDownLeft size={13} aria-hidden="true" />
      </button>
    </>
  );
}
