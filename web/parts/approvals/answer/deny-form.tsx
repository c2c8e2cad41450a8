import type { KeyboardEvent } from 'react';
import type { AnswerViewProps } from './answer-form.tsx';

const LABELS = {
  tool: { deny: 'Deny', ask: 'Tell the agent why (optional)' },
  question: { deny: 'Skip', ask: 'Tell the agent why (optional)' },
  plan: { deny: 'Request changes', ask: 'What should be different?' },
} as const;

/** Denies with an optional reason that the agent can act on. */
export function DenyForm({ request, onVerdict, onView, draft: { reason = '' }, onDraft, isJustOpened }: AnswerViewProps) {
  const labels = LABELS[request.kind];
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onVerdict({ behavior: 'deny', message: reason });
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onView('choice');
  };
  return (
    <form className="deny-form" action={() => onVerdict({ behavior: 'deny', message: reason })}>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has just chosen to deny and may type at once
        autoFocus={isJustOpened}
        rows={request.kind === 'plan' ? 3 : 1}
        value={reason}
        placeholder={labels.ask}
        aria-label="Reason"
        onChange={(event) => onDraft({ reason: event.target.value })}
        onKeyDown={onKey}
      />
      <p className="request-note">{`${labels.deny} sends your reason to the agent. ${labels.deny} and stop ends the turn; the agent won’t see it.`}</p>
      <div className="answer-buttons">
        <button type="submit" className="button">
          {labels.deny}
        </button>
        <button type="button" className="button" onClick={() => onVerdict({ behavior: 'deny', message: reason, interrupt: true })}>
          {`${labels.deny} and stop`}
        </button>
        <button type="button" className="button plain" onClick={() => onView('choice')}>
          Cancel
        </button>
      </div>
    </form>
  );
}
