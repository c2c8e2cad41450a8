import type { KeyboardEvent } from 'react';
import type { FaceProps } from './answer-form.tsx';

const WORDS = {
  tool: { deny: 'Deny', ask: 'Tell the agent why (may stay empty)' },
  question: { deny: 'Skip', ask: 'Tell the agent why (may stay empty)' },
  plan: { deny: 'Send back', ask: 'What should be different?' },
} as const;

/** The reason goes to the agent, so that it can do better; it may stay empty. */
export function DenyForm({ request, onVerdict, onFace, draft: { reason = '' }, onDraft, isTurned }: FaceProps) {
  const words = WORDS[request.kind];
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onVerdict({ behavior: 'deny', message: reason });
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onFace('choice');
  };
  return (
    <form className="deny-form" action={() => onVerdict({ behavior: 'deny', message: reason })}>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has just chosen to deny and may type at once
        autoFocus={isTurned}
        rows={request.kind === 'plan' ? 3 : 1}
        value={reason}
        placeholder={words.ask}
        aria-label="Reason"
        onChange={(event) => onDraft({ reason: event.target.value })}
        onKeyDown={onKey}
      />
      <p className="request-note">{`Interrupting ends the turn: the reason is then kept in the transcript, and only ${words.deny} tells it to the agent.`}</p>
      <div className="answer-buttons">
        <button type="submit" className="button">
          {words.deny}
        </button>
        <button type="button" className="button" onClick={() => onVerdict({ behavior: 'deny', message: reason, interrupt: true })}>
          {`${words.deny} and interrupt`}
        </button>
        <button type="button" className="button plain" onClick={() => onFace('choice')}>
          Back
        </button>
      </div>
    </form>
  );
}
