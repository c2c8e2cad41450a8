import { CornerDownLeft } from 'lucide-react';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import type { SendState } from './queue/send-state.ts';

interface SendButtonsProps {
  readonly sending: SendState;
  readonly isEmpty: boolean;
  readonly hasAttached: boolean;
  readonly onSteer: () => void;
}

/** The usual button, and while a turn runs a second one that sends the message into it. */
export function SendButtons({ sending, isEmpty, hasAttached, onSteer }: SendButtonsProps) {
  return (
    <>
      <span className="send-effect">{isEmpty && hasAttached ? 'Add a message to send it' : sending.effect}</span>
      {sending.canSteer && (
        <button type="button" className="button plain steer" disabled={isEmpty} title="Adds this to the running turn instead of queuing it" onClick={onSteer}>
          Send now <KeyHint>ctrl ⏎</KeyHint>
        </button>
      )}
      <button type="submit" className="button primary send" disabled={isEmpty}>
        {sending.button} <CornerDownLeft size={13} aria-hidden="true" />
      </button>
    </>
  );
}
