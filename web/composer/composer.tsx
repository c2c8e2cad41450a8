import { CornerDownLeft } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { Queue } from './queue.tsx';
import { sendWords } from './send-words.ts';

/** On a phone the Enter key of the keyboard makes a new line; the button sends. */
const hasKeyboard = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** The place to write. It says what sending will do, and keeps what is typed. */
export function Composer({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useApp((state) => state.drafts.get(sessionId) ?? '');
  const refusal = useApp((state) => state.refusals.get(sessionId));
  const suggestion = useApp((state) => state.open.get(sessionId)?.transcript.suggestion);
  const button = useApp((state) => sendWords(state, sessionId).button);
  const effect = useApp((state) => sendWords(state, sessionId).effect);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useEffect(() => {
    const area = field.current;
    if (area === null) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);
  useShortcuts({
    '/': (event) => {
      event.preventDefault();
      field.current?.focus();
    },
  });
  const send = () => {
    if (text.trim() !== '') void cockpit.sendInput(sessionId, text);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !hasKeyboard()) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="composer-place">
      <Queue sessionId={sessionId} />
      {refusal !== undefined && (
        <p className="form-problem" role="alert">
          Not accepted: {refusal} Your words are back below.
        </p>
      )}
      <form className="composer" action={send}>
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label="Message"
          placeholder={suggestion ?? 'Message'}
          onChange={(event) => cockpit.setDraft(sessionId, event.target.value)}
          onKeyDown={onKey}
        />
        <div className="composer-foot">
          {suggestion !== undefined && text === '' && (
            <button type="button" className="chip" onClick={() => cockpit.setDraft(sessionId, suggestion)}>
              Use: {suggestion}
            </button>
          )}
          <span className="send-effect">{effect}</span>
          <button type="submit" className="button primary send" disabled={text.trim() === ''}>
            {button} <CornerDownLeft size={13} aria-hidden="true" />
          </button>
        </div>
      </form>
    </div>
  );
}
