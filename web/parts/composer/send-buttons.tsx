import { CornerDownLeft } from 'lucide-react';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import type { SendWords } from './queue/send-words.ts';

interface SendButtonsProps {
  readonly words: SendWords;
  readonly isEmpty: boolean;
  readonly hasAttached: boolean;
  readonly onSteer: () => void;
}

/** One button does what is usual; while a turn runs a second one lets the message join it. */
export function SendButtons({ words, isEmpty, hasAttached, onSteer }: SendButtonsProps) {
  return (
    <>
      <span className="send-effect">{isEmpty && hasAttached ? 'add a few words to send it' : words.effect}</span>
      {words.canSteer && (
        <button type="button" className="button plain steer" disabled={isEmpty} title="Joins the running turn instead of waiting for its end" onClick={onSteer}>
          Into this turn <KeyHint>ctrl ⏎</KeyHint>
        </button>
      )}
      <button type="submit" className="button primary send" disabled={isEmpty}>
        {words.button} <CornerDownLeft size={13} aria-hidden="true" />
      </button>
    </>
  );
}
